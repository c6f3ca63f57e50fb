//! What is written can be read back, and nothing that is read makes the reader fall over.

use proptest::prelude::*;
use senet_gdl::{canonical, format, parse, parse_bytes, scramble};
use std::collections::HashMap;

/// Any word but a connective, in any case.
fn name() -> impl Strategy<Value = String> {
    prop_oneof![
        prop::sample::select(vec![
            "role", "true", "Cell", "CELL", "x", "01", "1", "-2", "1+", "#", "é", "random", "<", "=>"
        ])
        .prop_map(str::to_owned),
        "[a-zA-Z+*'\"!$-][a-zA-Z0-9_?<=-]{0,8}",
    ]
    .prop_filter("connectives are no names", |name| {
        !["not", "or", "and", "distinct", "<="].contains(&name.to_ascii_lowercase().as_str())
    })
}

fn term() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![3 => name(), 2 => "\\?[a-zA-Z0-9+]{0,3}", 1 => Just("not".to_owned())];
    leaf.prop_recursive(4, 16, 3, |inner| {
        (name(), prop::collection::vec(inner, 0..4)).prop_map(|(name, args)| list(&name, &args))
    })
}

fn list(name: &str, parts: &[String]) -> String {
    let parts = parts.iter().map(|part| [" ", part].concat());
    ["(", name].into_iter().map(str::to_owned).chain(parts).chain([")".to_owned()]).collect()
}

fn atom() -> impl Strategy<Value = String> {
    prop_oneof![
        1 => name(),
        3 => (name(), prop::collection::vec(term(), 0..4)).prop_map(|(name, args)| list(&name, &args)),
    ]
}

fn formula() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        4 => atom(),
        1 => [term(), term()].prop_map(|terms| list("Distinct", &terms)),
    ];
    leaf.prop_recursive(3, 10, 3, |inner| {
        prop_oneof![
            [inner.clone()].prop_map(|part| list("not", &part)),
            prop::collection::vec(inner.clone(), 0..4).prop_map(|parts| list("OR", &parts)),
            prop::collection::vec(inner, 0..4).prop_map(|parts| list("and", &parts)),
        ]
    })
}

fn clause() -> impl Strategy<Value = String> {
    let rule = (atom(), prop::collection::vec(formula(), 0..5)).prop_map(|(head, mut body)| {
        body.insert(0, head);
        list("<=", &body)
    });
    prop_oneof![1 => atom(), 2 => rule]
}

/// A rulesheet without errors, in some layout, with comments.
fn rulesheet() -> impl Strategy<Value = String> {
    let gap = prop::sample::select(vec![
        " ",
        "\n",
        "\r\n",
        "\r",
        "\t",
        "\n\n\n",
        " ; (a comment\n",
        ";;\r",
        "\n; é ) ?x\n\n",
    ]);
    prop::collection::vec((clause(), gap), 0..8)
        .prop_map(|clauses| clauses.into_iter().map(|(clause, gap)| clause + gap).collect())
}

/// Text that is mostly parentheses, words and comments.
fn noise() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        4 => prop::sample::select(vec!["(", ")", "(", ")", " ", "\n", "\r", ";", "(<= ", "?x", "not", "(or", ":-", "\u{feff}", "\u{fffd}"]).prop_map(str::to_owned),
        1 => "\\PC{0,6}",
        1 => "[a-c ]{1,60}",
    ];
    prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

/// Parentheses and words in order, comments apart.
fn tokens(text: &str) -> (Vec<String>, Vec<String>) {
    let (mut words, mut comments) = (Vec::new(), Vec::new());
    for line in text.split(['\n', '\r']) {
        let (code, comment) =
            line.split_once(';').map_or((line, None), |(code, comment)| (code, Some(comment)));
        comments.extend(comment.map(|comment| comment.trim_end().to_owned()));
        let spaced = code.replace('\u{feff}', " ").replace('(', " ( ").replace(')', " ) ");
        words.extend(spaced.split_whitespace().map(str::to_owned));
    }
    (words, comments)
}

/// The canonical text of a form that has no errors: the next one of `words`.
fn canonical_form(words: &mut impl Iterator<Item = String>) -> String {
    let first = words.next().expect("forms are whole").to_ascii_lowercase();
    if first != "(" {
        return first;
    }
    let mut parts = Vec::new();
    loop {
        match canonical_form(words) {
            end if end == ")" => break,
            part => parts.push(part),
        }
    }
    match &parts[..] {
        [name] if name != "or" && name != "and" => name.clone(),
        [rule, head] if rule == "<=" => head.clone(),
        [name, args @ ..] => list(name, args),
        [] => unreachable!("lists have names"),
    }
}

/// Formats what can be formatted and checks what formatting promises.
fn check_format(text: &str) -> Result<(), TestCaseError> {
    let Some(once) = format(text) else { return Ok(()) };
    prop_assert_eq!(tokens(&once), tokens(text), "{}", once);
    prop_assert_eq!(format(&once), Some(once.clone()), "the second time is different");
    let (before, after) = (parse(text), parse(&once));
    prop_assert_eq!(after.to_text(), before.to_text());
    prop_assert_eq!(after.findings().len(), before.findings().len());
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn printing_and_reading_is_the_identity(text in rulesheet()) {
        let description = parse(&text);
        prop_assert_eq!(description.findings(), []);
        let printed = description.to_text();
        let mut words = tokens(&text).0.into_iter().peekable();
        for clause in printed.lines() {
            prop_assert_eq!(clause, canonical_form(&mut words));
        }
        prop_assert_eq!(words.peek(), None);
        let again = parse(&printed);
        prop_assert_eq!(again.findings(), []);
        prop_assert_eq!(again.to_text(), printed);
        let names = |description: &senet_gdl::Description| -> Vec<_> {
            description.symbols.symbols().map(|symbol| description.name(symbol).to_owned()).collect()
        };
        prop_assert_eq!(names(&again), names(&description), "names in order of first occurrence");
    }

    #[test]
    fn any_bytes_can_be_read(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        let description = parse_bytes(&bytes);
        let printed = description.to_text();
        let again = parse(&printed);
        prop_assert_eq!(again.findings(), []);
        prop_assert_eq!(again.to_text(), printed);
    }

    #[test]
    fn any_text_can_be_read(text in noise()) {
        let description = parse(&text);
        for found in description.findings() {
            prop_assert!(text.get(found.primary.span.range()).is_some(), "{:?}", found);
        }
        let printed = description.to_text();
        let again = parse(&printed);
        prop_assert_eq!(again.findings(), [], "{:?}", printed);
        prop_assert_eq!(again.to_text(), printed);
    }

    #[test]
    fn formatting_keeps_the_words_and_is_done_once(text in prop_oneof![rulesheet(), noise()]) {
        check_format(&text)?;
    }

    #[test]
    fn canonical_text_is_its_own_canonical_text(text in prop_oneof![term(), noise()]) {
        if let Ok(once) = canonical(&text) {
            prop_assert_eq!(canonical(&once), Ok(once));
        }
    }

    #[test]
    fn scrambling_can_be_taken_back(text in rulesheet(), seed: u64) {
        let description = parse(&text);
        let scrambled = scramble(&description, seed);
        let renamed = parse(&scrambled.text);
        prop_assert_eq!(renamed.findings(), []);
        prop_assert_eq!(renamed.to_text(), scrambled.text.as_str());
        let mut back = HashMap::new();
        for (name, new_name) in &scrambled.names {
            prop_assert!(description.symbols.get(new_name).is_none(), "{} is a name of the game", new_name);
            prop_assert!(back.insert(new_name.as_str(), name.as_str()).is_none(), "{} is given twice", new_name);
        }
        let original = description.to_text();
        let taken_back: Vec<String> = tokens(&scrambled.text).0
            .iter()
            .map(|word| back.get(word.as_str()).map_or(word.clone(), |&name| name.to_owned()))
            .collect();
        prop_assert_eq!(taken_back, tokens(&original).0);
    }
}
