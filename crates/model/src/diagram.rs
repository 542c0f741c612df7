//! The drawing of a specification that is a diagram: states within states, and transitions between them.

use crate::expr::ExprId;
use std::fmt::Write;

/// A diagram. The first state is the whole.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Diagram {
    /// The states, parents before children.
    pub states: Vec<DiagramState>,
    /// The transitions, in source order.
    pub transitions: Vec<DiagramTransition>,
}

/// A state of a diagram.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DiagramState {
    /// Its name.
    pub name: String,
    /// The state around it.
    pub parent: Option<usize>,
    /// How it is drawn.
    pub kind: DiagramStateKind,
    /// The state where it starts, or where a history state leads by default.
    pub initial: Option<usize>,
    /// Whether it is active; nothing for those that never are.
    pub active: Option<ExprId>,
}

/// How a state is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DiagramStateKind {
    /// A box, around its substates if it has any.
    Plain,
    /// A box whose substates are active together.
    Parallel,
    /// An end.
    Final,
    /// What was active last.
    History {
        /// Whether all descendants are remembered, not only the children.
        deep: bool,
    },
}

/// A transition of a diagram.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DiagramTransition {
    /// The state that it leaves.
    pub source: usize,
    /// The states that it enters; none if it changes no state.
    pub targets: Vec<usize>,
    /// Its event, guard and actions, as they are written in short.
    pub label: String,
    /// The name of its element for coverage criteria.
    pub element: String,
    /// The conditions under which a step takes it.
    pub taken: Vec<ExprId>,
}

impl Diagram {
    /// The children of a state.
    pub fn children(&self, of: usize) -> impl Iterator<Item = usize> {
        self.states.iter().enumerate().filter(move |(_, state)| state.parent == Some(of)).map(|(at, _)| at)
    }

    /// The diagram as a state diagram of Mermaid.
    pub fn mermaid(&self) -> String {
        let mut lines = vec!["stateDiagram-v2".to_owned()];
        if !self.states.is_empty() {
            self.add_content(0, 1, &mut lines);
        }
        for transition in &self.transitions {
            let targets = if transition.targets.is_empty() { &[transition.source][..] } else { &transition.targets };
            for target in targets {
                lines.push(format!("  s{} --> s{target} : {}", transition.source, escaped(&transition.label)));
            }
        }
        lines.join("\n") + "\n"
    }

    /// Adds what is inside of a state. The depth is that of the states, which readers limit.
    fn add_content(&self, of: usize, depth: usize, lines: &mut Vec<String>) {
        let pad = "  ".repeat(depth);
        let state = &self.states[of];
        if let Some(initial) = state.initial {
            lines.push(format!("{pad}[*] --> s{initial}"));
        }
        for (number, child) in self.children(of).enumerate() {
            let node = &self.states[child];
            if number > 0 && state.kind == DiagramStateKind::Parallel {
                lines.push(format!("{pad}--"));
            }
            let name = match node.kind {
                DiagramStateKind::History { deep: true } => "H*".to_owned(),
                DiagramStateKind::History { deep: false } => "H".to_owned(),
                _ => escaped(&node.name),
            };
            lines.push(format!("{pad}state \"{name}\" as s{child}"));
            if self.children(child).next().is_some() {
                lines.push(format!("{pad}state s{child} {{"));
                self.add_content(child, depth + 1, lines);
                lines.push(format!("{pad}}}"));
            }
            match (node.kind, node.initial) {
                (DiagramStateKind::Final, _) => lines.push(format!("{pad}s{child} --> [*]")),
                (DiagramStateKind::History { .. }, Some(initial)) => {
                    lines.push(format!("{pad}s{child} --> s{initial}"));
                }
                _ => {}
            }
        }
    }
}

/// A text that Mermaid shows as it is: everything that could act is written by its number.
fn escaped(text: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || " ._-()=+*/,".contains(c);
    let mut shown = String::new();
    for c in text.chars() {
        if is_plain(c) {
            shown.push(c);
        } else {
            let _ = write!(shown, "#{};", u32::from(c));
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_are_nested_and_text_cannot_act() {
        let state =
            |name: &str, parent, kind, initial| DiagramState { name: name.into(), parent, kind, initial, active: None };
        let plain = DiagramStateKind::Plain;
        let diagram = Diagram {
            states: vec![
                state("m", None, plain, Some(1)),
                state("a\"\n", Some(0), plain, None),
                state("p", Some(0), DiagramStateKind::Parallel, None),
                state("x", Some(2), plain, None),
                state("y", Some(2), DiagramStateKind::Final, None),
            ],
            transitions: vec![DiagramTransition {
                source: 1,
                targets: vec![2],
                label: "GO [a < 3]".into(),
                element: String::new(),
                taken: Vec::new(),
            }],
        };
        let expected = "stateDiagram-v2
  [*] --> s1
  state \"a#34;#10;\" as s1
  state \"p\" as s2
  state s2 {
    state \"x\" as s3
    --
    state \"y\" as s4
    s4 --> [*]
  }
  s1 --> s2 : GO #91;a #60; 3#93;
";
        assert_eq!(diagram.mermaid(), expected);
    }
}
