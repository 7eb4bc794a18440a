"""Bad input: an exception with a sentence, never a crash, nothing leaked."""

import os
import random

import numpy as np
import pytest

import pessoi

ODD = [
    (("count", "diplomatico"), {}, "place"),
    (("count", "diplomatico", "0x5"), {}, "place"),
    (("count", "diplomatico", "hello"), {}, "place"),
    (("count", "diplomatico", -3), {}, "place"),
    (("count", "diplomatico", 2**70), {}, "place"),
    (("count", "diplomatico", 3.5), {}, "place"),
    (("count", "diplomatico", True), {}, "place"),
    (("count", "diplomatico", object()), {}, "place"),
    (("count", "diplomatico", []), {}, "place"),
    (("count", "diplomatico", [(0, 0), "x"]), {}, "place"),
    (("count", "diplomatico", [(0, 0), (0, 0)]), {}, "place"),
    (("count", "diplomatico", [(0, -1)]), {}, "place"),
    (("count", "diplomatico", np.ones((2, 2, 2), dtype=bool)), {}, "place"),
    (("count", "diplomatico", np.ones((3, 3))), {}, "place"),
    (("count", "diplomatico", "5x5"), {"closd": True}, "options.closd"),
    (("count", "diplomatico", "5x5"), {"closed": "yes"}, "options.closed"),
    (("count", "diplomatico", "5x5"), {"limit": 0}, "options.limit"),
    (("count", "diplomatico", "5x5"), {"limit": 1.5}, "options.limit"),
    (("count", "diplomatico", "5x5"), {"limit": True}, "options.limit"),
    (("count", "diplomatico", "5x5"), {"limit": -(10**50)}, "options.limit"),
    (("count", "diplomatico", "5x5"), {"from_": (-1, 0)}, "options.from"),
    (("count", "diplomatico", "5x5"), {"from_": (0, 0, 0)}, "options.from"),
    (("count", "diplomatico", "5x5"), {"from_": (9, 9)}, "options.from"),
    (("count", "diplomatico", "5x5"), {"method": "swep"}, "options.method"),
    (("count", "diplomatico", "5x5"), {"part": (4, 3)}, "options.part"),
    (("count", "diplomatico", "5x5"), {"time": -1}, "options.time"),
    (("count", "diplomatico", "5x5"), {"time": "soon"}, "options.time"),
    (("count", "diplomatico", "5x5"), {"memory": "1"}, "options.memory"),
    (("count", "diplomatico", "5x5"), {"threads": 0}, "options.threads"),
    (("count", "diplomatico", "5x5"), {"seed": -1}, "options.seed"),
    (("count", "diplomatico", "5x5"), {"progress": 3}, "options.progress"),
    (("count", "diplomatco", "5x5"), {}, "game"),
    (("generate", "go", "5x5"), {}, "verb"),
    (("generate", "go", "5x5"), {"x": 1}, "verb"),
    (("list", "diplomatico", "5x5"), {"resume": True}, "options.resume"),
]


@pytest.mark.parametrize(("asked", "options", "field"), ODD)
def test_what_is_refused(asked, options, field):
    verb, *rest = asked
    with pytest.raises(pessoi.InputError) as error:
        getattr(pessoi, verb)(*rest, **options)
    assert isinstance(error.value, ValueError) and isinstance(error.value, pessoi.Error)
    assert error.value.field == field and error.value.code
    sentence = str(error.value)
    assert sentence.endswith((".", "?")) and "\n" not in sentence


def test_the_nearest_name_is_suggested():
    for asked, options, near in [
        (("diplomatico", "5x5"), {"closd": True}, "--closed"),
        (("diplomatco", "5x5"), {}, "diplomatico"),
        (("diplomatico", "5x5"), {"method": "pairing"}, "pairings"),
    ]:
        with pytest.raises(pessoi.InputError, match=f"did you mean {near}"):
            pessoi.count(*asked, **options)


def test_other_errors(tmp_path):
    with pytest.raises(pessoi.FileError) as error:
        pessoi.read(tmp_path / "nowhere.json")
    assert isinstance(error.value, OSError) and error.value.code == "io"
    with pytest.raises(pessoi.FileError, match="no such file"):
        pessoi.count("diplomatico", tmp_path / "nowhere.txt")
    with pytest.raises(pessoi.FileError):
        pessoi.count("diplomatico", "5x5").save(tmp_path / "nowhere" / "x.json")
    for nonsense in (b"", b"{}", b"\xff\xfe", b"pessoi-packed 2 knight-loops\n{}\n"):
        with pytest.raises(pessoi.InputError):
            pessoi.read(nonsense)
    with pytest.raises(pessoi.InputError, match="cannot be written as"):
        pessoi.count("diplomatico", "5x5").save(tmp_path / "x.svg")
    with pytest.raises(pessoi.InputError, match="no option"):
        pessoi.count("diplomatico", "5x5").write("text", colour=True)
    with pytest.raises(pessoi.InputError):
        pessoi.merge([])
    with pytest.raises(TypeError):
        pessoi.count()
    with pytest.raises(TypeError):
        pessoi.count(7, "5x5")
    with pytest.raises(pessoi.InputError):
        pessoi.Board("5x5", lattice="hex")
    with pytest.raises(pessoi.InputError):
        pessoi.Board([(0, 0)], lattice="triangle")
    with pytest.raises(pessoi.InputError):
        pessoi.schema("answr")


def memory() -> int:
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def test_a_hundred_thousand_odd_calls_leak_nothing():
    chance = random.Random(1)

    def odd():
        verb, *rest = (asked := chance.choice(ODD))[0]
        try:
            getattr(pessoi, verb)(*rest, **asked[1])
        except pessoi.InputError as error:
            assert error.field
        else:
            raise AssertionError(asked)

    for _ in range(10_000):
        odd()
    before = memory()
    for _ in range(90_000):
        odd()
    # What a leak of a hundred bytes a call would take.
    assert memory() - before < 9_000_000
