//! Suites as text that people write, review and keep under version control: a block for each test, a line for each
//! state, only what changes.
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
//! Without `departure` it is the last state of a test to be rejected that is wrong.
//! What the first state does not name is left open too. Inputs belong to the step that leaves a state, so the last state
//! of a test without a loop has only those that its line names. A comment behind a state says why the state is there and is
//! kept; all others are for the reader of the file.

mod line;
mod read;
mod write;

pub use read::read_text;
pub use write::write_text;
