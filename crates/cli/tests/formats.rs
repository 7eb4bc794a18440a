//! Files of other programs, and saved answers in other formats. What other programs make of our
//! files is tested by `formats/read.py`.

mod harness;

use harness::Scratch;

/// SGF may have any character set, and text before it.
#[test]
fn games_in_other_character_sets() {
    let scratch = Scratch::new();
    for (name, game) in [
        ("latin.sgf", &b"(;GM[1]SZ[3]CA[ISO-8859-1]C[Gr\xfc\xdfe];B[aa];W[bb])"[..]),
        ("nothing-said.sgf", b"(;GM[1]SZ[3]C[Gr\xfc\xdfe];B[aa];W[bb])"),
        ("mail.sgf", b"From: J\xfcrgen (me)\n\n(;GM[1]SZ[3];B[aa];W[bb])"),
        ("marked.sgf", b"\xef\xbb\xbf(;GM[1]SZ[3];B[aa];W[bb])"),
        ("japanese.sgf", b"(;GM[1]SZ[3]CA[Shift_JIS]C[\x83\x5d];B[aa];W[bb])"),
    ] {
        std::fs::write(scratch.path(name), game).unwrap();
        let outcome = scratch.pessoi(&format!("analyze go 3x3 --position {name}"));
        assert_eq!(outcome.code, Some(0), "{name}: {outcome:?}");
        assert!(outcome.out.starts_with("X..\n.O.\n...\n"), "{name}: {outcome:?}");
    }
    std::fs::write(scratch.path("picture"), b"\x89PNG\0\0").unwrap();
    let outcome = scratch.pessoi("analyze go 3x3 --position picture");
    assert_eq!(outcome.code, Some(2), "{outcome:?}");
    assert!(outcome.err.contains("not text"), "{outcome:?}");
}

/// A saved puzzle is a puzzle again, and floats are what they were.
#[test]
fn saved_answers_are_written_as_the_command_would() {
    let scratch = Scratch::new();
    let puzzle = scratch.pessoi("generate hopido 5x5 --seed 5");
    assert_eq!(scratch.pessoi("generate hopido 5x5 --seed 5 -o puzzle.json").code, Some(0));
    assert_eq!(scratch.pessoi("convert puzzle.json").out, puzzle.out);
    let solved = scratch.pessoi("convert puzzle.json --solution").out;
    assert_eq!(solved, scratch.pessoi("generate hopido 5x5 --seed 5 --solution").out);
    assert!(solved.len() > puzzle.out.len());
    let refused = scratch.pessoi("convert puzzle.json --frames");
    assert_eq!(refused.code, Some(2), "{refused:?}");
    for words in ["estimate knight-tours 6x6", "estimate go 9x9 --samples 50"] {
        assert_eq!(scratch.pessoi(&format!("{words} -o estimate.json")).code, Some(0));
        let again = scratch.pessoi("convert estimate.json --format json");
        assert_eq!(again.out, std::fs::read_to_string(scratch.path("estimate.json")).unwrap());
    }
}

/// A tour of another program becomes an answer like others.
#[test]
fn tours_of_other_programs() {
    let scratch = Scratch::new();
    scratch.write("tour", "NAME : x\nTYPE : TOUR\nTOUR_SECTION\n2\n3\n6\n5\n4\n1\n-1\nEOF\n");
    let words = "find wazir-tours 2x3 --closed --tour tour";
    let found = scratch.pessoi(&format!("{words} --from 1,1 -o tour.json"));
    assert_eq!(found.code, Some(0), "{found:?}");
    assert_eq!(scratch.pessoi("verify tour.json").code, Some(0));
    for (args, about) in [
        ("find wazir-tours 2x3 --tour tour", "each of 7 nodes"),
        ("find wazir-tours 3x3 --closed --tour tour", "each of 9 nodes"),
        ("find wazir-tours 3x2 --closed --tour tour", "not one move apart"),
        ("find wazir-tours 2x3 --closed --tour tour --all", "combined"),
        ("find wazir-tours 2x3 --closed --tour tour --from 1,1 --to 2,2", "--to"),
    ] {
        let outcome = scratch.pessoi(args);
        assert_eq!(outcome.code, Some(2), "{args}: {outcome:?}");
        assert!(outcome.err.contains(about), "{args}: {outcome:?}");
    }
}
