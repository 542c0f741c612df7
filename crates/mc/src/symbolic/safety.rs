//! Safety: a mutant of the machine in the same encoding, and where it could break a safety property.

pub(crate) mod danger;
pub(crate) mod variant;
