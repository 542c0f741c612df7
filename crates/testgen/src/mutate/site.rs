//! The sites of a model: the expressions that can be mutated.

use specwright_model::model::{AssignKind, DefineId, PropertyKind};
use specwright_model::{Model, SourcedExpr};

/// A top-level expression of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SiteId {
    /// The formula of a property.
    Property(usize),
    /// The body of a define.
    Define(DefineId),
    /// The value of an assignment.
    Assign(usize),
    /// A constraint on initial states.
    Init(usize),
    /// A constraint on steps.
    Trans(usize),
    /// A constraint on states.
    Invar(usize),
    /// A fairness constraint: those of justice, then cause and effect of each of compassion.
    Fairness(usize),
}

impl SiteId {
    /// The expression with its source spans.
    pub fn sourced(self, model: &Model) -> &SourcedExpr {
        match self {
            SiteId::Property(index) => &model.properties[index].formula,
            SiteId::Define(define) => &model[define].body,
            SiteId::Assign(index) => &model.assigns[index].value,
            SiteId::Init(index) => &model.init[index],
            SiteId::Trans(index) => &model.trans[index],
            SiteId::Invar(index) => &model.invar[index],
            SiteId::Fairness(index) => fairness(model).nth(index).expect("a site belongs to its model"),
        }
    }

    /// The expression with its source spans, to be changed.
    pub(super) fn sourced_mut(self, model: &mut Model) -> &mut SourcedExpr {
        match self {
            SiteId::Property(index) => &mut model.properties[index].formula,
            SiteId::Define(define) => &mut model.defines[define.0 as usize].body,
            SiteId::Assign(index) => &mut model.assigns[index].value,
            SiteId::Init(index) => &mut model.init[index],
            SiteId::Trans(index) => &mut model.trans[index],
            SiteId::Invar(index) => &mut model.invar[index],
            SiteId::Fairness(index) => {
                let system = &mut model.system;
                let compassion = system.compassion.iter_mut().flat_map(|(cause, effect)| [cause, effect]);
                system.justice.iter_mut().chain(compassion).nth(index).expect("a site belongs to its model")
            }
        }
    }

    /// Its unique name, if it has one.
    pub fn name(self, model: &Model) -> Option<String> {
        match self {
            SiteId::Property(index) => model.properties[index].name.clone(),
            SiteId::Define(define) => Some(model[define].name.clone()),
            SiteId::Assign(index) => {
                let assign = &model.assigns[index];
                let var = &model[assign.var].name;
                Some(match assign.kind {
                    AssignKind::Always => var.clone(),
                    AssignKind::Init => format!("init({var})"),
                    AssignKind::Next => format!("next({var})"),
                })
            }
            SiteId::Init(_) | SiteId::Trans(_) | SiteId::Invar(_) | SiteId::Fairness(_) => None,
        }
    }

    /// Its kind in SMV.
    pub fn kind(self, model: &Model) -> &'static str {
        match self {
            SiteId::Property(index) => match model.properties[index].kind {
                PropertyKind::Ctl => "CTLSPEC",
                PropertyKind::Ltl => "LTLSPEC",
                PropertyKind::Invar => "INVARSPEC",
                PropertyKind::ComputeMin | PropertyKind::ComputeMax => "COMPUTE",
                PropertyKind::Psl(_) => "PSLSPEC",
            },
            SiteId::Define(_) => "DEFINE",
            SiteId::Assign(_) => "ASSIGN",
            SiteId::Init(_) => "INIT",
            SiteId::Trans(_) => "TRANS",
            SiteId::Invar(_) => "INVAR",
            SiteId::Fairness(index) if index < model.justice.len() => "JUSTICE",
            SiteId::Fairness(_) => "COMPASSION",
        }
    }

    /// Whether it is a property, not a part of the machine.
    pub fn is_property(self) -> bool {
        matches!(self, SiteId::Property(_))
    }
}

/// The properties that can be mutated. A `COMPUTE` claims nothing.
pub(super) fn properties(model: &Model) -> Vec<SiteId> {
    let properties = model.properties.iter().enumerate();
    properties.filter(|(_, property)| property.kind.is_claim()).map(|(index, _)| SiteId::Property(index)).collect()
}

/// The fairness constraints: those of justice, then cause and effect of each of compassion.
fn fairness(model: &Model) -> impl Iterator<Item = &SourcedExpr> {
    model.justice.iter().chain(model.compassion.iter().flat_map(|(cause, effect)| [cause, effect]))
}

/// The sites of the machine, in source order.
pub(super) fn machine(model: &Model, with_fairness: bool) -> Vec<SiteId> {
    let mut sites: Vec<SiteId> = (0..model.defines.len() as u32).map(DefineId).map(SiteId::Define).collect();
    sites.extend((0..model.assigns.len()).map(SiteId::Assign));
    sites.extend((0..model.init.len()).map(SiteId::Init));
    sites.extend((0..model.trans.len()).map(SiteId::Trans));
    sites.extend((0..model.invar.len()).map(SiteId::Invar));
    if with_fairness {
        sites.extend((0..fairness(model).count()).map(SiteId::Fairness));
    }
    // An expression that lowering has wrapped has its span further in.
    let place = |site: &SiteId| site.sourced(model).spans.iter().copied().find(|span| span.is_some());
    sites.sort_by_cached_key(|site| (place(site).map(|span| (span.start, span.end)), *site));
    sites
}
