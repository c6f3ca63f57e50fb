//! `senet engine` as another program sees it: the real binary, real pipes.

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

struct Engine {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

impl Engine {
    fn start(arguments: &[&str]) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_senet"))
            .arg("engine")
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let input = child.stdin.take();
        let output = BufReader::new(child.stdout.take().expect("a pipe"));
        Self { child, input, output }
    }

    fn send(&mut self, line: &[u8]) {
        let input = self.input.as_mut().expect("the pipe is open");
        input.write_all(line).and_then(|()| input.write_all(b"\n")).expect("the program reads");
    }

    fn read(&mut self) -> Value {
        let mut line = String::new();
        self.output.read_line(&mut line).expect("the program answers");
        serde_json::from_str(&line).expect("an answer is one line of JSON")
    }

    fn ask(&mut self, request: &Value) -> Value {
        self.send(request.to_string().as_bytes());
        self.read()
    }

    fn code(&mut self, request: &Value) -> String {
        self.ask(request)["error"]["code"].as_str().expect("an error").to_owned()
    }

    fn play(&mut self, x: &str, o: &str) -> Value {
        self.ask(&json!({"op": "play", "moves": {"x": x, "o": o}}))
    }

    /// Closes the pipe: the rest of the output and the exit status.
    fn end(mut self) -> (String, Option<i32>) {
        drop(self.input.take());
        let mut rest = String::new();
        self.output.read_to_string(&mut rest).expect("the output ends");
        (rest, self.child.wait().expect("the program ends").code())
    }
}

#[test]
fn a_match_from_start_to_end() {
    let mut engine = Engine::start(&["tic-tac-toe", "--engine", "reference"]);
    let info = engine.ask(&json!({"op": "info"}));
    assert_eq!(info, json!({"name": "tic-tac-toe", "roles": ["x", "o"], "engine": "reference"}));
    let start = engine.ask(&json!({"op": "new"}));
    assert_eq!(start["state"].as_array().unwrap().len(), 10);
    assert_eq!(start["legal"]["o"], json!(["noop"]));
    assert_eq!(start["terminal"], false);
    for (x, o) in
        [("( MARK 1 1 )", "(noop)"), ("noop", "(mark 2 1)"), ("(Mark 1 2)", "NOOP"), ("noop", "(mark 2 2)")]
    {
        assert_eq!(engine.play(x, o)["terminal"], false);
    }
    let end = engine.play("(mark 1 3)", "noop");
    assert_eq!((&end["terminal"], &end["legal"]), (&json!(true), &json!({})));
    assert_eq!(end["goals"], json!({"x": 100, "o": 0}));
    assert_eq!(engine.code(&json!({"op": "play", "moves": {"x": "noop", "o": "noop"}})), "terminal");
    assert_eq!(engine.ask(&json!({"op": "undo"}))["terminal"], false);
    assert_eq!(engine.ask(&json!({"op": "new"})), start);
    assert_eq!(engine.code(&json!({"op": "undo"})), "nothing-to-undo");
    engine.send(br#"{"op":"quit"}"#);
    assert_eq!(engine.end(), (String::new(), Some(0)));
}

#[test]
fn an_error_leaves_the_position_as_it_was() {
    let mut engine = Engine::start(&["tic-tac-toe"]);
    let before = engine.play("(mark 2 2)", "noop");
    let play = |moves: Value| json!({"op": "play", "moves": moves});
    for (request, code) in [
        (play(json!({"x": "noop", "o": "(mark 2 2)"})), "illegal-move"),
        (play(json!({"x": "noop", "o": "(mark"})), "illegal-move"),
        (play(json!({"x": "noop"})), "missing-move"),
        (play(json!({"x": "noop", "o": "(mark 1 1)", "z": "noop"})), "unknown-role"),
        (play(json!({"x": 1, "o": "(mark 1 1)"})), "bad-request"),
        (play(json!({"x": "noop", "X": "noop", "o": "(mark 1 1)"})), "bad-request"),
        (json!({"op": "play"}), "bad-request"),
        (json!({"op": "plai"}), "bad-request"),
        (json!(["op"]), "bad-request"),
        (json!({"op": "set"}), "bad-request"),
        (json!({"op": "set", "state": [1]}), "bad-request"),
        (json!({"op": "set", "state": ["(cell ?x 1 b)"]}), "bad-state"),
        (json!({"op": "playouts", "count": -1}), "bad-request"),
    ] {
        assert_eq!(engine.code(&request), code, "{request}");
    }
    for line in [&b"{"[..], b"\xff\xfe", b"{\"op\":\"new\"", &[b'['; 100_000]] {
        engine.send(line);
        assert_eq!(engine.read()["error"]["code"], "bad-json");
    }
    engine.send(b"");
    let after = engine.play("noop", "(mark 1 1)");
    assert_eq!(engine.ask(&json!({"op": "undo"})), before);
    assert_ne!(after, before);
    assert_eq!(engine.end().1, Some(0));
}

#[test]
fn any_facts_can_be_set_and_clear_the_history() {
    let mut engine = Engine::start(&["tic-tac-toe"]);
    engine.play("(mark 1 1)", "noop");
    let position = engine.ask(
        &json!({"op": "set", "state": ["( control  O )", "(cell 1 1 b)", "(cell 1 1 B)", "(new fact)"]}),
    );
    assert_eq!(position["state"], json!(["(cell 1 1 b)", "(control o)", "(new fact)"]));
    assert_eq!(position["legal"], json!({"x": ["noop"], "o": ["(mark 1 1)"]}));
    assert_eq!(engine.code(&json!({"op": "undo"})), "nothing-to-undo");
}

#[test]
fn a_position_can_be_set_where_the_initial_one_contradicts_itself() {
    let folder = std::env::temp_dir().join(format!("senet-paradox-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("paradox.kif");
    let rules = "(role x) (init (p 1)) (legal x a) (<= terminal (true (p 1)) (not terminal)) (goal x 0)
        (<= (next ?f) (true ?f))";
    std::fs::write(&path, rules).unwrap();
    let mut engine = Engine::start(&[path.to_str().unwrap()]);
    assert_eq!(engine.code(&json!({"op": "new"})), "negative-cycle");
    assert_eq!(engine.ask(&json!({"op": "set", "state": ["(p 2)"]}))["terminal"], false);
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn a_seed_decides_the_playouts() {
    let ask = |seed: u64| {
        let mut engine = Engine::start(&["breakthrough-6x6"]);
        engine.ask(&json!({"op": "playouts", "count": 5, "seed": seed}))
    };
    let first = ask(1);
    assert_eq!(first, ask(1));
    assert_ne!(first, ask(2));
    assert_eq!((&first["playouts"], &first["cut"]), (&json!(5), &json!(0)));
    assert_eq!(first["mean_length"].as_f64().unwrap() * 5.0, first["states"].as_f64().unwrap());
}

#[test]
fn a_refused_rulesheet_is_one_error_line() {
    let folder = std::env::temp_dir().join(format!("senet-refused-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("broken.kif");
    std::fs::write(&path, "(role x) (legal x ?y)").unwrap();
    let (output, status) = Engine::start(&[path.to_str().unwrap()]).end();
    std::fs::remove_dir_all(&folder).unwrap();
    assert_eq!((output.lines().count(), status), (1, Some(1)));
    let answer: Value = serde_json::from_str(&output).unwrap();
    assert_eq!(answer["error"]["code"], "refused");
}

#[test]
fn a_reader_that_leaves_is_not_an_error() {
    let mut engine = Engine::start(&["tic-tac-toe"]);
    engine.ask(&json!({"op": "new"}));
    let Engine { mut child, input, output } = engine;
    drop(output);
    let mut input = input.unwrap();
    // The program may be gone before it has read everything.
    let _ = input.write_all(&b"{\"op\":\"new\"}\n".repeat(100));
    drop(input);
    let mut complaint = String::new();
    child.stderr.take().unwrap().read_to_string(&mut complaint).unwrap();
    assert_eq!((child.wait().unwrap().code(), complaint.as_str()), (Some(0), ""));
}
