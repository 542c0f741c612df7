//! OBO, off by one: a number, an end of a range or a bound of a temporal operator is decremented or incremented.
//!
//! Not from the papers. Numbers outside of the domain of what they are compared with or assigned to are left out.

use crate::mutate::cx::Cx;
use crate::mutate::mutant::Change;
use crate::mutate::tree::At;
use specwright_model::{Node, Value, Word};

pub(in crate::mutate) fn mutate(cx: &mut Cx<'_>, at: At) {
    match *cx.node(at) {
        Node::Const(Value::Int(number)) => {
            for other in [number.checked_sub(1), number.checked_add(1)].into_iter().flatten() {
                if is_in_domain(cx, at, Value::Int(other)) && keeps_range(cx, at, other) {
                    cx.propose(at, Node::Const(Value::Int(other)), Change::Replace);
                }
            }
        }
        Node::Const(Value::Word(word)) => {
            let largest = if word.signed { Word::mask(word.width) >> 1 } else { Word::mask(word.width) };
            let smallest = if word.signed { largest + 1 } else { 0 };
            for (end, bits) in [(smallest, word.bits.wrapping_sub(1)), (largest, word.bits.wrapping_add(1))] {
                // The largest word would wrap around.
                if word.bits != end {
                    let other = Value::Word(Word::new(word.signed, word.width, bits));
                    cx.propose(at, Node::Const(other), Change::Replace);
                }
            }
        }
        Node::Bounded(op, low, high, a) => {
            for (low, high) in bounds(low, high) {
                cx.propose(at, Node::Bounded(op, low, high, a), Change::Bounds(low, high));
            }
        }
        Node::BoundedUntil(op, low, high, a, b) => {
            for (low, high) in bounds(low, Some(high)) {
                let high = high.unwrap_or(low);
                cx.propose(at, Node::BoundedUntil(op, low, high, a, b), Change::Bounds(low, Some(high)));
            }
        }
        _ => {}
    }
}

/// The bounds with one of them moved by one, as long as the interval is not empty.
fn bounds(low: u64, high: Option<u64>) -> impl Iterator<Item = (u64, Option<u64>)> {
    let lows = [low.checked_sub(1), low.checked_add(1)].into_iter().flatten().map(move |low| (low, high));
    let highs = high.map(|high| [high.checked_sub(1), high.checked_add(1)]).into_iter().flatten().flatten();
    let all = lows.chain(highs.map(move |high| (low, Some(high))));
    all.filter(|(low, high)| high.is_none_or(|high| *low <= high))
}

fn is_in_domain(cx: &Cx<'_>, at: At, value: Value) -> bool {
    cx.domain_at(at).is_none_or(|domain| domain.contains(value))
}

/// Whether a range stays valid with a new end; source ranges have no negative ends.
fn keeps_range(cx: &Cx<'_>, at: At, number: i64) -> bool {
    let Some((parent, ordinal)) = cx.tree.parent(at) else { return true };
    let Node::Range(low, high) = *cx.node(parent) else { return true };
    let other = if ordinal == 0 { high } else { low };
    match cx.model[other] {
        Node::Const(Value::Int(other)) if ordinal == 0 => 0 <= number && number <= other,
        Node::Const(Value::Int(other)) => other <= number,
        _ => false,
    }
}
