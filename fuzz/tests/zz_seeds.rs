use pessoi::{Budget, Catalogue, Question, Run, Store, Verb};
use std::time::Duration;
#[test]
fn seeds() {
    let asked = |verb, game: &str, place: &str, method: &str| {
        Question::new(verb, game, place).unwrap().with("method", method)
    };
    let questions = [
        ("branch", asked(Verb::Count, "wazir-tours", "4x4", "branch").with("closed", true)),
        ("classes", asked(Verb::Count, "wazir-tours", "3x3", "search").with("classes", true)),
        ("loops", asked(Verb::Count, "king-loops", "5", "orderly")),
        ("doubling", asked(Verb::Count, "knight-loops", "8", "doubling")),
        ("find", asked(Verb::Find, "knight-tours", "4x4", "backtrack")),
        ("estimate", asked(Verb::Estimate, "wazir-tours", "4x4", "knuth").with("samples", 5)),
        ("explore", asked(Verb::Explore, "square-slide", "2x2", "plain").with("holes", "1")),
        ("components", asked(Verb::Count, "square-slide", "2x2", "plain").with("holes", "1")),
    ];
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/ledger");
    std::fs::create_dir_all(&folder).unwrap();
    let catalogue = Catalogue::standard();
    for (name, question) in questions {
        let mut sizes = std::collections::BTreeSet::new();
        let mut kept = 0;
        for looks in 1..400u32 {
            let path = folder.join("tmp");
            let _ = std::fs::remove_file(&path);
            let look = Duration::from_secs(1);
            let time = Some(look * looks);
            let run = Run::stepping(Budget { time, ..Budget::default() }, look)
                .with_store(Store::open(&path).unwrap());
            let answer = catalogue.answer(&question, &run).unwrap();
            drop(run);
            if let Ok(bytes) = std::fs::read(&path) {
                if bytes.len() <= 4096 && sizes.insert(bytes.len()) && kept < 4 {
                    kept += 1;
                    std::fs::write(folder.join(format!("{name}-{looks}")), &bytes).unwrap();
                }
                println!("{name} {looks} {}", bytes.len());
            }
            let _ = std::fs::remove_file(&path);
            if answer.value.stop().is_none() {
                break;
            }
        }
    }
}
