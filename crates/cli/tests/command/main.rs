//! The whole program, as people and scripts call it.

mod assessing;
mod benching;
mod campaigns;
mod converting;
mod earthquakes;
mod exporting;
mod faults;
mod fragilities;
mod interrupting;
mod kit;
mod motions;
mod rendering;
mod running;
mod soundness;
mod starting;
mod statics;
mod steps;
mod talking;
mod watching;
