//! The symbol table.

use super::ast::Circuit;

/// What is wrong with a symbol.
pub(super) enum Wrong {
    /// The line is no symbol.
    NoSymbol,
    /// The circuit does not have what the symbol is for.
    NoSuch(&'static str),
}

/// Gives a line of the symbol table to what it names, such as `i0 request`.
pub(super) fn assign(circuit: &mut Circuit, line: &str) -> Result<(), Wrong> {
    let (place, name) = line.split_once(' ').ok_or(Wrong::NoSymbol)?;
    let mut chars = place.chars();
    let kind = chars.next().ok_or(Wrong::NoSymbol)?;
    let number: usize = chars.as_str().parse().map_err(|_| Wrong::NoSymbol)?;
    let (what, slot) = match kind {
        'i' => ("input", circuit.inputs.get_mut(number).map(|named| &mut named.name)),
        'l' => ("latch", circuit.latches.get_mut(number).map(|latch| &mut latch.name)),
        'o' => ("output", circuit.outputs.get_mut(number).map(|named| &mut named.name)),
        'b' => ("bad state", circuit.bad.get_mut(number).map(|named| &mut named.name)),
        'c' => ("constraint", circuit.constraints.get_mut(number).map(|named| &mut named.name)),
        'j' => ("justice property", circuit.justice.get_mut(number).map(|justice| &mut justice.name)),
        'f' => ("fairness constraint", circuit.fairness.get_mut(number).map(|named| &mut named.name)),
        _ => return Err(Wrong::NoSymbol),
    };
    *slot.ok_or(Wrong::NoSuch(what))? = Some(name.to_owned());
    Ok(())
}
