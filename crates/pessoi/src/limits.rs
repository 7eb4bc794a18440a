//! Limits as people write them (`90s`, `1.5m`, `4G`), and the files and folders that a job may use
//! and that its answer goes to.

use std::io::ErrorKind;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use pessoi_engine::disk::Disk;
use pessoi_engine::run::Budget;
use pessoi_engine::share::Share;
use pessoi_engine::store::Store;

use crate::answer::Value;
use crate::error::{Error, Result, reason};

/// How many threads a job may be given.
pub const THREADS: RangeInclusive<u64> = 1..=1024;
/// Where randomness may start.
pub const SEEDS: RangeInclusive<u64> = 0..=u64::MAX;

/// The limits of a job: those that are `given`, by the names `time`, `memory`, `threads` and
/// `seed`, and the others as they are `otherwise`.
pub fn budget<'t>(given: impl Fn(&str) -> Option<&'t str>, otherwise: &Budget) -> Result<Budget> {
    let time = given("time").map(|text| duration("time", text)).transpose()?;
    let memory = given("memory").map(|text| bytes("memory", text)).transpose()?;
    let threads = given("threads").map(|text| whole("threads", text, &THREADS)).transpose()?;
    let seed = given("seed").map(|text| whole("seed", text, &SEEDS)).transpose()?;
    Ok(Budget {
        time: time.or(otherwise.time),
        memory: memory.or(otherwise.memory),
        threads: threads.map_or(otherwise.threads, |number| number as usize),
        seed: seed.unwrap_or(otherwise.seed),
    })
}

/// A whole number in a range, given for the option `name`.
pub fn whole(name: &str, text: &str, range: &RangeInclusive<u64>) -> Result<u64> {
    if let Some(number) = text.trim().parse().ok().filter(|number| range.contains(number)) {
        return Ok(number);
    }
    let (least, most) = (range.start(), range.end());
    Err(Error::option(
        name,
        format!("--{name} {text:?} is not accepted: give a whole number from {least} to {most}."),
    ))
}

/// Where an answer is put that was to be written to `path`: there if it is whole, and beside it,
/// under [`partial`], if a limit cut it short.
pub fn place(path: &Path, value: &Value) -> PathBuf {
    if value.is_whole() { path.to_owned() } else { partial(path) }
}

/// The name of what is not whole: `NAME.partial`, so that it is not taken for the whole.
pub fn partial(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".partial");
    name.into()
}

/// `90`, `90s`, `1.5m`, `2h` or `500ms`, given for the option `name`.
pub fn duration(name: &str, text: &str) -> Result<Duration> {
    let (number, unit) = split_unit(text);
    let scale = match unit {
        "" | "s" => 1.0,
        "ms" => 1e-3,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        "d" => 86400.0,
        _ => f64::NAN,
    };
    let seconds = number.parse::<f64>().unwrap_or(f64::NAN) * scale;
    if seconds > 0.0 && seconds < 1e9 {
        return Ok(Duration::from_secs_f64(seconds));
    }
    Err(Error::option(
        name,
        format!("--{name} {text:?} is not accepted: give a time such as 90s, 1.5m or 2h."),
    ))
}

/// Below this nothing useful can be done.
const LEAST_MEMORY: u64 = 1 << 20;

/// `4G`, `512M`, `1.5g` or `3000000000`, given for the option `name`.
pub fn bytes(name: &str, text: &str) -> Result<u64> {
    let (number, unit) = split_unit(text);
    let scale: f64 = match unit.to_ascii_uppercase().trim_end_matches('B').trim_end_matches('I') {
        "" => 1.0,
        "K" => 1024.0,
        "M" => 1024f64.powi(2),
        "G" => 1024f64.powi(3),
        "T" => 1024f64.powi(4),
        _ => f64::NAN,
    };
    let bytes = number.parse::<f64>().unwrap_or(f64::NAN) * scale;
    let bad = |why: &str| Err(Error::option(name, format!("--{name} {text:?} is {why}.")));
    if bytes.is_nan() || !(0.0..1e18).contains(&bytes) {
        return bad("not accepted: give a size such as 512M or 4G");
    }
    if (bytes as u64) < LEAST_MEMORY {
        return bad("too little: at least 1M is needed");
    }
    Ok(bytes as u64)
}

/// Where a job may put what does not fit into memory: `FOLDER` or `FOLDER:SIZE`.
pub fn disk(text: &str) -> Result<Arc<Disk>> {
    // A folder may have a colon in its name; a size has none.
    let (folder, most) = match text.rsplit_once(':') {
        Some((folder, size)) if !Path::new(text).is_dir() => (folder, Some(bytes("disk", size)?)),
        _ => (text, None),
    };
    Disk::open(folder, most).map_err(|error| {
        Error::option("disk", format!("The disk {folder:?} cannot be used: {error}."))
    })
}

/// The folder where a job meets the other parts of its question.
pub fn share(folder: &Path) -> Result<Arc<Share>> {
    Share::open(folder).map_err(|error| {
        let (folder, why) = (folder.display().to_string(), reason(&error));
        Error::option("share", format!("The folder {folder:?} cannot be used: {why}."))
    })
}

/// Where a job saves itself, and how often. A file that is there is gone on with only if that is
/// asked for (`resume`).
pub fn store(path: Option<&Path>, every: Option<&str>, resume: bool) -> Result<Option<Store>> {
    let every = every.map(|text| duration("checkpoint-every", text)).transpose()?;
    let Some(path) = path else {
        for (name, is_given) in [("resume", resume), ("checkpoint-every", every.is_some())] {
            if is_given {
                return Err(Error::conflict(name, format!("--{name} needs --checkpoint FILE.")));
            }
        }
        return Ok(None);
    };
    let refuse = |why: String| {
        let shown = path.display().to_string();
        Err(Error::option("checkpoint", format!("The checkpoint {shown:?} {why}.")))
    };
    if path.is_dir() {
        return refuse("is a folder: name a file".into());
    }
    match (path.exists(), resume) {
        (true, false) => refuse("is there already: add --resume to go on from it".into()),
        (false, true) => refuse("is not there: leave out --resume to begin anew".into()),
        _ => match Store::open(path) {
            Ok(store) => Ok(Some(match every {
                Some(pause) => store.every(pause),
                None => store,
            })),
            Err(error) if error.kind() == ErrorKind::ResourceBusy => {
                refuse("is in use by another run: wait for its end, or name another file".into())
            }
            Err(error) => refuse(format!("cannot be written: {}", reason(&error))),
        },
    }
}

fn split_unit(text: &str) -> (&str, &str) {
    let text = text.trim();
    let end = text.find(|c: char| c.is_alphabetic()).unwrap_or(text.len());
    (text[..end].trim(), text[end..].trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_and_sizes() {
        assert_eq!(duration("time", "90").unwrap(), Duration::from_secs(90));
        assert_eq!(duration("time", "1.5m").unwrap(), Duration::from_secs(90));
        assert_eq!(duration("time", "500ms").unwrap(), Duration::from_millis(500));
        assert_eq!(bytes("memory", "4G").unwrap(), 4 << 30);
        assert_eq!(bytes("memory", "512 MiB").unwrap(), 512 << 20);
        for bad in ["", "s", "-1s", "1y", "nan", "inf", "1e99h"] {
            assert!(duration("time", bad).is_err(), "{bad}");
        }
        for bad in ["", "G", "-4G", "4X", "nan", "1e99"] {
            let error = bytes("memory", bad).unwrap_err().to_string();
            assert!(error.contains("such as 512M or 4G"), "{error}");
        }
        assert!(bytes("memory", "1K").unwrap_err().to_string().contains("at least 1M"));
    }

    #[test]
    fn what_is_not_given_is_as_otherwise() {
        let otherwise = Budget { memory: Some(7 << 20), threads: 3, ..Budget::default() };
        let none = budget(|_| None, &otherwise).unwrap();
        assert_eq!((none.time, none.memory, none.threads, none.seed), (None, Some(7 << 20), 3, 1));
        let given = |name: &str| Some(if name == "memory" { "2M" } else { "9" });
        let all = budget(given, &otherwise).unwrap();
        assert_eq!((all.memory, all.threads, all.seed), (Some(2 << 20), 9, 9));
        for (name, bad) in [
            ("threads", "0"),
            ("threads", "1025"),
            ("threads", "two"),
            ("seed", "-1"),
            ("seed", "18446744073709551616"),
        ] {
            let error = budget(|other| (other == name).then_some(bad), &otherwise).unwrap_err();
            assert_eq!(error.field, Some(format!("options.{name}")));
            assert!(error.to_string().contains("a whole number from"), "{error}");
        }
    }

    #[test]
    fn what_is_cut_short_gets_another_name() {
        let path = Path::new("folder/list.json");
        let stop = pessoi_engine::run::Stop::Cancelled;
        assert_eq!(place(path, &Value::exact(7u32)), path);
        assert_eq!(place(path, &Value::at_least(7u32)), path);
        let beside = Path::new("folder/list.json.partial");
        assert_eq!(place(path, &Value::stopped(7u32, stop.clone())), beside);
        assert_eq!(place(path, &Value::stopped(0u32, stop)), beside);
    }
}
