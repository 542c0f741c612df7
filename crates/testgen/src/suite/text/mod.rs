//! Suites as text, for people and version control: a block for each test, a line for each state, changes only.
//!
//! ```text
//! model pump sw1:6c62272e07bb014262b821756295c58d     -- optional
//!
//! test restart expect accept                            -- `expect accept` may be left out
//!   covers ORO-3fa91c07, SNO-0b12aa55                   -- any number of such lines
//!   mode = off, level = 2                               -- the first state
//!   loop                                                -- the next state follows the last one
//!   mode = on                                           -- what is not named stays
//!   .                                                   -- nothing changes
//!   level = ?                                           -- left open, until it is given again
//!
//! test runaway expect reject
//!   mode = off
//!   departure                                           -- no right implementation goes to the next state
//!   mode = on
//! ```
//!
//! Without `departure` the last state of a negative test is the departure. Variables that the first state does not name
//! have no values. Inputs belong to the step from a state, so the last state of a test without a loop has only those
//! that its line names. A comment after a state is its note and is kept; all other comments are dropped.

mod line;
mod read;
mod write;

pub use read::read_text;
pub use write::write_text;
