//! A statechart as a drawing: boxes within boxes, and arrows in the colours of coverage.

use super::diff::shorten;
use serde::Serialize;

/// Maximal number of states of a chart that is drawn.
const MAX_STATES: usize = 120;
/// Width of a character, height of a line, and distance of boxes, in pixels.
const CHARACTER: f64 = 7.3;
const LINE: f64 = 18.0;
const GAP: f64 = 26.0;
/// Maximal number of characters of a line.
const MAX_LINE: usize = 44;

/// A statechart with what tests reach of it.
#[derive(Clone, Debug, Default)]
pub struct ChartView {
    /// The states, parents before children; the first one is the whole.
    pub states: Vec<ChartState>,
    /// The transitions.
    pub transitions: Vec<ChartTransition>,
}

/// A state of a statechart.
#[derive(Clone, Debug, Default)]
pub struct ChartState {
    /// Its name.
    pub name: String,
    /// The state around it.
    pub parent: Option<usize>,
    /// Whether it starts its parent.
    pub is_initial: bool,
    /// Whether its substates are active together.
    pub is_parallel: bool,
    /// Whether a test reaches it; nothing if that has no meaning.
    pub reached: Option<bool>,
}

/// A transition of a statechart.
#[derive(Clone, Debug, Default)]
pub struct ChartTransition {
    /// The state that it leaves.
    pub source: usize,
    /// The states that it enters.
    pub targets: Vec<usize>,
    /// Its event and what it does.
    pub label: String,
    /// Whether a test takes it.
    pub is_taken: bool,
}

/// The drawing with all coordinates.
#[derive(Serialize)]
pub(super) struct Chart {
    width: String,
    height: String,
    n_taken: usize,
    n_transitions: usize,
    boxes: Vec<StateBox>,
    lines: Vec<Line>,
    arrows: Vec<Arrow>,
}

#[derive(Serialize)]
struct StateBox {
    x: String,
    y: String,
    width: String,
    height: String,
    name: String,
    title: String,
    word: &'static str,
    is_initial: bool,
    is_region: bool,
}

/// A transition as a line of text in the box of its source.
#[derive(Serialize)]
struct Line {
    x: String,
    y: String,
    text: String,
    word: &'static str,
}

#[derive(Serialize)]
struct Arrow {
    path: String,
    word: &'static str,
    title: String,
}

#[derive(Clone, Copy, Default)]
struct Area {
    x: f64,
    y: f64,
    width: f64,
    height: f64,
}

fn px(value: f64) -> String {
    format!("{value:.1}")
}

#[expect(clippy::cast_precision_loss, reason = "a picture has few states and short lines")]
fn real(number: usize) -> f64 {
    number as f64
}

fn cut(text: &str) -> String {
    let mut cut: String = text.chars().take(MAX_LINE).collect();
    if cut.len() < text.len() {
        cut.push('…');
    }
    cut
}

fn word(is_reached: bool) -> &'static str {
    if is_reached { "killed" } else { "survives" }
}

impl Chart {
    pub(super) fn new(view: &ChartView) -> Option<Chart> {
        if view.states.len() < 2 || view.states.len() > MAX_STATES {
            return None;
        }
        let areas = layout(view);
        let boxes = view.states.iter().zip(&areas).skip(1).map(|(state, area)| StateBox {
            x: px(area.x),
            y: px(area.y),
            width: px(area.width),
            height: px(area.height),
            name: cut(&state.name),
            title: match state.reached {
                Some(true) => format!("{}: a test reaches it", shorten(&state.name)),
                Some(false) => format!("{}: no test reaches it", shorten(&state.name)),
                None => shorten(&state.name),
            },
            word: state.reached.map_or("", word),
            is_initial: state.is_initial,
            is_region: state.parent.is_some_and(|parent| view.states[parent].is_parallel),
        });
        let mut lines = Vec::new();
        for (state, area) in areas.iter().enumerate() {
            for (at, text, is_taken) in texts(view, state) {
                lines.push(Line {
                    x: px(area.x + 10.0),
                    y: px(area.y + LINE * real(at + 2)),
                    text,
                    word: word(is_taken),
                });
            }
        }
        let mut arrows = Vec::new();
        for transition in &view.transitions {
            for target in transition.targets.iter().filter(|target| **target != transition.source) {
                arrows.push(Arrow {
                    path: arrow(areas[transition.source], areas[*target]),
                    word: word(transition.is_taken),
                    title: shorten(&transition.label),
                });
            }
        }
        Some(Chart {
            width: px(areas[0].width),
            height: px(areas[0].height),
            n_taken: view.transitions.iter().filter(|transition| transition.is_taken).count(),
            n_transitions: view.transitions.len(),
            boxes: boxes.collect(),
            lines,
            arrows,
        })
    }
}

/// The transitions of a state as lines of text: the number of the line, the text, and whether a test takes it.
fn texts(view: &ChartView, state: usize) -> Vec<(usize, String, bool)> {
    let own = view.transitions.iter().filter(|transition| transition.source == state);
    let line = |(at, transition): (usize, &ChartTransition)| {
        let targets: Vec<&str> = transition.targets.iter().map(|target| &*view.states[*target].name).collect();
        let arrow = if targets.is_empty() { String::new() } else { format!(" → {}", targets.join(", ")) };
        (at, cut(&format!("{}{arrow}", transition.label)), transition.is_taken)
    };
    own.enumerate().map(line).collect()
}

/// The places of all states: children in rows inside of their parents.
fn layout(view: &ChartView) -> Vec<Area> {
    let n = view.states.len();
    let mut areas = vec![Area::default(); n];
    let children = |of: usize| -> Vec<usize> { (0..n).filter(|at| view.states[*at].parent == Some(of)).collect() };
    // Sizes and places inside of the parent: children come after their parents, so they are known first.
    for state in (0..n).rev() {
        let texts = texts(view, state);
        let name = if state == 0 { 0 } else { view.states[state].name.chars().count().min(MAX_LINE) + 4 };
        let longest = texts.iter().map(|(_, text, _)| text.chars().count()).chain([name]).max().unwrap_or(0);
        let own = (CHARACTER * real(longest) + 20.0, LINE * real(texts.len() + 1) + 14.0);
        let inner = children(state);
        let columns = if view.states[state].is_parallel {
            inner.len().min(3)
        } else {
            inner.len().isqrt() + usize::from(inner.len().isqrt().pow(2) < inner.len())
        };
        let (mut x, mut y, mut width, mut row_height) = (GAP, own.1 + 6.0, own.0, 0.0_f64);
        for (at, child) in inner.iter().enumerate() {
            if at > 0 && at % columns.max(1) == 0 {
                (x, y, row_height) = (GAP, y + row_height + GAP, 0.0);
            }
            (areas[*child].x, areas[*child].y) = (x, y);
            x += areas[*child].width + GAP;
            width = width.max(x);
            row_height = row_height.max(areas[*child].height);
        }
        let height = if inner.is_empty() { own.1 } else { y + row_height + GAP };
        (areas[state].width, areas[state].height) = (width, height);
    }
    for state in 1..n {
        let parent = areas[view.states[state].parent.unwrap_or(0)];
        areas[state].x += parent.x;
        areas[state].y += parent.y;
    }
    areas
}

/// An arrow between the borders of two boxes, bent to its right.
fn arrow(from: Area, to: Area) -> String {
    let centre = |area: Area| (area.x + area.width / 2.0, area.y + area.height / 2.0);
    let ((ax, ay), (bx, by)) = (centre(from), centre(to));
    let (dx, dy) = (bx - ax, by - ay);
    let length = dx.hypot(dy).max(1.0);
    // From the centre to the border, in the direction of the other box.
    let reach = |area: Area| {
        let x = if dx == 0.0 { f64::INFINITY } else { area.width / 2.0 / dx.abs() };
        let y = if dy == 0.0 { f64::INFINITY } else { area.height / 2.0 / dy.abs() };
        x.min(y).min(0.5)
    };
    let ((sx, sy), (ex, ey)) =
        ((ax + dx * reach(from), ay + dy * reach(from)), (bx - dx * reach(to), by - dy * reach(to)));
    let (mx, my) = (f64::midpoint(sx, ex) - 16.0 * dy / length, f64::midpoint(sy, ey) + 16.0 * dx / length);
    format!("M{} {}Q{} {} {} {}", px(sx), px(sy), px(mx), px(my), px(ex), px(ey))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn children_are_inside_of_their_parents_and_apart_from_each_other() {
        let state = |name: &str, parent| ChartState { name: name.into(), parent, ..ChartState::default() };
        let states =
            vec![state("m", None), state("a", Some(0)), state("b", Some(0)), state("c", Some(2)), state("d", Some(2))];
        let go = ChartTransition { source: 1, targets: vec![3], label: "GO".into(), is_taken: true };
        let view = ChartView { states, transitions: vec![go] };
        let areas = layout(&view);
        let inside = |inner: Area, outer: Area| {
            inner.x > outer.x
                && inner.y > outer.y
                && inner.x + inner.width < outer.x + outer.width
                && inner.y + inner.height < outer.y + outer.height
        };
        assert!(
            inside(areas[1], areas[0])
                && inside(areas[2], areas[0])
                && inside(areas[3], areas[2])
                && inside(areas[4], areas[2])
        );
        assert!(areas[1].x + areas[1].width < areas[2].x && areas[3].x + areas[3].width < areas[4].x);
        let chart = Chart::new(&view).unwrap();
        assert_eq!((chart.n_taken, chart.n_transitions, chart.arrows.len()), (1, 1, 1));
        assert_eq!(chart.lines[0].text, "GO → c");
        assert!(Chart::new(&ChartView::default()).is_none());
    }
}
