//! The keys of assessments.

use super::table::table;
use super::values::words;
use crate::assessment::Scaling;
use crate::fault::{Faults, Trail};
use crate::spec::{AssessmentSpec, CapacitySpec, FloorSpec, HazardSpec, SiteSpec};
use drystone_keys::{Node, Value};

use super::table::Decode;

table!(AssessmentSpec {
    name: required,
    pushover: optional,
    capacity: optional,
    code: required,
    site: optional,
    damage: optional,
    life_safety: optional,
    behaviour_factor: optional,
    confidence_factor: optional,
    floor: optional,
    scaling: optional,
} besides "kind");

table!(CapacitySpec {
    alpha_0: required,
    alpha_y: optional,
    d_y: optional,
    d_0: optional,
    participation: required,
    gamma: optional,
    curve: optional,
    period_life_safety: optional,
});

table!(SiteSpec {
    soil: optional,
    soil_factor: optional,
    topography: optional,
    spectrum_type: optional,
});

table!(HazardSpec {
    ag: required,
    f0: optional,
    tc_star: optional,
    damping: optional,
});

table!(FloorSpec {
    z: required,
    height: required,
    period: required,
    storeys: optional,
    modes: optional,
    damping: optional,
});

words!(Scaling { "capacity" => Capacity, "demand" => Demand });
