//! Go from outside: bad input.

mod harness;

use harness::Scratch;

#[test]
fn bad_input_leaves_checkpoints_alone() {
    let scratch = Scratch::new();
    let outcome = scratch.pessoi("count go 6x6 --checkpoint saved");
    assert_eq!(outcome.code, Some(0), "{outcome:?}");
    let whole = std::fs::read(scratch.path("saved")).unwrap();
    let mut damaged = whole.clone();
    damaged[100] ^= 8;
    std::fs::write(scratch.path("damaged"), &damaged).unwrap();
    scratch.write("text", "not a checkpoint at all, but long enough to be one");
    scratch.write("game.sgf", "(;GM[1]SZ[9];B[aa)").write("small", "X.\n.O\n");
    scratch.write("empty.sgf", "()");
    for (args, about) in [
        ("count go 0x0", "side of 0"),
        ("count go 19x19", "matrix goes up to 16 rows"),
        ("count go 6x6 --checkpoint saved", "--resume"),
        ("count go 6x7 --checkpoint saved --resume", "another count"),
        ("count go 6x6 --checkpoint damaged --resume", "damaged"),
        ("count go 6x6 --checkpoint text --resume", "none of go"),
        ("count go 6x6 --checkpoint missing --resume", "is not there"),
        ("count go 3x3 --checkpoint new", "matrix"),
        ("count go 6x6 --checkpoint .", "is a folder"),
        ("plan count go 6x6 --checkpoint none/here", "no such file or folder"),
        ("count go 6x6 --resume", "--resume needs"),
        ("count go 6x6 --mod 1", "from 2."),
        ("plan count go 6x6 --mod 1", "from 2."),
        ("plan count go 2x3 --cycles", "up to 64 positions"),
        ("plan analyze go", "asked of a board"),
        ("analyze go --borders 99", "from 1 to 30"),
        ("estimate go 121x121", "shorter side is up to 120"),
        ("analyze go 2x2 --position empty.sgf", "no nodes"),
        ("count go T5", "T5 is hexagonal"),
        ("count go", "such as 9x9, or a drawing with absent points; nothing was given"),
        ("count go 1x6 --games", "estimate --games"),
        ("analyze go 9x9 --position game.sgf", "not an SGF"),
        ("analyze go 9x9 --position small", "not on 9x9"),
        ("analyze go 9x9 --position missing", "cannot be read"),
        ("export go 5x5", "up to 16 points"),
        ("find go 1x5 --tour small", "--symmetric"),
        ("find go 1x5 --symmetric --tour small", "tour cannot be used"),
    ] {
        let before = scratch.files();
        let outcome = scratch.pessoi(args);
        assert_eq!(outcome.code, Some(2), "{args}: {outcome:?}");
        assert!(outcome.err.contains(about), "{args}: {outcome:?}");
        assert_eq!(scratch.files(), before, "{args}");
    }
    assert_eq!(std::fs::read(scratch.path("saved")).unwrap(), whole);
    assert_eq!(std::fs::read(scratch.path("damaged")).unwrap(), damaged);
}
