/// A behaviour that is named on the command line. A number or path after a word is its value: `big-line 100000`.
enum Behaviour: Equatable {
    /// Only answers `initialize`, `session/new` and `session/prompt`. Every other behaviour continues with this one.
    case echo
    /// Sends lines that are not ACP between numbered updates: blank, logs, escapes, scalars, JSON over several lines,
    /// bad UTF-8.
    case noise
    /// Sends `--after` updates (3), then dies by `--signal N` or by `_exit` with `--code N` (1).
    case crash
    /// Sends an update, then half a line without its end; then `--then hang|exit` (exit).
    case halfLine
    /// Keeps running after stdin has ended.
    case ignoreEOF
    /// Ignores SIGTERM.
    case ignoreTerminate
    /// Writes this number of bytes as numbered lines to stderr.
    case floodStandardError(byteCount: Int)
    /// Sends `--lines` (1000) updates of `--size` (200) bytes without LF, `--per-write` (1) in each write, `--rate` per
    /// second (no limit).
    case flood
    /// Starts a child that holds stdout and stderr open and sleeps. Writes `grandchild PID` to stderr.
    case grandchild
    /// Same as `grandchild`, but in its own session and process group.
    case setsidGrandchild
    /// Sends one update of exactly this many bytes without LF, then a small one.
    case bigLine(byteCount: Int)
    /// Sends updates in JSON arrays, and an empty array.
    case batch
    /// Sends updates in which a member name is repeated.
    case duplicateKeys
    /// Sends updates with escapes in keys and values.
    case escapedKeys
    /// Copies stdin to stdout byte for byte, including incomplete lines, until stdin ends.
    case cat
    /// Writes a recorded agent's lines. Before a response, it waits until the corresponding request was read from
    /// stdin.
    case replay(path: String)
    /// Writes one line `{"argv":[…],"cwd":"…","env":{…}}`.
    case environment
    /// Does not answer prompts until `session/cancel`.
    case stall
    /// With `stall`: does not answer after `session/cancel` either.
    case ignoreCancel
    /// Logs in and exits.
    case logIn
    /// Exits with this status at once.
    case exit(code: Int32)
}

/// The parsed command line.
struct Arguments: Equatable {
    /// The time at which the behaviours happen. `--on start|new|prompt`: at once (default), before the first
    /// `session/new` response, or before each prompt's response.
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
                return .failure(Problem(message: "'\(word)' is not a behaviour, or its value is missing"))
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
        "escaped-keys": .escapedKeys, "cat": .cat, "log-in": .logIn, "env": .environment, "stall": .stall,
        "ignore-cancel": .ignoreCancel,
    ]
}
