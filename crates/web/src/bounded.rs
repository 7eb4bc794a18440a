//! Bytes that are written into memory, so many at most.
//!
//! What is written for a client is counted against the memory that all who are answered at one
//! time have in common, from when it is written until the client has read it.

use std::io::{self, Write};

use axum::body::Bytes;
use pessoi::{Claim, Error, Run, Stop};

use crate::refusal::Refusal;

/// A writer into memory that is full at some point.
pub(crate) struct Bounded {
    bytes: Vec<u8>,
    most: u64,
    claim: Claim,
    full: Option<Full>,
}

/// Why no more is taken.
enum Full {
    /// So many bytes are the most.
    Size,
    /// There is no memory for more.
    Memory(Stop),
}

impl Bounded {
    /// Nothing yet, and at most so many bytes, which are claimed from the memory of the run.
    pub(crate) fn new(most: u64, run: &Run) -> Self {
        Bounded { bytes: Vec::new(), most, claim: run.claim(), full: None }
    }

    /// What was written; the sentence is for who wrote too much.
    pub(crate) fn end(mut self, too_much: &str) -> Result<Written, Refusal> {
        match self.full {
            Some(Full::Size) => Err(Error::unsupported("question", too_much).into()),
            Some(Full::Memory(stop)) => Err(Error::from(stop).into()),
            None => {
                self.bytes.shrink_to_fit();
                // It is smaller than before, which is never refused.
                let _ = self.claim.grow_to(self.bytes.len() as u64);
                Ok(Written { bytes: self.bytes, _claim: self.claim })
            }
        }
    }

    fn take(&mut self, more: usize) -> Result<(), Full> {
        let needed = self.bytes.len() as u64 + more as u64;
        if needed > self.most {
            return Err(Full::Size);
        }
        // A vector that grows is there twice for a moment.
        if 2 * needed > self.claim.bytes() {
            self.claim.grow_to(4 * needed).map_err(Full::Memory)?;
        }
        Ok(())
    }
}

impl Write for Bounded {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.full.is_none() {
            self.full = self.take(bytes.len()).err();
        }
        if self.full.is_some() {
            // Whoever writes ends, as for a reader who went away.
            return Err(io::ErrorKind::BrokenPipe.into());
        }
        self.bytes.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// What was written, and the memory for it.
pub(crate) struct Written {
    bytes: Vec<u8>,
    _claim: Claim,
}

impl AsRef<[u8]> for Written {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

impl Written {
    /// The same as the body of a response; its memory is given back when it was sent.
    pub(crate) fn into_body(self) -> Bytes {
        Bytes::from_owner(self)
    }
}

/// Counts the bytes that are written to it.
#[derive(Default)]
pub(crate) struct Count(pub(crate) u64);

impl Write for Count {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pessoi::{Budget, Memory};

    #[test]
    fn what_is_written_is_counted_until_it_is_read() {
        let memory = Memory::new(10_000);
        let run = || Run::sharing(Budget::default(), &memory);
        let mut out = Bounded::new(1500, &run());
        out.write_all(&[7; 1000]).unwrap();
        let body = out.end("").unwrap().into_body();
        assert_eq!((body.len(), memory.bytes()), (1000, 1000));
        let mut long = Bounded::new(1500, &run());
        long.write_all(&[7; 1000]).unwrap();
        assert!(long.write_all(&[7; 501]).is_err());
        assert_eq!(long.end("Too much.").err().unwrap().status(), 422);
        let mut two = [Bounded::new(5000, &run()), Bounded::new(5000, &run())];
        let _full = two.each_mut().map(|out| out.write_all(&[7; 2000]));
        let [first, second] = two;
        assert!(first.end("").is_ok());
        assert_eq!(second.end("").err().unwrap().status(), 503);
        drop(body);
        assert_eq!(memory.bytes(), 0);
    }
}
