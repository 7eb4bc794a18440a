//! Graph databases from outside: with the feature `graph`, and without it.

mod harness;

use harness::Scratch;

#[cfg(not(feature = "graph"))]
#[test]
fn what_was_not_built_is_refused() {
    let scratch = Scratch::new();
    for (args, about) in [
        ("find diplomatico 4x5 --method cypher-constructive", "--method"),
        ("find diplomatico 4x5 --db boards.db", "--db"),
        ("graph load diplomatico 4x5 --db boards.db", "--features graph"),
        ("graph tables", "--features graph"),
    ] {
        let outcome = scratch.pessoi(args);
        assert_eq!(outcome.code, Some(2), "{outcome:?}");
        assert!(outcome.err.contains(about), "{outcome:?}");
        assert!(scratch.files().is_empty());
    }
}

#[test]
fn options_that_mean_nothing_are_refused() {
    let scratch = Scratch::new();
    for (args, about) in [
        ("find diplomatico 4x5 --method cypher-raw --explain", "--explain"),
        ("graph tables --repeats 0", "--repeats"),
        ("graph list --db boards.db --format svg", "text, json"),
        ("graph load", "Usage: pessoi graph load"),
        ("graph load nonsense 4x5 --db boards.db", "nonsense"),
    ] {
        let outcome = scratch.pessoi(args);
        assert_eq!(outcome.code, Some(2), "{args}: {outcome:?}");
        assert!(outcome.err.contains(about) && outcome.out.is_empty(), "{args}: {outcome:?}");
        assert!(scratch.files().is_empty(), "{args}");
    }
}

#[cfg(feature = "graph")]
mod built {
    use super::*;

    fn says(scratch: &Scratch, args: &str, code: i32, about: &str) -> String {
        let outcome = scratch.pessoi(args);
        assert_eq!(outcome.code, Some(code), "{args}: {outcome:?}");
        let said = if code == 2 { &outcome.err } else { &outcome.out };
        assert!(said.contains(about), "{args}: {outcome:?}");
        if code == 2 {
            assert!(said.starts_with("error: ") && said.lines().count() == 1, "{args}: {said}");
        }
        outcome.out
    }

    #[test]
    fn answers_are_ordinary_ones() {
        let scratch = Scratch::new();
        says(
            &scratch,
            "count diplomatico 4x5 --directed --method cypher-constructive",
            0,
            "144 directed open paths, exactly",
        );
        says(
            &scratch,
            "find diplomatico 4x5 --from 1,1 --to 4,5 --method cypher-constructive --db embedded",
            1,
            "there are no open paths numbered as asked",
        );
        says(
            &scratch,
            "find diplomatico 4x5 --method cypher-raw --all --format json -o a.json",
            0,
            "",
        );
        says(&scratch, "verify a.json", 0, "72 paths are as asked");
        says(
            &scratch,
            "count diplomatico 6x6 --method cypher-constructive --time 300ms",
            3,
            "gave up",
        );
    }

    #[test]
    fn a_file_of_boards() {
        let scratch = Scratch::new();
        let load = "graph load diplomatico 4x5 --db boards.db";
        says(&scratch, load, 0, "20 nodes and 50 moves written to grafeo");
        says(&scratch, load, 0, "already in");
        says(&scratch, &format!("{load} --solutions"), 0, "72 solutions written");
        says(&scratch, "graph load square-slide 2x2 --db boards.db", 0, "written");
        says(&scratch, "graph list --db boards.db", 0, "diplomatico 4x5");
        says(&scratch, "graph list --db boards.db --format json", 0, "\"diplomatico 4x5\"");
        says(&scratch, "graph query degree diplomatico 4x5 --db boards.db", 0, "moves  nodes");
        says(&scratch, "graph query shared-moves diplomatico 4x5 --db boards.db", 0, "solutions");
        says(&scratch, "graph query degree diplomatico 4x5 --db boards.db --explain", 0, ":params");
        says(
            &scratch,
            "count diplomatico 4x5 --method cypher-constructive --db boards.db",
            0,
            "72 undirected open paths, exactly",
        );
        says(&scratch, "graph drop diplomatico 4x5 --db boards.db", 0, "20 nodes dropped");
        says(&scratch, "graph drop diplomatico 4x5 --db boards.db", 2, "There is no board");
        says(
            &scratch,
            "graph query degrees diplomatico 4x5 --db boards.db",
            2,
            "did you mean degree?",
        );
        assert_eq!(scratch.files(), ["boards.db"]);
    }

    #[test]
    fn bad_input() {
        let scratch = Scratch::new();
        scratch.write("letter.txt", "Dear friend");
        for (args, about) in [
            ("graph load diplomatico 4x5 --db letter.txt", "not a database"),
            ("graph load diplomatico 4x5 --db embedded", "keeps nothing"),
            ("graph list --db missing.db", "There is no database"),
            ("graph list --db http://localhost", "neo4j://localhost:7687"),
            ("graph list --db neo4j://neo4j:hunter2@localhost", "PESSOI_NEO4J_PASSWORD"),
            ("graph list --db bolt://127.0.0.1:1", "No Neo4j server answers"),
            ("find diplomatico 4x5 --method cypher-apoc", "APOC"),
            ("find diplomatico 4x5 --method cypher-raw --closed", "--closed"),
            ("find diplomatico 4x5 --db boards.db", "cypher-raw"),
            ("count diplomatico 4x5 --method branch --db boards.db", "cypher-raw"),
            ("graph tables --only V", "1, 2, 3, 4"),
        ] {
            says(&scratch, args, 2, about);
            assert!(!scratch.pessoi(args).err.contains("hunter2"));
            assert_eq!(scratch.files(), ["letter.txt"]);
        }
        assert_eq!(scratch.read("letter.txt"), "Dear friend");
    }

    #[test]
    fn files_for_an_import() {
        let scratch = Scratch::new();
        says(
            &scratch,
            "graph bulk diplomatico 5x5 --output import",
            0,
            "neo4j-admin database import full",
        );
        assert_eq!(std::fs::read_dir(scratch.path("import")).unwrap().count(), 4);
    }

    #[test]
    fn queries_are_shown() {
        let scratch = Scratch::new();
        let server = "--db neo4j://localhost";
        let shown = says(
            &scratch,
            &format!("plan find diplomatico 4x5 --method cypher-raw {server}"),
            0,
            "MOVE*19",
        );
        assert!(shown.contains("by cypher-raw"), "{shown}");
        assert!(shown.contains(":params {board: 'diplomatico 4x5', limit: 1}\nMATCH"), "{shown}");
        let apoc = format!("plan count diplomatico 4x5 --method cypher-apoc {server}");
        says(&scratch, &apoc, 0, "NODE_PATH");
        says(&scratch, "plan count diplomatico 4x5 --method cypher-raw", 0, "ACYCLIC");
        says(&scratch, "plan count diplomatico 4x5 --method cypher-apoc", 2, "APOC");
        assert!(scratch.files().is_empty());
    }

    #[test]
    fn tables_are_measured() {
        let scratch = Scratch::new();
        let said = says(&scratch, "graph tables --only 3 --repeats 1 --time 1s", 0, "Table 3");
        assert!(said.contains("over (s)") && said.contains("16.6208"), "{said}");
        assert!(said.contains("28") && said.contains("count branch"), "{said}");
    }

    /// On the server of the Bolt tests, where there is one.
    #[test]
    fn a_real_server() {
        let Ok(db) = std::env::var("PESSOI_TEST_NEO4J") else {
            assert!(
                std::env::var_os("PESSOI_TEST_NEO4J_REQUIRED").is_none(),
                "a server is required, and PESSOI_TEST_NEO4J does not name one"
            );
            eprintln!("skipped: PESSOI_TEST_NEO4J names no server");
            return;
        };
        let scratch = Scratch::new();
        let named = "--name from-outside";
        says(
            &scratch,
            &format!("graph load diplomatico 4x5 {named} --db {db}"),
            0,
            "written to Neo4j",
        );
        says(
            &scratch,
            &format!("count diplomatico 4x5 --directed --method cypher-apoc {named} --db {db}"),
            0,
            "144 directed open paths, exactly",
        );
        says(&scratch, &format!("graph drop from-outside --db {db}"), 0, "20 nodes dropped");
        let wrong = scratch
            .command(&["graph", "list", "--db", &db])
            .env("PESSOI_NEO4J_PASSWORD", "guess-again")
            .output()
            .unwrap();
        let err = String::from_utf8(wrong.stderr).unwrap();
        assert_eq!(wrong.status.code(), Some(2), "{err}");
        assert!(err.contains("PESSOI_NEO4J_PASSWORD") && !err.contains("guess-again"), "{err}");
    }
}
