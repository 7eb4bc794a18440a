//! Tours on disk and with checkpoints, from the command.

mod harness;

use harness::Scratch;

#[test]
fn disks_and_checkpoints_that_cannot_be_used() {
    let scratch = Scratch::new();
    let asked = "count knight-tours 6x6 --closed --method pairings --checkpoint";
    let counted = scratch.pessoi(&format!("{asked} saved"));
    assert!(counted.out.contains("9862 undirected closed paths, exactly"), "{counted:?}");
    assert!(counted.out.contains("no longer needed"), "{counted:?}");
    let saved = std::fs::read(scratch.path("saved")).unwrap();
    let mut damaged = saved.clone();
    damaged[saved.len() / 2] ^= 1;
    std::fs::write(scratch.path("damaged"), &damaged).unwrap();
    scratch.write("text", "not a checkpoint at all, but long enough to be one");
    let [text, damaged_one, saved_one] =
        ["text", "damaged", "saved"].map(|name| format!("{asked} {name} --resume"));
    for (args, about) in [
        ("count knight-tours 6x6 --disk none", "The disk \"none\" cannot be used"),
        ("count knight-tours 6x6 --disk .:few", "such as 512M or 4G"),
        ("count knight-tours 6x6 --method branch --disk .", "branch was asked for"),
        ("find knight-tours 6x6 --disk .", "does not use the disk"),
        ("count go 5x5 --method table --disk .", "--disk"),
        ("count knight-tours 6x6 --limit 2 --disk .", "--limit goes with search"),
        ("count knight-tours 6x6 --closed --checkpoint saved", "--resume"),
        (
            "count knight-tours 6x6 --method pairings --checkpoint saved --resume",
            "belongs to another question",
        ),
        (&damaged_one, "is damaged"),
        (&text, "is not one of counting"),
        ("count knight-tours 6x6 --limit 3 --checkpoint new", "with --limit cannot"),
    ] {
        let outcome = scratch.pessoi(args);
        assert_eq!(outcome.code, Some(2), "{args}: {outcome:?}");
        assert!(outcome.err.contains(about), "{args}: {outcome:?}");
    }
    assert_eq!(std::fs::read(scratch.path("saved")).unwrap(), saved);
    assert_eq!(std::fs::read(scratch.path("damaged")).unwrap(), damaged);
    let again = scratch.pessoi(&saved_one);
    assert!(again.out.contains("9862 undirected closed paths, exactly"), "{again:?}");
}

#[test]
fn what_does_not_fit_goes_to_disk() {
    let scratch = Scratch::new();
    let asked = "count knight-tours 6x6 --method pairings --memory 24M --threads 1";
    let here = scratch.pessoi(asked);
    let there = scratch.pessoi(&format!("{asked} --disk . --format json"));
    assert!(here.out.contains("3318960 undirected open paths, exactly"), "{here:?}");
    assert!(there.out.contains("\"number\": \"3318960\""), "{there:?}");
    assert!(there.out.contains("\"disk_bytes\""), "{there:?}");
    let full = scratch.pessoi(&format!("{asked} --disk .:1M"));
    assert_eq!(full.code, Some(3), "{full:?}");
    assert!(full.out.contains("the disk limit of 1.0 MiB was reached"), "{full:?}");
}
