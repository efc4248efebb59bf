//! A document as the steps that can be run.

use std::fs;
use std::path::{Path, PathBuf};

use crate::check::Check;
use crate::commands::{self, Outcome};
use crate::compare;

/// One command of a `console` fence with the output shown.
#[derive(Clone, Debug)]
pub struct Shown {
    /// Line of the command, counted from one.
    pub line: usize,
    pub command: String,
    pub output: Vec<String>,
}

#[derive(Clone, Debug)]
pub enum Step {
    File {
        name: String,
        text: String,
    },
    Console {
        shown: Vec<Shown>,
        slow: bool,
    },
    Run {
        line: usize,
        command: String,
        slow: bool,
    },
    Check {
        line: usize,
        check: Check,
        /// The paragraph or table above.
        text: String,
        slow: bool,
    },
}

impl Step {
    pub fn is_slow(&self) -> bool {
        match self {
            Step::File { .. } => false,
            Step::Console { slow, .. } | Step::Run { slow, .. } | Step::Check { slow, .. } => *slow,
        }
    }
}

#[derive(Clone, Debug)]
pub struct Page {
    pub name: String,
    pub steps: Vec<Step>,
    /// Output outside of `console` fences, as complaints.
    pub strays: Vec<String>,
    root: PathBuf,
}

/// What the comments before a fence say of it.
#[derive(Default)]
struct Marks {
    file: Option<String>,
    slow: bool,
}

impl Page {
    pub fn read(root: &Path, name: &str) -> Self {
        let text =
            fs::read_to_string(root.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
        let mut page = Self {
            name: name.to_owned(),
            steps: Vec::new(),
            strays: Vec::new(),
            root: root.to_owned(),
        };
        page.parse(&text);
        page
    }

    fn parse(&mut self, text: &str) {
        let mut lines = text.lines().zip(1..);
        let mut marks = Marks::default();
        let mut above = String::new();
        let mut ended = true;
        while let Some((line, number)) = lines.next() {
            if let Some(language) = line.trim_start().strip_prefix("```") {
                let content: Vec<(&str, usize)> = lines
                    .by_ref()
                    .take_while(|(line, _)| line.trim() != "```")
                    .collect();
                self.fence(language, &content, std::mem::take(&mut marks));
                ended = true;
            } else if let Some(opened) = line.strip_prefix("<!--") {
                let mut comment = opened.to_owned();
                while !comment.contains("-->") {
                    let (more, _) = lines.next().unwrap_or_else(|| {
                        panic!("{}:{number}: a comment does not end", self.name)
                    });
                    comment.push('\n');
                    comment.push_str(more);
                }
                let comment = comment.split("-->").next().unwrap_or_default();
                self.comment(comment.trim(), number, &above, &mut marks);
                ended = true;
            } else if line.trim().is_empty() {
                ended = true;
            } else {
                if std::mem::take(&mut ended) {
                    above.clear();
                }
                above.push_str(line);
                above.push('\n');
            }
        }
        assert!(
            marks.file.is_none() && !marks.slow,
            "{}: a mark without a fence",
            self.name
        );
    }

    fn fence(&mut self, language: &str, content: &[(&str, usize)], marks: Marks) {
        if let Some(name) = marks.file {
            let text = content.iter().flat_map(|(line, _)| [line, "\n"]).collect();
            self.steps.push(Step::File { name, text });
            return;
        }
        let mut shown: Vec<Shown> = Vec::new();
        for &(line, number) in content {
            if language != "console" {
                if line.starts_with("$ ") {
                    self.strays.push(format!(
                        "{}:{number}: a fence of output is marked `console`",
                        self.name
                    ));
                }
            } else if let Some(command) = line.strip_prefix("$ ") {
                shown.push(Shown {
                    line: number,
                    command: command.to_owned(),
                    output: Vec::new(),
                });
            } else {
                let last = shown.last_mut();
                let last = last
                    .unwrap_or_else(|| panic!("{}:{number}: output before a command", self.name));
                last.output.push(line.trim_end().to_owned());
            }
        }
        if language == "console" {
            let slow = marks.slow;
            self.steps.push(Step::Console { shown, slow });
        }
    }

    fn comment(&mut self, comment: &str, line: usize, above: &str, marks: &mut Marks) {
        let (slow, body) = match comment.strip_prefix("slow") {
            Some(rest) => (true, rest.trim_start()),
            None => (false, comment),
        };
        if slow && body.is_empty() {
            marks.slow = true;
        } else if let Some(name) = body.strip_prefix("file:") {
            marks.file = Some(name.trim().to_owned());
        } else if let Some(commands) = body.strip_prefix("run:") {
            for command in commands
                .lines()
                .map(str::trim)
                .filter(|line| !line.is_empty())
            {
                let command = command.to_owned();
                self.steps.push(Step::Run {
                    line,
                    command,
                    slow,
                });
            }
        } else if let Some(checks) = body.strip_prefix("check:") {
            for check in checks
                .lines()
                .map(str::trim)
                .filter(|line| !line.is_empty())
            {
                let check = Check::parse(check)
                    .unwrap_or_else(|error| panic!("{}:{line}: {error}", self.name));
                let text = above.to_owned();
                self.steps.push(Step::Check {
                    line,
                    check,
                    text,
                    slow,
                });
            }
        } else {
            let mark = body.split_whitespace().next().unwrap_or_default();
            assert!(
                !slow && !mark.ends_with(':'),
                "{}:{line}: `{mark}` is no mark that this test knows",
                self.name
            );
        }
    }

    pub fn has_slow_steps(&self) -> bool {
        self.steps.iter().any(Step::is_slow)
    }

    /// Runs the page in a folder of its own; the complaints. Slow steps are left out unless asked for.
    pub fn run(&self, slow: bool) -> Vec<String> {
        if self.steps.is_empty() {
            return Vec::new();
        }
        let folder = tempfile::tempdir().unwrap();
        copy(&self.root.join("examples"), &folder.path().join("examples"));
        let mut complaints = Vec::new();
        let mut printed = Vec::new();
        for step in self.steps.iter().filter(|step| slow || !step.is_slow()) {
            match step {
                Step::File { name, text } => fs::write(folder.path().join(name), text).unwrap(),
                Step::Run { line, command, .. } => match commands::run(command, folder.path()) {
                    Outcome::Failed(output) => {
                        complaints.push(format!(
                            "{}:{line}: `{command}` failed:\n{output}",
                            self.name
                        ));
                    }
                    Outcome::Done(_) | Outcome::Skipped => {}
                },
                Step::Check {
                    line, check, text, ..
                } => {
                    if let Err(error) = check.judge(folder.path(), text) {
                        complaints.push(format!("{}:{line}: {error}", self.name));
                    }
                }
                Step::Console { shown, .. } => {
                    for shown in shown {
                        let output = match commands::run(&shown.command, folder.path()) {
                            Outcome::Skipped => continue,
                            Outcome::Done(output) | Outcome::Failed(output) => output,
                        };
                        if let Some(difference) = compare::difference(&shown.output, &output) {
                            let (name, line) = (&self.name, shown.line);
                            complaints
                                .push(format!("{name}:{line}: `{}`\n{difference}", shown.command));
                            printed.push((shown, output));
                        }
                    }
                }
            }
        }
        if std::env::var_os("DRYSTONE_UPDATE_PAGES").is_some() {
            self.update(&printed);
        }
        complaints
    }

    /// Replaces the output shown by what was printed, but for output of which a part is left out.
    fn update(&self, printed: &[(&Shown, String)]) {
        let path = self.root.join(&self.name);
        let text = fs::read_to_string(&path).unwrap();
        let mut lines: Vec<&str> = text.lines().collect();
        for (shown, output) in printed.iter().rev() {
            if !shown.output.iter().any(|line| line == compare::LEFT_OUT) {
                lines.splice(shown.line..shown.line + shown.output.len(), output.lines());
            }
        }
        fs::write(&path, lines.join("\n") + "\n").unwrap();
    }
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let to = to.join(entry.file_name());
        match entry.file_type().unwrap().is_dir() {
            // What somebody ran in the folder of an example.
            true if entry.file_name() == "results" => {}
            true => copy(&entry.path(), &to),
            false => {
                fs::copy(entry.path(), to).unwrap();
            }
        }
    }
}
