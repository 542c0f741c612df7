//! A machine beside other machines that differ from it in a few places.

pub(crate) mod danger;
pub(crate) mod variant;
