//! The narrow waist: a typed model that every language lowers to and every engine consumes.
#![forbid(unsafe_code)]
