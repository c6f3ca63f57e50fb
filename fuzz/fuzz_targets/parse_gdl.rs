//! Any bytes can be read. What was read can be printed and read back, laid out and scrambled.

#![no_main]

use libfuzzer_sys::fuzz_target;
use senet_gdl::{canonical, format, parse, parse_bytes, scramble};

fuzz_target!(|bytes: &[u8]| {
    let description = parse_bytes(bytes);
    let text = &description.text;
    for found in description.findings() {
        for label in found.labels.iter().chain([&found.primary]) {
            assert!(text.get(label.span.range()).is_some(), "a place outside of the text: {found:?}");
        }
    }

    let printed = description.to_text();
    let again = parse(&printed);
    assert_eq!(again.findings(), [], "what was printed is refused\n{printed}");
    assert_eq!(again.to_text(), printed);

    let scrambled = scramble(&description, bytes.len() as u64);
    let renamed = parse(&scrambled.text);
    assert_eq!(renamed.findings(), [], "what was scrambled is refused\n{}", scrambled.text);
    assert_eq!(renamed.to_text(), scrambled.text);
    assert_eq!(renamed.clauses.len(), description.clauses.len());

    if let Some(once) = format(text) {
        assert_eq!(parse(&once).to_text(), printed, "another layout, another meaning:\n{once}");
        assert_eq!(format(&once).as_ref(), Some(&once), "laying out twice");
    }

    if let Ok(once) = canonical(text) {
        assert_eq!(canonical(&once).as_ref(), Ok(&once));
    }
});
