//! The SMV language, as NuSMV 2.6 takes it and as it was written in 1999.

pub mod ast;
pub mod codes;
