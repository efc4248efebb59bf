//! The values of a polygon file, one after the other.

use super::header::{Header, Kind, Storage};
use crate::DrawingError;
use crate::text::{decode, quoted};

/// Where reading has come to.
pub(super) struct Values<'a> {
    storage: Storage,
    bytes: &'a [u8],
    at: usize,
    /// Of text: the present line and what is left of it.
    line: usize,
    words: std::vec::IntoIter<String>,
}

impl<'a> Values<'a> {
    pub(super) fn new(bytes: &'a [u8], header: &Header) -> Self {
        Self {
            storage: header.storage,
            bytes,
            at: header.end,
            line: header.lines,
            words: Vec::new().into_iter(),
        }
    }

    pub(super) fn is_text(&self) -> bool {
        self.storage == Storage::Text
    }

    /// An error at the present place.
    pub(super) fn fault(&self, message: String) -> DrawingError {
        DrawingError {
            line: self.is_text().then_some(self.line),
            message,
        }
    }

    /// Goes to the next thing: of text, the next line that is not empty.
    pub(super) fn begin(&mut self) -> Result<(), DrawingError> {
        if !self.is_text() {
            return Ok(());
        }
        loop {
            let rest = self.bytes.get(self.at..).unwrap_or_default();
            if rest.is_empty() {
                return Err(self.fault(
                    "the file ends here, but its header states more: it is truncated".into(),
                ));
            }
            let length = rest.iter().position(|&b| b == b'\n').unwrap_or(rest.len());
            self.at += (length + 1).min(rest.len());
            self.line += 1;
            let words: Vec<String> = decode(&rest[..length])
                .split_whitespace()
                .map(str::to_owned)
                .collect();
            if !words.is_empty() {
                self.words = words.into_iter();
                return Ok(());
            }
        }
    }

    /// The next number.
    pub(super) fn next(&mut self, kind: Kind) -> Result<f64, DrawingError> {
        if self.is_text() {
            let Some(word) = self.words.next() else {
                return Err(self.fault("the line has fewer numbers than the header states".into()));
            };
            return word
                .parse()
                .map_err(|_| self.fault(format!("{} is not a number", quoted(&word))));
        }
        Ok(match kind {
            Kind::I8 => f64::from(i8::from_le_bytes(self.take()?)),
            Kind::U8 => f64::from(u8::from_le_bytes(self.take()?)),
            Kind::I16 => f64::from(i16::from_le_bytes(self.take()?)),
            Kind::U16 => f64::from(u16::from_le_bytes(self.take()?)),
            Kind::I32 => f64::from(i32::from_le_bytes(self.take()?)),
            Kind::U32 => f64::from(u32::from_le_bytes(self.take()?)),
            Kind::F32 => f64::from(f32::from_le_bytes(self.take()?)),
            Kind::F64 => f64::from_le_bytes(self.take()?),
        })
    }

    /// The next bytes, the least significant first.
    fn take<const N: usize>(&mut self) -> Result<[u8; N], DrawingError> {
        let Some(bytes) = self.bytes.get(self.at..self.at + N) else {
            return Err(self.fault(format!(
                "the file ends after {} bytes, but its header states more: it is truncated",
                self.bytes.len()
            )));
        };
        self.at += N;
        let mut taken = [0; N];
        taken.copy_from_slice(bytes);
        if self.storage == Storage::BigEndian {
            taken.reverse();
        }
        Ok(taken)
    }
}
