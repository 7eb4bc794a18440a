//! Whole numbers as decimal strings, because many readers of JSON cut numbers to 53 bits.

use std::fmt::Display;
use std::str::FromStr;

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serializer};

pub(crate) fn serialize<T: Display, S: Serializer>(number: &T, s: S) -> Result<S::Ok, S::Error> {
    s.collect_str(number)
}

pub(crate) fn deserialize<'de, T: FromStr, D: Deserializer<'de>>(d: D) -> Result<T, D::Error> {
    parse(&String::deserialize(d)?)
}

/// Whether these are digits, perhaps after a minus sign, as a number is written: without zeros
/// before it.
pub(crate) fn is_plain(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let is_short = digits == "0" && digits.len() == text.len() || !digits.starts_with('0');
    is_short && !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit())
}

/// Reads digits, perhaps with a minus sign, and nothing else.
fn parse<T: FromStr, E: Error>(text: &str) -> Result<T, E> {
    let number = text.parse().ok().filter(|_| is_plain(text));
    number.ok_or_else(|| E::custom(format!("{text:?} is not a decimal number")))
}

/// The same for lists.
pub(crate) mod list {
    use super::{Deserialize, Deserializer, Display, FromStr, Serializer};
    use serde::ser::SerializeSeq;

    pub(crate) fn serialize<T: Display, S: Serializer>(all: &[T], s: S) -> Result<S::Ok, S::Error> {
        let mut list = s.serialize_seq(Some(all.len()))?;
        for number in all {
            list.serialize_element(&number.to_string())?;
        }
        list.end()
    }

    pub(crate) fn deserialize<'de, T: FromStr, D: Deserializer<'de>>(
        d: D,
    ) -> Result<Vec<T>, D::Error> {
        let texts = Vec::<String>::deserialize(d)?;
        texts.iter().map(|text| super::parse(text)).collect()
    }
}

/// The same for numbers that may be absent.
pub(crate) mod option {
    use super::{Deserializer, Display, FromStr, Serializer};

    // Serde gives a reference to the field.
    #[allow(clippy::ref_option)]
    pub(crate) fn serialize<T: Display, S: Serializer>(
        number: &Option<T>,
        s: S,
    ) -> Result<S::Ok, S::Error> {
        match number {
            Some(number) => s.collect_str(number),
            None => s.serialize_none(),
        }
    }

    pub(crate) fn deserialize<'de, T: FromStr, D: Deserializer<'de>>(
        d: D,
    ) -> Result<Option<T>, D::Error> {
        super::deserialize(d).map(Some)
    }
}
