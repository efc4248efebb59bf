//! Every format in and out: earthquake records, tables, motion files, checkpoints
