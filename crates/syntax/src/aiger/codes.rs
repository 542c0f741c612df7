//! Diagnostic codes of AIGER circuits. The meaning of a code never changes.

use crate::diagnostic::Code;

/// A header that is not one of AIGER.
pub const BAD_HEADER: Code = Code("AIG001");
/// A line with too few, too many or malformed numbers.
pub const BAD_LINE: Code = Code("AIG002");
/// A literal above the limit that the header gives.
pub const LARGE_LITERAL: Code = Code("AIG003");
/// A literal that cannot be defined: a constant or an inverted one.
pub const BAD_DEFINITION: Code = Code("AIG004");
/// A variable that is defined twice.
pub const DUPLICATE: Code = Code("AIG005");
/// A literal whose variable nothing defines.
pub const UNDEFINED: Code = Code("AIG006");
/// Gates that depend on each other in a circle.
pub const CIRCULAR: Code = Code("AIG007");
/// A reset value that is neither 0 nor 1 nor the latch.
pub const BAD_RESET: Code = Code("AIG008");
/// A circuit that is larger than the limit.
pub const TOO_LARGE: Code = Code("AIG009");
/// A symbol for something that the circuit does not have.
pub const BAD_SYMBOL: Code = Code("AIG010");
