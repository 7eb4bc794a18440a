//! Errors are sentences: what was wrong, where, and what is accepted.

use std::fmt;

/// Why a question could not be taken, or what went wrong inside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Error {
    /// The user's input cannot be used; the sentence says what is accepted.
    Input(String),
    /// The program contradicted itself, so its result must not be trusted.
    Internal(String),
}

/// A result whose error is a sentence.
pub type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    /// An error in what the user gave.
    pub fn input(sentence: impl Into<String>) -> Self {
        Error::Input(sentence.into())
    }

    /// A contradiction inside the program.
    pub fn internal(sentence: impl Into<String>) -> Self {
        Error::Internal(sentence.into())
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Input(sentence) => f.write_str(sentence),
            Error::Internal(sentence) => {
                write!(f, "Pessoi contradicted itself, please report it: {sentence}")
            }
        }
    }
}

impl std::error::Error for Error {}
