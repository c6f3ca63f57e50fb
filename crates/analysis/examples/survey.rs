//! Checks every rulesheet below a directory and counts the findings by code.
//!
//! `cargo run --release -p senet-analysis --example survey -- DIRECTORY [CODE]`
//!
//! With a code, prints each of its findings instead.

#![allow(clippy::print_stdout)]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

fn main() -> std::io::Result<()> {
    let mut args = std::env::args().skip(1);
    let directory = args.next().unwrap_or_else(|| ".".to_owned());
    let wanted = args.next();
    let mut files = Vec::new();
    collect(Path::new(&directory), &mut files)?;
    files.sort();
    let mut counts: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    let mut stratifications: BTreeMap<String, usize> = BTreeMap::new();
    let mut n_with_auxiliaries = 0;
    let mut spent = Duration::ZERO;
    for file in &files {
        let bytes = std::fs::read(file)?;
        let start = Instant::now();
        let (description, syntax) = senet_gdl::parse_bytes(&bytes);
        let analysis = senet_analysis::analyze(&description, syntax, false);
        spent += start.elapsed();
        let lines = senet_gdl::LineIndex::new(&description.text);
        let mut found_here: BTreeMap<&str, usize> = BTreeMap::new();
        for found in &analysis.diagnostics {
            *found_here.entry(found.code.id).or_default() += 1;
            if wanted.as_deref() == Some(found.code.id) {
                let (line, column) = lines.line_column(&description.text, found.primary.span.start);
                let help = found.help.as_deref().unwrap_or_default();
                println!("{}:{line}:{column}: {} ({help})", file.display(), found.message);
            }
        }
        for (code, count) in found_here {
            let (n_findings, n_files) = counts.entry(code).or_default();
            *n_findings += count;
            *n_files += 1;
        }
        let has_auxiliary = |program: &senet_analysis::Program| {
            program.relations().iter().any(|relation| relation.is_auxiliary)
        };
        n_with_auxiliaries += usize::from(analysis.program.as_ref().is_some_and(has_auxiliary));
        let outcome = match &analysis.program {
            Some(program) => format!("{:?}", program.stratification()),
            None => "refused".to_owned(),
        };
        *stratifications.entry(outcome).or_default() += 1;
    }
    if wanted.is_none() {
        for (code, (n_findings, n_files)) in counts {
            println!("{code} {n_findings:6} findings in {n_files:4} files");
        }
        println!("{stratifications:?}, {n_with_auxiliaries} with auxiliary relations");
        println!("{} files in {:.3} s", files.len(), spent.as_secs_f64());
    }
    Ok(())
}

fn collect(directory: &Path, files: &mut Vec<PathBuf>) -> std::io::Result<()> {
    for entry in std::fs::read_dir(directory)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, files)?;
        } else if path.extension().is_some_and(|extension| extension == "kif" || extension == "gdl") {
            files.push(path);
        }
    }
    Ok(())
}
