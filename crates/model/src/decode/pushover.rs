//! The keys of a pushover.

use super::table::table;
use crate::spec::{ControlSpec, PushoverSpec};

table!(ControlSpec {
    block: required,
    point: optional,
});

table!(PushoverSpec {
    name: required,
    direction: optional,
    pattern: optional,
    loads: optional,
    control: optional,
    controls: optional,
    control_direction: optional,
    step: optional,
    max_displacement: optional,
    joints: optional,
    increments: optional,
} besides "kind");
