//! Thresholds of scores, as Stryker has them: `high`, `low` and `break`.

/// Thresholds in percent.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Thresholds {
    /// Scores from here on are high.
    pub high: Option<f64>,
    /// Scores below are low.
    pub low: Option<f64>,
    /// Scores below fail: `break`.
    pub least: Option<f64>,
}

/// Where a score is among the thresholds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Band {
    /// At or above `high`.
    High,
    /// Between the two.
    Medium,
    /// Below `low`.
    Low,
}

impl Band {
    /// The band as users read it.
    pub fn word(self) -> &'static str {
        match self {
            Band::High => "high",
            Band::Medium => "medium",
            Band::Low => "low",
        }
    }
}

impl Thresholds {
    /// Thresholds from text: `high=80,low=60,break=50`, each of which may be missing.
    pub fn parse(text: &str) -> Result<Thresholds, String> {
        let mut thresholds = Thresholds::default();
        for part in text.split(',').map(str::trim).filter(|part| !part.is_empty()) {
            let (name, number) =
                part.split_once('=').ok_or_else(|| format!("`{part}` is not of the form name=number"))?;
            let number = parse_percent(number.trim())?;
            let place = match name.trim() {
                "high" => &mut thresholds.high,
                "low" => &mut thresholds.low,
                "break" => &mut thresholds.least,
                other => return Err(format!("unknown threshold `{other}`: use high, low or break")),
            };
            if place.replace(number).is_some() {
                return Err(format!("`{}` is given twice", name.trim()));
            }
        }
        let Thresholds { high, low, .. } = thresholds;
        match (high, low) {
            (Some(high), Some(low)) if low > high => Err(format!("low ({low}) is above high ({high})")),
            _ => Ok(thresholds),
        }
    }

    /// Where a score is; nothing without thresholds. A threshold that is missing is as the other one.
    pub fn band(&self, percent: f64) -> Option<Band> {
        let high = self.high.or(self.low)?;
        let low = self.low.or(self.high)?;
        Some(match percent {
            _ if percent >= high => Band::High,
            _ if percent < low => Band::Low,
            _ => Band::Medium,
        })
    }
}

/// A percentage between 0 and 100.
pub fn parse_percent(text: &str) -> Result<f64, String> {
    let number: f64 = text.parse().map_err(|_| format!("`{text}` is not a number"))?;
    if (0.0..=100.0).contains(&number) { Ok(number) } else { Err("a percentage is between 0 and 100".to_owned()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thresholds_are_those_of_stryker() {
        let thresholds = Thresholds::parse("high=80, low=60,break=50").expect("it is well formed");
        assert_eq!(thresholds, Thresholds { high: Some(80.0), low: Some(60.0), least: Some(50.0) });
        let band = |score: f64| thresholds.band(score).map(Band::word);
        assert_eq!(
            [band(80.0), band(79.9), band(60.0), band(59.9)],
            [Some("high"), Some("medium"), Some("medium"), Some("low")]
        );
        assert_eq!(Thresholds::default().band(50.0), None);
    }

    #[test]
    fn mistakes_in_thresholds_are_named() {
        for (text, part) in [
            ("hi=8", "`hi`"),
            ("high", "`high`"),
            ("low=x", "`x`"),
            ("low=101", "between"),
            ("low=70,high=60", "above"),
            ("low=NaN", "between"),
            ("low=1,low=2", "twice"),
        ] {
            let error = Thresholds::parse(text).err().unwrap_or_default();
            assert!(error.contains(part), "{text}: {error}");
        }
    }
}
