//! Go from outside: bad input, and parts on several machines.

mod harness;

use harness::{Scratch, Wait};

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
        ("count go 3x3 --checkpoint new", "by table"),
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
        ("count go 6x6 --part 1/9", "counted in 3 passes"),
        ("plan count go 6x6 --part 1/9", "counted in 3 passes"),
        ("count go 6x6 --part 1/2 --mod 7", "--over blocks"),
        ("count go 6x6 --part 1/2 --over rows", "moduli, blocks"),
        ("count go 6x6 --over blocks", "--part"),
        ("count go 6x6 --part 1/2 --over blocks", "--share DIR"),
        ("plan count go 6x6 --part 1/2 --over blocks", "--share DIR"),
        ("count go 6x6 --part 1/2 --share .", "leave out --share"),
        ("count go 6x6 --part 1/2 --over blocks --share none", "cannot be used"),
        ("count go 6x6 --part 1/2 --over blocks --share . --checkpoint x", "--checkpoint"),
        ("count knight-tours 3x4 --part 1/2 --share .", "leave out --share"),
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

/// Three processes and one folder; one of them is killed, and started again.
#[test]
fn parts_over_blocks_meet_in_a_folder() {
    let scratch = Scratch::new();
    std::fs::create_dir(scratch.path("met")).unwrap();
    let words = |part: usize| {
        format!("count go 6x7 --over blocks --part {part}/3 --share met --threads 1 -o {part}.json")
    };
    let start = |part: usize| {
        let words = words(part);
        let mut command = scratch.command(&words.split_whitespace().collect::<Vec<_>>());
        command.stdout(std::process::Stdio::null()).stderr(std::process::Stdio::null());
        command.spawn().expect("pessoi runs")
    };
    // Alone, the first part comes as far as it can.
    let mut first = start(1);
    let sent = scratch.path("met/1-0-1-3.tiles");
    first.wait_until(|| sent.exists());
    // While it runs, it is not run a second time.
    let twice = scratch.pessoi(&words(1));
    assert_eq!(twice.code, Some(2), "{twice:?}");
    assert!(twice.err.contains("Another run is counting part 1/3"), "{twice:?}");
    first.signal("KILL");
    first.wait().unwrap();
    let mut others = [start(2), start(3)];
    let mut first = start(1);
    for part in others.iter_mut().chain([&mut first]) {
        assert_eq!(part.wait().unwrap().code(), Some(0));
    }
    let merged = scratch.pessoi("merge 3.json 1.json 2.json");
    assert_eq!(merged.code, Some(0), "{merged:?}");
    let whole = scratch.pessoi("count go 6x7");
    let number = |text: &str| text.lines().find(|line| line.contains("exactly")).map(str::to_owned);
    assert!(number(&whole.out).is_some());
    assert_eq!(number(&merged.out), number(&whole.out));
    // Parts over moduli are other parts.
    let other = scratch.pessoi("count go 6x7 --part 2/3 -o moduli.json");
    assert_eq!(other.code, Some(0), "{other:?}");
    let mixed = scratch.pessoi("merge 1.json moduli.json 3.json");
    assert_eq!(mixed.code, Some(2), "{mixed:?}");
    assert!(mixed.err.contains("moduli.json (part 2/3)"), "{mixed:?}");
    assert!(mixed.err.contains("--over is absent"), "{mixed:?}");
}
