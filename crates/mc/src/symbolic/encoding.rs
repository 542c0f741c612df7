//! The encoding: bits for variables, their order, and the machine as diagrams.

pub(crate) mod encoded;
pub(crate) mod layout;
pub(crate) mod machine;
pub(crate) mod order;
