/// Text that is safe to write to a terminal.
///
/// The program's own words are literals and stay as they are, escape sequences included. Every interpolated value is
/// foreign (an agent's, a server's, a file's, a person's) and is filtered as it is inserted, so that no caller can
/// forget it:
///
///     let message: TerminalText = "no session '\(name)'"
///
/// `\(value)` inserts one line, `\(lines: value)` keeps line feeds and tabs, and another `TerminalText` is inserted
/// as it is. There is no way to make a `TerminalText` of a `String` that is not filtered.
package struct TerminalText: Sendable, Equatable {
    package private(set) var text: String

    /// Foreign text on one line, for names, titles, commands, paths and messages. See ``TerminalFilter/oneLine(_:)``.
    package init(oneLine foreign: String) { text = TerminalFilter.oneLine(foreign) }

    /// Foreign text of several lines, for what people and agents write. See ``TerminalFilter/lines(_:)``.
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
    /// `StaticString`, so that only a literal in the source counts as the program's own words.
    package init(stringLiteral words: StaticString) { text = words.description }

    package init(stringInterpolation parts: StringInterpolation) { text = parts.text }

    package struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var text = ""

        package init(literalCapacity: Int, interpolationCount: Int) { text.reserveCapacity(literalCapacity) }

        package mutating func appendLiteral(_ words: StaticString) { text += words.description }

        package mutating func appendInterpolation(_ safe: TerminalText) { text += safe.text }

        /// On one line, whatever it is.
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
        case plain, bold, dim, red, green, yellow, cyan
    }

    package func styled(_ style: Style) -> TerminalText {
        switch style {
        case .plain: self
        case .bold: "\u{1b}[1m\(self)\u{1b}[0m"
        case .dim: "\u{1b}[2m\(self)\u{1b}[0m"
        case .red: "\u{1b}[31m\(self)\u{1b}[0m"
        case .green: "\u{1b}[32m\(self)\u{1b}[0m"
        case .yellow: "\u{1b}[33m\(self)\u{1b}[0m"
        case .cyan: "\u{1b}[36m\(self)\u{1b}[0m"
        }
    }
}
