//! Where text goes: to the terminal or a pipe, or into memory until it can be shown.

use anstream::stream::{AsLockedWrite, RawStream};
use anstream::{AutoStream, ColorChoice};
use std::io::{self, Write};

/// A stream that a console writes to.
pub enum Stream<S: RawStream> {
    /// Shown at once.
    Live(AutoStream<S>),
    /// Kept, with or without colours.
    Kept { text: Vec<u8>, styled: bool },
}

impl<S: RawStream> Stream<S> {
    /// Whether colours are wanted.
    pub fn is_styled(&self) -> bool {
        match self {
            Stream::Live(stream) => stream.current_choice() != ColorChoice::Never,
            Stream::Kept { styled, .. } => *styled,
        }
    }

    /// An empty one in memory.
    pub fn kept(styled: bool) -> Stream<S> {
        Stream::Kept { text: Vec::new(), styled }
    }
}

impl<S: RawStream + AsLockedWrite> Write for Stream<S> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Stream::Live(stream) => stream.write(bytes),
            Stream::Kept { text, .. } => text.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Stream::Live(stream) => stream.flush(),
            Stream::Kept { .. } => Ok(()),
        }
    }
}
