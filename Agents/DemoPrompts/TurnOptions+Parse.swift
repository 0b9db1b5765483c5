extension TurnOptions {
    /// Parses any text; no prompt is invalid.
    package static func parse(_ prompt: String) -> TurnOptions {
        var options = TurnOptions()
        options.command = command(prompt)
        var words = prompt.lowercased().split { $0.isWhitespace || $0 == ";" }.map(trimmed)[...]
        while let word = words.popFirst() {
            if let (name, value) = setting(word) {
                options.apply(name, value)
            } else if let (amount, length) = phrase(word, words) {
                options.apply(amount)
                words.removeFirst(length)
            } else {
                options.apply(word, next: words.first)
            }
        }
        return options
    }

    /// The command at the beginning of the prompt. Its text is everything after the name.
    private static func command(_ prompt: String) -> Command? {
        let parts = prompt.split(maxSplits: 1, whereSeparator: \.isWhitespace)
        let rest = parts.count > 1 ? String(parts[1]) : ""
        return switch parts.first {
        case "/help": .help
        case "/echo": .echo(rest)
        case "/fail": .fail(rest)
        case "/error": .error(rest)
        case "/refuse": .refuse
        default: nil
        }
    }

    private static func trimmed(_ word: Substring) -> Substring {
        var word = word
        while let last = word.last, ".,:!?)\"'…".contains(last) { word.removeLast() }
        while let first = word.first, "(\"'".contains(first) { word.removeFirst() }
        return word
    }

    /// Splits `pace=20ms` into name and value.
    private static func setting(_ word: Substring) -> (name: Substring, value: Substring)? {
        guard let equals = word.firstIndex(of: "=") else { return nil }
        return (word[..<equals], word[word.index(after: equals)...])
    }

    private enum Amount {
        case chunks(Int), words(Int), thoughts(Int), pace(Duration)
        case extra(String, Int)
    }

    /// Parses a number and the words after it: `500 chunks`, `20 ms apart`, `20ms apart`. Also returns how many
    /// following words belong to the phrase.
    private static func phrase(_ word: Substring, _ rest: ArraySlice<Substring>) -> (Amount, Int)? {
        let next = rest.first
        if next == "apart" { return duration(word).map { (.pace($0), 1) } }
        if rest.dropFirst().first == "apart", let next { return duration(word + next).map { (.pace($0), 2) } }
        guard let number = number(word) else { return nil }
        return switch next {
        case "chunks", "chunk": (.chunks(number), 1)
        case "words", "word": (.words(number), 1)
        case "thoughts", "thought": (.thoughts(number), 1)
        case "subagents", "subagent": (.extra("subagents", number), 1)
        case "snapshots", "snapshot": (.extra("snapshots", number), 1)
        case "background": (.extra("background", number), 1)
        default: nil
        }
    }

    private mutating func apply(_ amount: Amount) {
        switch amount {
        case .chunks(let count): chunkCount = min(count, Self.chunkLimit)
        case .words(let count): wordCount = min(count, Self.chunkLimit)
        case .thoughts(let count): thoughtCount = min(count, Self.chunkLimit)
        case .pace(let duration): pace = min(duration, Self.paceLimit)
        case .extra(let name, let number): extras.apply(name, number: number)
        }
    }

    private mutating func apply(_ name: Substring, _ value: Substring) {
        switch name {
        case "chunks": Self.number(value).map { apply(.chunks($0)) }
        case "words": Self.number(value).map { apply(.words($0)) }
        case "thoughts": Self.number(value).map { apply(.thoughts($0)) }
        case "size": Self.number(value).map { chunkSizeBytes = max(1, min($0, Self.chunkSizeLimitBytes)) }
        case "pace": Self.duration(value).map { apply(.pace($0)) }
        case "flush": flushesEachLine = value == "each"
        case "lasting" where value == "forever": extras.backgroundLength = nil
        case "lasting": Self.duration(value).map { extras.backgroundLength = min($0, Self.paceLimit) }
        case "wake": Self.duration(value).map { extras.wakesAfter = min($0, Self.paceLimit) }
        default: Self.number(value).map { extras.apply(String(name), number: $0) }
        }
    }

    private mutating func apply(_ word: Substring, next: Substring?) {
        switch (word, next) {
        case ("quiet", _): parts = []
        case ("ask", "permission"): asksPermission = true
        case ("no", "permission"), ("no", "permissions"): asksPermission = false
        case ("no", "plan"): parts.remove(.plan)
        case ("no", "thoughts"), ("no", "thinking"): parts.remove(.thoughts)
        case ("no", "reading"), ("no", "reads"): parts.remove(.read)
        case ("no", "edit"), ("no", "edits"): parts.remove(.edit)
        case ("no", "command"), ("no", "commands"): parts.remove(.execute)
        case ("no", "tools"): parts.subtract([.read, .edit, .execute])
        default: extras.apply(word, next: next)
        }
    }

    /// Parses a number; `1,000` and `1_000` mean a thousand.
    private static func number(_ text: Substring) -> Int? {
        guard text.first?.isNumber == true else { return nil }
        let digits = text.filter { $0 != "," && $0 != "_" }
        // A number that does not fit means the maximum.
        return digits.allSatisfy { $0.isASCII && $0.isNumber } ? Int(digits) ?? .max : nil
    }

    /// Parses `20`, `20ms`, `1.5s` or `2min`. A number without a unit is in milliseconds.
    private static func duration(_ text: Substring) -> Duration? {
        let digits = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
        guard let amount = Double(digits), amount.isFinite, amount >= 0, amount < 1e9 else { return nil }
        return switch text[digits.endIndex...] {
        case "", "ms", "msec", "milliseconds", "millisecond": .milliseconds(amount)
        case "s", "sec", "second", "seconds": .seconds(amount)
        case "min", "minute", "minutes": .seconds(amount * 60)
        default: nil
        }
    }
}
