//! The papers: published values beside what Pessoi computed, as `pessoi reproduce` shows them.
//!
//! Nothing is computed here: what is shown comes from stored runs. Each question is given both as
//! it is typed and as the API takes it, so that a page can lead to it.

use std::collections::BTreeMap;

use pessoi::{Budget, Catalogue, Run, Setting};
use pessoi_reproduce::{PaperReport, Report, Runs, Spend};
use serde::Serialize;

use crate::asking::{Asking, Limit};
use crate::refusal::Refusal;

/// A paper by its name and what stands on its first page.
#[derive(Serialize)]
pub(crate) struct Named {
    name: String,
    title: String,
    authors: String,
    year: u32,
}

/// All papers.
pub(crate) fn list() -> Result<Vec<Named>, Refusal> {
    let papers = pessoi_reproduce::papers(None)?.into_iter();
    let named = papers.map(|paper| Named {
        name: paper.name,
        title: paper.title,
        authors: paper.authors,
        year: paper.year,
    });
    Ok(named.collect())
}

/// A paper, table by table and value by value.
#[derive(Serialize)]
pub(crate) struct Shown {
    #[serde(flatten)]
    paper: PaperReport,
    /// The questions of its values, by how they are typed.
    questions: BTreeMap<String, Asking>,
}

/// The paper of this name.
pub(crate) fn paper(catalogue: &Catalogue, name: &str) -> Result<Shown, Refusal> {
    let Ok(papers) = pessoi_reproduce::papers(Some(name)) else {
        return Err(Refusal::not_found("such paper").of("paper"));
    };
    let (stored, run) = (Runs::built_in()?, Run::new(Budget::default()));
    // No question is asked, so no date is noted.
    let Report { mut papers, .. } =
        pessoi_reproduce::reproduce(catalogue, &papers, None, Spend::Nothing, &stored, "", &run)?;
    let Some(paper) = papers.pop() else {
        return Err(Refusal::not_found("such paper").of("paper"));
    };
    let asks = paper.tables.iter().flat_map(|table| &table.lines).flat_map(|line| &line.ask);
    // A question for a method that this catalogue lacks, such as a graph database, is only text.
    let questions = asks.filter_map(|ask| Some((ask.clone(), asking(catalogue, ask)?)));
    let questions = questions.collect();
    Ok(Shown { paper, questions })
}

fn asking(catalogue: &Catalogue, ask: &str) -> Option<Asking> {
    let (question, seed) = pessoi_reproduce::question(catalogue, ask).ok()?;
    let seed = seed.map(|seed| (Limit::Seed, Setting::Text(seed.to_string())));
    Some(Asking { question, limits: seed.into_iter().collect() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_paper_is_shown_and_its_questions_can_be_asked() {
        let catalogue = Catalogue::standard();
        let names: Vec<String> = list().unwrap().into_iter().map(|paper| paper.name).collect();
        assert_eq!(names, ["diplomatico", "knight", "hex", "go"]);
        for name in names {
            let shown = paper(&catalogue, &name).unwrap();
            let lines: Vec<_> = shown.paper.tables.iter().flat_map(|table| &table.lines).collect();
            assert!(lines.len() > 50, "{name}");
            let asked = lines.iter().flat_map(|line| &line.ask);
            let lost = asked.filter(|ask| !shown.questions.contains_key(*ask)).count();
            assert!(lost * 20 < lines.len(), "{name}: {lost} questions cannot be read");
        }
        assert!(paper(&catalogue, "chess").is_err());
    }
}
