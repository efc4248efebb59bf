//! What people see of an answer: figures as data, the report that opens in a browser, pictures as PNG.

pub mod figure;
pub mod render;
pub mod report;
