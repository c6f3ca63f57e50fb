//! What people read: every transcript in `cmd/` is run and compared.
//! `TRYCMD=overwrite cargo test -p senet-cli --test commands` renews them.

#[test]
fn transcripts_hold() {
    trycmd::TestCases::new().env("NO_COLOR", "1").case("tests/cmd/*.trycmd");
}
