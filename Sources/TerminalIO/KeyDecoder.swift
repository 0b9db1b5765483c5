/// A key that a person pressed, or a text that was pasted.
enum Key: Sendable, Equatable {
    case character(Unicode.Scalar)
    /// The line feeds of the text are LF. It can be larger than a prompt.
    case paste(String)
    /// The pasted text is larger than ``KeyDecoder/pasteLimitBytes`` and was dropped.
    case oversizedPaste
    case enter, newLine, tab
    case left, right, home, end, up, down
    case backspace, delete
    case deleteWord, deleteToStart, deleteToEnd
    /// Ctrl-D: ends the input on an empty line, and deletes the next character otherwise.
    case endOrDelete
    /// Ctrl-L.
    case clearScreen
    /// Ctrl-X: the next key is a command.
    case prefix
    /// Only from ``KeyDecoder/endSequence()``.
    case escape
}

/// Decodes the bytes that a terminal sends for keys. Pure.
///
/// The bytes can be cut anywhere. Bytes that are not UTF-8, unknown escape sequences and other control characters are
/// dropped. An Escape key and the key after it are one sequence, unless the input pauses between them
/// (``endSequence()``).
///
/// Sources: ECMA-48, section 5.4 (control sequences); xterm's control sequences, "PC-Style Function Keys" and "Bracketed
/// Paste Mode".
struct KeyDecoder: Sendable {
    private enum State {
        case text
        /// After ESC.
        case escape
        /// After ESC and `O`, which some terminals send for the arrow keys.
        case function
        /// After `ESC [`.
        case control
        /// Between `ESC [200~` and `ESC [201~`.
        case paste
    }

    /// 64 KiB: as large as a prompt. A larger paste is dropped as a whole.
    static let pasteLimitBytes = 64 << 10

    private var state = State.text
    /// The beginning of a character in UTF-8: at most 3 bytes.
    private var character: [UInt8] = []
    /// The parameters of a control sequence: at most 16 bytes. Further ones are dropped, and no key has that many.
    private var parameters: [UInt8] = []
    /// The pasted text with the beginning of ``pasteEnd``: at most the limit and 6 bytes.
    private var pasted: [UInt8] = []
    private var isPasteTooLarge = false

    private static let pasteEnd = Array("\u{1b}[201~".utf8)

    /// Whether the end of a pasted text is still missing.
    var isPasting: Bool { if case .paste = state { true } else { false } }

    /// An escape character was the last byte.
    var isInSequence: Bool { if case .escape = state { true } else { false } }

    /// Ends a sequence that has only its escape character, which is then a key of its own. Call if the input has paused.
    mutating func endSequence() -> Key? {
        guard isInSequence else { return nil }
        state = .text
        return .escape
    }

    /// Returns the key that ends with this byte, if one does.
    mutating func decode(_ byte: UInt8) -> Key? {
        switch state {
        case .text: return decodeText(byte)
        case .escape: return decodeEscape(byte)
        case .function:
            state = .text
            return Self.cursorKey(byte)
        case .control: return decodeControl(byte)
        case .paste: return decodePaste(byte)
        }
    }

    // MARK: Characters

    private mutating func decodeText(_ byte: UInt8) -> Key? {
        if byte >= 0x80 { return decodeCharacter(byte) }
        character = []
        switch byte {
        case 0x1b: state = .escape
        case 0x09: return .tab
        case 0x20..<0x7f: return .character(Unicode.Scalar(byte))
        default: return Self.controlKey(byte)
        }
        return nil
    }

    private mutating func decodeCharacter(_ byte: UInt8) -> Key? {
        if byte >= 0xc0 { character = [] }
        character.append(byte)
        let length = character[0] >= 0xf0 ? 4 : character[0] >= 0xe0 ? 3 : character[0] >= 0xc0 ? 2 : 1
        guard character.count >= length else { return nil }
        defer { character = [] }
        guard let scalar = String(validating: character, as: UTF8.self)?.unicodeScalars.first,
            scalar.properties.generalCategory != .control
        else { return nil }
        return .character(scalar)
    }

    private static func controlKey(_ byte: UInt8) -> Key? {
        switch byte {
        case control("A"): .home
        case control("B"): .left
        case control("D"): .endOrDelete
        case control("E"): .end
        case control("F"): .right
        case control("H"), 0x7f: .backspace
        case control("J"): .newLine
        case control("K"): .deleteToEnd
        case control("L"): .clearScreen
        case control("M"): .enter
        case control("N"): .down
        case control("P"): .up
        case control("U"): .deleteToStart
        case control("W"): .deleteWord
        case control("X"): .prefix
        default: nil
        }
    }

    private static func control(_ letter: Unicode.Scalar) -> UInt8 { UInt8(ascii: letter) - 0x40 }

    // MARK: Escape sequences

    private mutating func decodeEscape(_ byte: UInt8) -> Key? {
        state = .text
        switch byte {
        case 0x1b: state = .escape
        case UInt8(ascii: "["):
            parameters = []
            state = .control
        case UInt8(ascii: "O"): state = .function
        case 0x0a, 0x0d: return .newLine
        case 0x08, 0x7f: return .deleteWord
        case 0x80...: return decodeCharacter(byte)
        default: break
        }
        return nil
    }

    private mutating func decodeControl(_ byte: UInt8) -> Key? {
        switch byte {
        case 0x1b: state = .escape
        case 0x20..<0x40: if parameters.count < 16 { parameters.append(byte) }
        // The Linux console sends `ESC [ [ A` for F1.
        case UInt8(ascii: "[") where parameters.isEmpty: parameters.append(byte)
        default:
            state = .text
            return byte == UInt8(ascii: "~") ? editingKey() : Self.cursorKey(byte, parameters)
        }
        return nil
    }

    /// - Parameter parameters: `1;5` for an arrow key with Ctrl. The key then has the same effect as without it.
    private static func cursorKey(_ byte: UInt8, _ parameters: [UInt8] = []) -> Key? {
        if parameters.first == UInt8(ascii: "[") { return nil }
        return switch byte {
        case UInt8(ascii: "A"): .up
        case UInt8(ascii: "B"): .down
        case UInt8(ascii: "C"): .right
        case UInt8(ascii: "D"): .left
        case UInt8(ascii: "F"): .end
        case UInt8(ascii: "H"): .home
        default: nil
        }
    }

    private mutating func editingKey() -> Key? {
        switch String(decoding: parameters.prefix { $0 != UInt8(ascii: ";") }, as: UTF8.self) {
        case "1", "7": return .home
        case "3": return .delete
        case "4", "8": return .end
        case "200":
            pasted = []
            isPasteTooLarge = false
            state = .paste
        default: break
        }
        return nil
    }

    // MARK: Pasted text

    private mutating func decodePaste(_ byte: UInt8) -> Key? {
        pasted.append(byte)
        guard byte == UInt8(ascii: "~"), pasted.suffix(Self.pasteEnd.count).elementsEqual(Self.pasteEnd) else {
            if pasted.count >= Self.pasteLimitBytes + Self.pasteEnd.count {
                isPasteTooLarge = true
                pasted = pasted.suffix(Self.pasteEnd.count)
            }
            return nil
        }
        state = .text
        let text = Self.text(pasted.dropLast(Self.pasteEnd.count))
        pasted = []
        return isPasteTooLarge ? .oversizedPaste : .paste(text)
    }

    /// The text without control characters. Terminals send CR for a line feed, some of them CR and LF.
    private static func text(_ bytes: some Sequence<UInt8>) -> String {
        var text = String.UnicodeScalarView()
        var previous: Unicode.Scalar?
        for scalar in String(decoding: Array(bytes), as: UTF8.self).unicodeScalars {
            defer { previous = scalar }
            switch scalar {
            case "\n" where previous == "\r": break
            case "\n", "\r": text.append("\n")
            case "\t": text.append(scalar)
            case _ where scalar.properties.generalCategory == .control: break
            default: text.append(scalar)
            }
        }
        return String(text)
    }
}
