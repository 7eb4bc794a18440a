"""What is written about the package holds: stubs, docstrings, the notebook."""

import doctest
import importlib
import pkgutil
import sys
from pathlib import Path

import pytest

import pessoi

HERE = Path(__file__).parent
BOOK = HERE.parents[2] / "docs" / "src" / "python.md"


def test_the_stubs_of_the_verbs_are_those_of_the_cards():
    sys.path.insert(0, str(HERE.parent))
    import stubs

    assert stubs.PATH.read_text(encoding="utf-8") == stubs.text(), "run crates/python/stubs.py"


MODULES = ["pessoi"] + [
    f"pessoi.{module.name}"
    for module in pkgutil.iter_modules(pessoi.__path__)
    if module.name not in ("_pessoi", "__main__")
]


@pytest.mark.parametrize("name", MODULES)
def test_docstrings(name):
    module = importlib.import_module(name)
    failed, tried = doctest.testmod(module)
    assert failed == 0
    assert tried > 0 or name not in ("pessoi", "pessoi._verbs", "pessoi._saved", "pessoi._own")


def test_everything_public_is_documented():
    for name in [*pessoi.__all__, "list"]:
        thing = getattr(pessoi, name)
        assert isinstance(thing, str) or thing.__doc__, name


def test_the_book_names_everything_public():
    book = BOOK.read_text(encoding="utf-8")
    for name in [*pessoi.__all__, "list"]:
        assert name in book, name


def test_the_examples_of_the_book():
    failed, tried = doctest.testfile(str(BOOK), module_relative=False, encoding="utf-8")
    assert failed == 0 and tried > 30


def test_the_notebook():
    nbclient = pytest.importorskip("nbclient")
    import nbformat

    notebook = nbformat.read(HERE.parent / "tutorial.ipynb", as_version=4)
    nbclient.NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
