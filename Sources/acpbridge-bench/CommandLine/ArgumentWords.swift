/// The words of a command line, one after another; `--name=value` counts as two.
struct ArgumentWords {
    private var words: ArraySlice<String>

    init(_ arguments: [String]) {
        words =
            arguments.flatMap { word in
                guard word.hasPrefix("--"), let equals = word.firstIndex(of: "=") else { return [word] }
                return [String(word[..<equals]), String(word[word.index(after: equals)...])]
            }[...]
    }

    mutating func next() -> String? { words.popFirst() }

    /// False when `word` does not come next.
    mutating func take(_ word: String) -> Bool {
        guard words.first == word else { return false }
        words.removeFirst()
        return true
    }

    mutating func value(for option: String) throws(UsageError) -> String {
        guard let value = next() else { throw .missingValue(option) }
        return value
    }

    mutating func number(for option: String, atLeast least: Int = 1) throws(UsageError) -> Int {
        try Self.number(value(for: option), option, least)
    }

    /// `1,10,100`
    mutating func numbers(for option: String) throws(UsageError) -> [Int] {
        var numbers: [Int] = []
        for part in try value(for: option).split(separator: ",", omittingEmptySubsequences: false) {
            numbers.append(try Self.number(String(part), option, 1))
        }
        return numbers
    }

    /// `websocketd,c`: those that acpbridge can be held against.
    mutating func systems(for option: String) throws(UsageError) -> [System] {
        var systems: [System] = []
        for name in try value(for: option).split(separator: ",", omittingEmptySubsequences: false) {
            guard let system = System(rawValue: String(name)), system != .acpbridge else {
                throw .unknownSystem(String(name))
            }
            if !systems.contains(system) { systems.append(system) }
        }
        return systems
    }

    private static func number(_ text: String, _ option: String, _ least: Int) throws(UsageError) -> Int {
        guard let number = Int(text), number >= least else { throw .badNumber(option, text, least: least) }
        return number
    }
}

enum UsageError: Error, Equatable, CustomStringConvertible {
    case unknown(String)
    case missingValue(String)
    case badNumber(String, String, least: Int)
    case notAnAddress(String)
    case unknownSystem(String)

    var description: String {
        switch self {
        case .unknown(let word): "'\(word)' is neither a benchmark nor an option"
        case .missingValue(let option): "\(option) needs a value"
        case .badNumber(let option, let text, let least):
            "\(option) takes whole numbers from \(least) on, not '\(text)'"
        case .unknownSystem(let name): "'\(name)' is nothing to measure against: websocketd, python, c and direct are"
        case .notAnAddress(let text):
            "'\(text)' is no address: write HOST:PORT, or in a URL ws://HOST:PORT or unix:PATH"
        }
    }
}
