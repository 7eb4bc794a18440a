//! One target under the fuzzer. `fuzz/run` builds and starts this; see there.

#![cfg_attr(fuzzing, no_main)]

#[cfg(fuzzing)]
mod fuzzer {
    use std::sync::LazyLock;

    use pessoi_fuzz::Target;

    static TARGET: LazyLock<&Target> = LazyLock::new(|| {
        let name = std::env::var("PESSOI_FUZZ").unwrap_or_default();
        pessoi_fuzz::target(&name).unwrap_or_else(|| panic!("there is no target {name:?}"))
    });

    libfuzzer_sys::fuzz_target!(|input: &[u8]| {
        if input.len() <= TARGET.most {
            (TARGET.check)(input);
        }
    });
}

/// Without the fuzzer: the targets, their longest inputs, and what they read.
#[cfg(not(fuzzing))]
fn main() {
    for target in pessoi_fuzz::TARGETS {
        println!("{} {} {}", target.name, target.most, target.help);
    }
}
