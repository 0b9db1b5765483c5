/// Text that is safe to write to a terminal.
///
/// The program's own text consists of literals, which remain unchanged, including escape sequences. Every interpolated
/// value is foreign (from an agent, a server, a file or a person). It is filtered when it is inserted, so no caller can
/// forget to filter it:
///
///     let message: TerminalText = "no session '\(name)'"
///
/// `\(value)` inserts one line, and `\(lines: value)` keeps line feeds and tabs. Another `TerminalText` is inserted
/// unchanged. A `String` cannot become a `TerminalText` without being filtered.
package struct TerminalText: Sendable, Equatable {
    package private(set) var text: String

    /// Filters foreign text to one line, for names, titles, commands, paths and messages. See
    /// ``TerminalFilter/oneLine(_:)``.
    package init(oneLine foreign: String) { text = TerminalFilter.oneLine(foreign) }

    /// Filters foreign text of several lines, for text that people and agents write. See ``TerminalFilter/lines(_:)``.
    package init(lines foreign: String) { text = TerminalFilter.lines(foreign) }

    package var isEmpty: Bool { text.isEmpty }

    package static func + (a: TerminalText, b: TerminalText) -> TerminalText {
        var sum = a
        sum += b
        return sum
    }

    package static func += (a: inout TerminalText, b: TerminalText) { a.text += b.text }
}

extension TerminalText: CustomStringConvertible {
    package var description: String { text }
}

extension TerminalText: ExpressibleByStringInterpolation {
    /// Takes a `StaticString`, so that only a literal in the source counts as the program's own text.
    package init(stringLiteral words: StaticString) { text = words.description }

    package init(stringInterpolation parts: StringInterpolation) { text = parts.text }

    package struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var text = ""

        package init(literalCapacity: Int, interpolationCount: Int) { text.reserveCapacity(literalCapacity) }

        package mutating func appendLiteral(_ words: StaticString) { text += words.description }

        package mutating func appendInterpolation(_ safe: TerminalText) { text += safe.text }

        /// Inserts any other value on one line.
        package mutating func appendInterpolation<Value>(_ foreign: Value) {
            text += TerminalFilter.oneLine(String(describing: foreign))
        }

        package mutating func appendInterpolation(lines foreign: String) { text += TerminalFilter.lines(foreign) }
    }
}

extension Sequence<TerminalText> {
    package func joined(separator: TerminalText) -> TerminalText {
        var joined: TerminalText = ""
        for (index, text) in enumerated() { joined += index == 0 ? text : separator + text }
        return joined
    }
}

// MARK: Colours

extension TerminalText {
    /// Source: ECMA-48, section 8.3.117 (SGR).
    package enum Style: Sendable {
        case plain, bold, dim, red, green, yellow, blue, magenta, cyan

        /// The sequence that begins the style; `ESC [ 0 m` ends it.
        package var start: TerminalText {
            switch self {
            case .plain: ""
            case .bold: "\u{1b}[1m"
            case .dim: "\u{1b}[2m"
            case .red: "\u{1b}[31m"
            case .green: "\u{1b}[32m"
            case .yellow: "\u{1b}[33m"
            case .blue: "\u{1b}[34m"
            case .magenta: "\u{1b}[35m"
            case .cyan: "\u{1b}[36m"
            }
        }
    }

    package func styled(_ style: Style) -> TerminalText {
        style == .plain ? self : "\(style.start)\(self)\u{1b}[0m"
    }
}
