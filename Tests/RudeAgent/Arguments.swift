/// What a word on the command line asks for. A number or path after a word is its value: `big-line 100000`.
enum Behaviour: Equatable {
    /// Nothing but answering `initialize`, `session/new` and `session/prompt` (what every behaviour ends in).
    case echo
    /// Lines that are no ACP between numbered updates: blank, logs, escapes, scalars, JSON over lines, bad UTF-8.
    case noise
    /// `--after` updates (3), then death by `--signal N` or `_exit` with `--code N` (1).
    case crash
    /// An update, then half a line without its end; then `--then hang|exit` (exit).
    case halfLine
    /// Goes on living when stdin has ended.
    case ignoreEOF
    /// Does not die of SIGTERM.
    case ignoreTerminate
    /// That many bytes of numbered lines on stderr.
    case floodStandardError(byteCount: Int)
    /// `--lines` (1000) updates of `--size` (200) bytes without LF, `--per-write` (1) a write, `--rate` a second (no
    /// limit).
    case flood
    /// A child that holds stdout and stderr open and sleeps; `grandchild PID` on stderr.
    case grandchild
    /// As `grandchild`, in a session and process group of its own.
    case setsidGrandchild
    /// One update of exactly that many bytes, LF not counted, then a small one.
    case bigLine(byteCount: Int)
    /// Updates in JSON arrays, and an empty array.
    case batch
    /// Updates that name a member twice.
    case duplicateKeys
    /// Updates whose keys and values are spelt with escapes.
    case escapedKeys
    /// Copies stdin to stdout byte for byte, half lines too, until it ends.
    case cat
    /// Writes a recorded agent's lines; before a response waits until the request it answers was read from stdin.
    case replay(path: String)
    /// One line `{"argv":[…],"cwd":"…","env":{…}}`.
    case environment
    /// Leaves prompts unanswered until `session/cancel`.
    case stall
    /// With `stall`: does not answer then either.
    case ignoreCancel
    /// Exits with that status, at once.
    case exit(code: Int32)
}

/// The command line, read.
struct Arguments: Equatable {
    /// When the behaviours happen. `--on start|new|prompt`: at once (default), before the first `session/new` response,
    /// or before each prompt's response.
    enum Moment: String { case start, new, prompt }

    struct Problem: Error, Equatable { let message: String }

    var behaviours: [Behaviour] = []
    private var options: [String: String] = [:]

    var moment: Moment { options["on"].flatMap(Moment.init(rawValue:)) ?? .start }

    func number(_ name: String) -> Int? { options[name].flatMap { Int($0) } }

    func text(_ name: String) -> String? { options[name] }

    func has(_ behaviour: Behaviour) -> Bool { behaviours.contains(behaviour) }

    static func parse(_ words: [String]) -> Result<Arguments, Problem> {
        var arguments = Arguments()
        var rest = words[...]
        while let word = rest.popFirst() {
            if word.hasPrefix("--") {
                guard let value = rest.popFirst() else { return .failure(Problem(message: "\(word) needs a value")) }
                arguments.options[String(word.dropFirst(2))] = value
            } else if let behaviour = behaviour(named: word, rest: &rest) {
                arguments.behaviours.append(behaviour)
            } else {
                return .failure(Problem(message: "no behaviour '\(word)', or its value is missing"))
            }
        }
        return .success(arguments)
    }

    private static func behaviour(named word: String, rest: inout ArraySlice<String>) -> Behaviour? {
        switch word {
        case "flood-stderr": rest.popFirst().flatMap { Int($0) }.map { .floodStandardError(byteCount: $0) }
        case "big-line": rest.popFirst().flatMap { Int($0) }.map { .bigLine(byteCount: $0) }
        case "replay": rest.popFirst().map { .replay(path: $0) }
        case "exit": rest.popFirst().flatMap { Int32($0) }.map { .exit(code: $0) }
        default: plain[word]
        }
    }

    private static let plain: [String: Behaviour] = [
        "echo": .echo, "noise": .noise, "crash": .crash, "half-line": .halfLine, "ignore-eof": .ignoreEOF,
        "ignore-term": .ignoreTerminate, "flood": .flood, "grandchild": .grandchild,
        "setsid-grandchild": .setsidGrandchild, "batch": .batch, "duplicate-keys": .duplicateKeys,
        "escaped-keys": .escapedKeys, "cat": .cat, "env": .environment, "stall": .stall, "ignore-cancel": .ignoreCancel,
    ]
}
