//! Charts: the state graph of a small machine, and scores over time.

use super::diff::shorten;
use serde::Serialize;
use specwright_testgen::grade::Group;
use std::f64::consts::TAU;

/// Maximal number of states of a graph that is drawn; larger ones are unreadable.
pub const MAX_STATES: usize = 12;
/// Radius of the circle of states for each state, and size of the drawing around it, in pixels.
const RADIUS: f64 = 34.0;
const MARGIN: f64 = 120.0;
/// Height of the plot of scores, and distance of its points, in pixels.
const PLOT: f64 = 140.0;
const STEP: f64 = 84.0;

/// The machine of a small model, with the share of inputs that tests try on each edge.
#[derive(Clone, Debug, Default)]
pub struct StateGraphView {
    /// The states.
    pub states: Vec<String>,
    /// The initial states.
    pub initial: Vec<usize>,
    /// From, to, and how many of the inputs that lead from one to the other are covered.
    pub edges: Vec<(usize, usize, Group)>,
}

/// The score of an earlier report.
#[derive(Clone, Debug)]
pub struct ScoreView {
    /// The date, or another label.
    pub label: String,
    /// The score.
    pub score: Group,
}

/// A state graph with all coordinates: states on a circle.
#[derive(Serialize)]
pub(super) struct StateGraph {
    width: String,
    /// Where the drawing begins; there is nothing above.
    top: String,
    height: String,
    covered: usize,
    total: usize,
    states: Vec<Dot>,
    edges: Vec<Curve>,
}

#[derive(Serialize)]
struct Dot {
    x: String,
    y: String,
    label: String,
    title: String,
    is_initial: bool,
}

#[derive(Serialize)]
struct Curve {
    path: String,
    x: String,
    y: String,
    label: String,
    word: &'static str,
    title: String,
}

/// A coordinate, always in the same number of digits.
fn px(value: f64) -> String {
    format!("{value:.1}")
}

#[expect(clippy::cast_precision_loss, reason = "a picture has few states and points")]
fn real(number: usize) -> f64 {
    number as f64
}

impl StateGraph {
    pub(super) fn new(view: &StateGraphView) -> Option<StateGraph> {
        let n = view.states.len();
        if n == 0 || n > MAX_STATES {
            return None;
        }
        let radius = if n == 1 { 0.0 } else { (RADIUS * real(n)).max(90.0) };
        let (cx, cy) = (radius + MARGIN + 40.0, radius + MARGIN - 40.0);
        let place = |state: usize| {
            let angle = TAU * real(state) / real(n) + TAU / 2.0;
            (cx + radius * angle.cos(), cy + radius * angle.sin())
        };
        let (mut top, mut bottom) = (f64::INFINITY, f64::NEG_INFINITY);
        let mut cover = |low: f64, high: f64| (top, bottom) = (top.min(low), bottom.max(high));
        let mut states = Vec::with_capacity(n);
        for (at, name) in view.states.iter().enumerate() {
            let (x, y) = place(at);
            cover(y - 20.0, y + 40.0);
            states.push(Dot {
                x: px(x),
                y: px(y),
                label: label(name),
                title: shorten(name),
                is_initial: view.initial.contains(&at),
            });
        }
        let mut edges = Vec::with_capacity(view.edges.len());
        for (from, to, share) in &view.edges {
            let ((ax, ay), (bx, by)) = (place(*from), place(*to));
            let (path, x, y) = if from == to {
                // A loop, away from the centre.
                let (dx, dy) = if radius == 0.0 { (0.0, -1.0) } else { ((ax - cx) / radius, (ay - cy) / radius) };
                let (px_, py_) = (-dy, dx);
                let tip = |side: f64| (ax + 62.0 * dx + side * 30.0 * px_, ay + 62.0 * dy + side * 30.0 * py_);
                let foot = |side: f64| (ax + 12.0 * dx + side * 9.0 * px_, ay + 12.0 * dy + side * 9.0 * py_);
                let ((fx, fy), (gx, gy)) = (foot(-1.0), foot(1.0));
                let ((tx, ty), (ux, uy)) = (tip(-1.0), tip(1.0));
                cover(ty.min(uy), ty.max(uy));
                let path =
                    format!("M{} {}C{} {} {} {} {} {}", px(fx), px(fy), px(tx), px(ty), px(ux), px(uy), px(gx), px(gy));
                (path, ax + 60.0 * dx, ay + 60.0 * dy)
            } else {
                // Both directions bend to their right, so they do not overlap.
                let (dx, dy) = (bx - ax, by - ay);
                let length = dx.hypot(dy).max(1.0);
                let (ux, uy) = (dx / length, dy / length);
                let (mx, my) = (f64::midpoint(ax, bx) - 34.0 * uy, f64::midpoint(ay, by) + 34.0 * ux);
                let (sx, sy, ex, ey) = (ax + 14.0 * ux, ay + 14.0 * uy, bx - 16.0 * ux, by - 16.0 * uy);
                let path = format!("M{} {}Q{} {} {} {}", px(sx), px(sy), px(mx), px(my), px(ex), px(ey));
                cover(my - 4.0, my + 4.0);
                (path, f64::midpoint(f64::midpoint(ax, bx), mx), f64::midpoint(f64::midpoint(ay, by), my))
            };
            let word = match share.reached {
                0 => "survives",
                reached if reached == share.total => "killed",
                _ => "unknown",
            };
            let counted = format!("{}/{}", share.reached, share.total);
            let title = format!(
                "{} → {}: tests try {} of {} inputs",
                shorten(&view.states[*from]),
                shorten(&view.states[*to]),
                share.reached,
                share.total
            );
            edges.push(Curve { path, x: px(x), y: px(y + 4.0), label: counted, word, title });
        }
        Some(StateGraph {
            width: px(2.0 * cx),
            top: px(top),
            height: px(bottom - top),
            covered: view.edges.iter().map(|(_, _, share)| share.reached).sum(),
            total: view.edges.iter().map(|(_, _, share)| share.total).sum(),
            states,
            edges,
        })
    }
}

/// The name of a state, as short as its circle needs it.
fn label(name: &str) -> String {
    let mut label: String = name.chars().take(28).collect();
    if label.len() < name.len() {
        label.push('…');
    }
    label
}

/// Scores as a line, from left to right.
#[derive(Serialize)]
pub(super) struct History {
    width: String,
    height: String,
    line: String,
    grid: Vec<(String, &'static str)>,
    points: Vec<Point>,
}

#[derive(Serialize)]
struct Point {
    x: String,
    y: String,
    label: String,
    percent: String,
    reached: usize,
    total: usize,
}

impl History {
    pub(super) fn new(scores: &[ScoreView]) -> Option<History> {
        let top = 24.0;
        let y = |share: f64| top + PLOT * (1.0 - share);
        let points: Vec<(f64, f64, &ScoreView)> = scores
            .iter()
            .enumerate()
            .filter(|(_, entry)| entry.score.total > 0)
            .map(|(at, entry)| (56.0 + STEP * real(at), y(real(entry.score.reached) / real(entry.score.total)), entry))
            .collect();
        let last = points.last()?.0;
        let line: Vec<String> = points.iter().map(|(x, y, _)| format!("{},{}", px(*x), px(*y))).collect();
        let point = |(x, y, entry): &(f64, f64, &ScoreView)| {
            let tenths = entry.score.reached * 1000 / entry.score.total;
            Point {
                x: px(*x),
                y: px(*y),
                label: shorten(&entry.label),
                percent: format!("{}.{} %", tenths / 10, tenths % 10),
                reached: entry.score.reached,
                total: entry.score.total,
            }
        };
        Some(History {
            width: px(last + 60.0),
            height: px(top + PLOT + 40.0),
            line: line.join(" "),
            grid: [(0.0, "0 %"), (0.5, "50 %"), (1.0, "100 %")].map(|(share, name)| (px(y(share)), name)).into(),
            points: points.iter().map(point).collect(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_graph_counts_the_inputs_that_tests_try() {
        let share = |reached, total| Group { reached, total };
        let edges = vec![(0, 0, share(1, 2)), (0, 1, share(2, 2)), (1, 0, share(0, 2))];
        let view = StateGraphView { states: vec!["down".into(), "up".into()], initial: vec![0], edges };
        let graph = StateGraph::new(&view).unwrap();
        assert_eq!((graph.covered, graph.total), (3, 6));
        assert_eq!(graph.edges.iter().map(|edge| edge.word).collect::<Vec<_>>(), ["unknown", "killed", "survives"]);
        assert!(graph.states[0].is_initial && !graph.states[1].is_initial);
        let many = StateGraphView { states: vec!["s".into(); MAX_STATES + 1], ..view };
        assert!(StateGraph::new(&many).is_none());
    }

    #[test]
    fn scores_without_goals_are_no_points() {
        let entry = |label: &str, reached, total| ScoreView { label: label.into(), score: Group { reached, total } };
        let history = History::new(&[entry("a", 1, 2), entry("b", 0, 0), entry("c", 2, 3)]).unwrap();
        let points: Vec<_> =
            history.points.iter().map(|point| (point.label.as_str(), point.percent.as_str())).collect();
        assert_eq!(points, [("a", "50.0 %"), ("c", "66.6 %")]);
        assert!(History::new(&[entry("b", 0, 0)]).is_none());
    }
}
