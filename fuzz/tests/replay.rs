//! All inputs that were kept are read again, without a fuzzer.

use std::fs;
use std::path::{Path, PathBuf};

use pessoi_fuzz::TARGETS;

/// The inputs in a folder, in order; none if there is no such folder.
fn inputs(folder: &str, target: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder).join(target);
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let mut paths: Vec<_> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.sort();
    paths
}

#[test]
fn inputs_that_were_kept_are_read() {
    for target in TARGETS {
        let corpus = inputs("corpus", target.name);
        assert!(corpus.len() > 3, "the corpus of {} is nearly empty", target.name);
        for path in corpus.into_iter().chain(inputs("regressions", target.name)) {
            // Where a check fails, this says on what.
            println!("{}", path.display());
            let input = fs::read(&path).expect("a file");
            assert!(input.len() <= target.most, "{} is too long", path.display());
            (target.check)(&input);
        }
    }
}

/// Numbers that look random: G. Marsaglia's xorshift.
struct Dice(u64);

impl Dice {
    fn below(&mut self, most: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % most.max(1) as u64) as usize
    }
}

/// A few inputs that were not kept: pieces of the corpus, changed here and there. The fuzzer
/// does this better; here it costs nothing. `PESSOI_FUZZ_INPUTS` asks for more of them.
#[test]
fn inputs_nearby_are_read_too() {
    let asked = std::env::var("PESSOI_FUZZ_INPUTS").ok();
    let number = asked.map_or(200, |number| number.parse().expect("a number of inputs"));
    let only = std::env::var("PESSOI_FUZZ").ok();
    for target in TARGETS.iter().filter(|target| only.as_ref().is_none_or(|t| t == target.name)) {
        let corpus: Vec<Vec<u8>> = inputs("corpus", target.name)
            .iter()
            .map(|path| fs::read(path).expect("a file"))
            .filter(|input| !input.is_empty())
            .collect();
        let mut dice = Dice(0x9E37_79B9_7F4A_7C15);
        for _ in 0..number {
            let mut input = corpus[dice.below(corpus.len())].clone();
            for _ in 0..=dice.below(4) {
                let at = dice.below(input.len());
                match dice.below(5) {
                    0 => input[at] = dice.below(256) as u8,
                    1 => input[at] ^= 1 << dice.below(8),
                    2 => input.insert(at, dice.below(256) as u8),
                    3 if input.len() > 1 => drop(input.remove(at)),
                    _ => {
                        let other = &corpus[dice.below(corpus.len())];
                        let from = dice.below(other.len());
                        input.truncate(at + 1);
                        input.extend(&other[from..]);
                    }
                }
            }
            input.truncate(target.most);
            let read = std::panic::catch_unwind(|| (target.check)(&input));
            assert!(read.is_ok(), "{} fails on {}", target.name, input.escape_ascii());
        }
    }
}

#[test]
fn every_folder_belongs_to_a_target() {
    for folder in ["corpus", "regressions"] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
        let Ok(entries) = fs::read_dir(folder) else { continue };
        for entry in entries {
            let name = entry.expect("an entry").file_name();
            let name = name.to_string_lossy();
            // Built only with its feature.
            assert!(name == "rows" || pessoi_fuzz::target(&name).is_some(), "{name}");
        }
    }
}
