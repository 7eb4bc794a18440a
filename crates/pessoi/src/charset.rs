//! Text files of any character set.
//!
//! A file is UTF-8 if it can be, or else what it says it is: a byte order mark says so, and SGF
//! (Smart Game Format) has a property for it, `CA[Shift_JIS]`. What says nothing is Latin-1,
//! which is SGF's own default. Labels are those of the Encoding Standard, by which `ISO-8859-1`
//! is Windows-1252, a superset of it as people use it.

use encoding_rs::{Encoding, WINDOWS_1252};

use crate::error::{Error, Result};

/// The text of a file. What holds a zero byte is no text.
pub fn text(bytes: &[u8]) -> Result<String> {
    if let Some((encoding, mark)) = Encoding::for_bom(bytes) {
        return Ok(encoding.decode_without_bom_handling(&bytes[mark..]).0.into_owned());
    }
    if bytes.contains(&0) {
        return Err(Error::input("it is not text: it has bytes that are 0"));
    }
    if let Ok(text) = std::str::from_utf8(bytes) {
        return Ok(text.to_owned());
    }
    let encoding = label(bytes).and_then(Encoding::for_label).unwrap_or(WINDOWS_1252);
    Ok(encoding.decode_without_bom_handling(bytes).0.into_owned())
}

/// The label that an SGF gives.
fn label(bytes: &[u8]) -> Option<&[u8]> {
    const PROPERTY: &[u8] = b"CA[";
    let at = bytes.windows(PROPERTY.len()).position(|three| three == PROPERTY)?;
    bytes[at + PROPERTY.len()..].split(|&byte| byte == b']').next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_what_they_say_they_are() {
        for (bytes, expected) in [
            (&b"plain"[..], "plain"),
            ("(;C[Gr\u{fc}\u{df}e])".as_bytes(), "(;C[Gr\u{fc}\u{df}e])"),
            (b"\xef\xbb\xbfX.", "X."),
            (b"\xff\xfeX\0.\0", "X."),
            // Latin-1, said or not.
            (b"(;CA[ISO-8859-1]C[Gr\xfc\xdfe])", "(;CA[ISO-8859-1]C[Gr\u{fc}\u{df}e])"),
            (b"(;C[Gr\xfc\xdfe])", "(;C[Gr\u{fc}\u{df}e])"),
            (b"(;CA[who knows]C[\xfc])", "(;CA[who knows]C[\u{fc}])"),
            // The second byte of this letter would be a bracket.
            (b"(;CA[Shift_JIS]C[\x83\x5d])", "(;CA[Shift_JIS]C[\u{30be}])"),
            // What claims to be UTF-8 and is not loses only that.
            (b"(;CA[UTF-8]C[\xfc])", "(;CA[UTF-8]C[\u{fffd}])"),
        ] {
            assert_eq!(text(bytes).unwrap(), expected);
        }
        assert!(text(b"PK\0\x03").unwrap_err().to_string().contains("not text"));
    }
}
