import BenchMeasuring
import BenchSystems

/// The words of a command line in order. `--name=value` counts as two words.
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

    /// Consumes the next word if it is `word`. Returns false otherwise.
    mutating func consume(_ word: String) -> Bool {
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

    /// Parses `1,10,100`.
    mutating func numbers(for option: String) throws(UsageError) -> [Int] {
        var numbers: [Int] = []
        for part in try value(for: option).split(separator: ",", omittingEmptySubsequences: false) {
            numbers.append(try Self.number(String(part), option, 1))
        }
        return numbers
    }

    /// Parses `websocketd,c`: the systems that acpbridge can be compared with.
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

    /// Parses the name of a load beside the watched session.
    mutating func disturbance(for option: String) throws(UsageError) -> Disturbance {
        let name = try value(for: option)
        guard let load = Disturbance(rawValue: name) else { throw .unknownLoad(name) }
        return load
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
    case unknownLoad(String)

    var description: String {
        switch self {
        case .unknown(let word): "'\(word)' is neither a benchmark nor an option"
        case .missingValue(let option): "\(option) needs a value"
        case .badNumber(let option, let text, let least):
            "\(option) takes whole numbers of at least \(least), not '\(text)'"
        case .unknownSystem(let name): "'\(name)' is not a system to compare with: use websocketd, python, c or direct"
        case .unknownLoad(let name):
            "'\(name)' is not a load: use \(Disturbance.allCases.map { "'\($0.rawValue)'" }.joined(separator: ", "))"
        case .notAnAddress(let text):
            "'\(text)' is not an address: write HOST:PORT, or a URL such as ws://HOST:PORT or unix:PATH"
        }
    }
}
