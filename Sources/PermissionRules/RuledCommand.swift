import JSONScan

/// The command of a permission request.
enum RuledCommand: Equatable, Sendable {
    /// The request runs no command.
    case none
    /// One program with its arguments, without anything that a shell would expand.
    case words([String])
    /// A text that a shell would change or split. `parts` are the words of each part between the shell's operators.
    case unclear(parts: [[String]])

    /// - Parameter value: A text for a shell, or an array with a program and its arguments.
    init(_ value: JSONValue) {
        guard value.kind == .array else {
            self = value.stringValue.map(Self.parsed) ?? .unclear(parts: [])
            return
        }
        let words = value.elements.map(\.stringValue)
        guard !words.contains(nil), !words.isEmpty else {
            self = .unclear(parts: [])
            return
        }
        self = Self.unwrapped(words.compactMap(\.self))
    }

    /// The words of each program that the command runs, as far as they are understood.
    var parts: [[String]] {
        switch self {
        case .none: []
        case .words(let words): [words]
        case .unclear(let parts): parts
        }
    }

    /// `["bash", "-lc", "git status"]` is the command of a shell.
    private static func unwrapped(_ words: [String]) -> RuledCommand {
        let program = words[0].split(separator: "/").last.map(String.init) ?? ""
        guard ["sh", "bash", "zsh", "dash"].contains(program), words.count > 1 else { return .words(words) }
        guard words.count == 3, ["-c", "-lc"].contains(words[1]) else { return .unclear(parts: [words]) }
        let command = parsed(words[2])
        // A program of this name in another folder can be anything, also one that the agent has written.
        guard [program, "/bin/" + program, "/usr/bin/" + program].contains(words[0]) else {
            return .unclear(parts: [words] + command.parts)
        }
        return command
    }

    private static let operators = Set(";&|()\n".utf8)
    /// Bytes that a shell can expand or treat as syntax. `~` and `#` count everywhere, although a shell uses them at the
    /// beginning of a word only.
    private static let special = Set("$`\\<>{}*?[]#~!\r".utf8)

    /// Splits a text as a shell would, as far as it has only words and plain quotes. Source: POSIX.1-2024, XCU 2.2.
    private static func parsed(_ text: String) -> RuledCommand {
        var parts: [[String]] = [[]]
        var word: [UInt8]?
        var quote: UInt8?
        var isClear = true
        for byte in text.utf8 {
            if let open = quote {
                if byte == open {
                    quote = nil
                } else {
                    if open == UInt8(ascii: "\""), "$`\\!".utf8.contains(byte) { isClear = false }
                    word = (word ?? []) + [byte]
                }
            } else if byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\"") {
                quote = byte
                word = word ?? []
            } else if byte == 0x20 || byte == 0x09 || operators.contains(byte) {
                if let done = word { parts[parts.count - 1].append(String(decoding: done, as: UTF8.self)) }
                word = nil
                if operators.contains(byte) {
                    isClear = false
                    parts.append([])
                }
            } else {
                if special.contains(byte) || byte < 0x20 { isClear = false }
                word = (word ?? []) + [byte]
            }
        }
        if let done = word { parts[parts.count - 1].append(String(decoding: done, as: UTF8.self)) }
        if quote != nil { isClear = false }
        // `A=1 program` sets a variable, which can change what the program does.
        if parts[0].first?.contains("=") == true { isClear = false }
        parts.removeAll(where: \.isEmpty)
        return isClear && parts.count == 1 ? .words(parts[0]) : .unclear(parts: parts)
    }
}
