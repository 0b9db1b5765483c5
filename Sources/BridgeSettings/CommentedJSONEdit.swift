import JSONScan

/// Sets one member in a text of JSON with comments. All other bytes stay as they are. Pure.
package enum CommentedJSONEdit {
    package enum Failure: Error, Equatable, CustomStringConvertible {
        /// - Parameter line: Counted from 1.
        case notJSON(line: Int, reason: String)
        /// The text, or the member on the way, is not an object.
        case notAnObject(name: String?)
        /// Readers disagree on which of two members with this name counts.
        case repeated(name: String)
        /// The changed text would not have the wanted content. This is a fault of the program.
        case unverified

        package var description: String {
            switch self {
            case .notJSON(let line, let reason): "line \(line) is not valid JSON: \(reason)"
            case .notAnObject(nil): "it does not contain an object"
            case .notAnObject(let name?): "its \"\(name)\" is not an object"
            case .repeated(let name): "it has \"\(name)\" twice"
            case .unverified: "the change could not be verified"
            }
        }
    }

    /// Returns the text with `value` as the member `name` of the object `parent`, which is a member of the root. A missing
    /// parent is created. Returns the same text if the member has this value already.
    ///
    /// - Parameters:
    ///   - text: The text of the file; empty counts as an empty object.
    ///   - value: A JSON value. Its lines after the first begin without further indentation.
    package static func setting(
        _ name: String, to value: String, in parent: String, of text: [UInt8]
    ) throws(Failure) -> [UInt8] {
        let isBlank = text.allSatisfy { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
        let text = isBlank ? Array("{}\n".utf8) : text
        let changed = try change(name, value, parent, text)
        try verify(changed, name, value, parent, before: text)
        return changed
    }

    private static func change(
        _ name: String, _ value: String, _ parent: String, _ text: [UInt8]
    ) throws(Failure) -> [UInt8] {
        let root = try object(text)
        let unit = indentation(of: root, in: text) ?? "  "
        guard let container = try member(parent, of: root) else {
            let inner = "{\n\(unit)\(quoted(name)): \(indented(value, unit))\n}"
            return inserting(parent, indented(inner, unit), into: root, text, indent: unit, closing: "")
        }
        guard container.kind == .object else { throw .notAnObject(name: parent) }
        let indent = indentation(of: container, in: text) ?? unit + unit
        guard let old = try member(name, of: container) else {
            return inserting(name, indented(value, indent), into: container, text, indent: indent, closing: unit)
        }
        if canonical(old) == canonical(try parsed(value)) { return text }
        return replacing(old.rawText.indices, with: indented(value, indent), in: text)
    }

    /// Inserts a first member. A comment after the opening brace then follows the new member's comma.
    private static func inserting(
        _ name: String, _ value: String, into object: JSONValue, _ text: [UInt8], indent: String, closing: String
    ) -> [UInt8] {
        let start = object.rawText.startIndex + 1
        let isEmpty = object.members.isEmpty
        let rest = text[start...].prefix { $0 == 0x20 || $0 == 0x09 }
        let next = text[start...].dropFirst(rest.count).first
        // Keep the layout of members that follow on the next line.
        let end =
            isEmpty
            ? (next == UInt8(ascii: "}") ? "\n\(closing)" : "") : (next == 0x0A || next == 0x0D ? "," : ",\n\(indent)")
        let skipped = next == 0x0A || next == 0x0D || next == UInt8(ascii: "/") ? 0 : rest.count
        return replacing(start..<start + skipped, with: "\n\(indent)\(quoted(name)): \(value)\(end)", in: text)
    }

    private static func replacing(_ range: Range<Int>, with new: String, in text: [UInt8]) -> [UInt8] {
        Array(text[..<range.lowerBound]) + Array(new.utf8) + Array(text[range.upperBound...])
    }

    // MARK: Reading

    private static func object(_ text: [UInt8]) throws(Failure) -> JSONValue {
        let value: JSONValue
        do throws(JSONSyntaxError) {
            value = try JSONValue(validating: CommentedJSON.plain(text))
        } catch {
            throw .notJSON(line: CommentedJSON.line(of: error.offset, in: text), reason: error.reason.rawValue)
        }
        guard value.kind == .object else { throw .notAnObject(name: nil) }
        return value
    }

    private static func parsed(_ value: String) throws(Failure) -> JSONValue {
        guard let value = try? JSONValue(validating: Array(value.utf8)) else { throw .unverified }
        return value
    }

    private static func member(_ name: String, of object: JSONValue) throws(Failure) -> JSONValue? {
        let found = object.members.filter { $0.name == name }
        guard found.count < 2 else { throw .repeated(name: name) }
        return found.first?.value
    }

    /// The white space before the first member, if the member begins its line.
    private static func indentation(of object: JSONValue, in text: [UInt8]) -> String? {
        guard let value = object.members.first?.value else { return nil }
        // The line of a member's value is that of its name in every usual layout.
        let start = text[..<value.rawText.startIndex].lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
        let space = text[start...].prefix { $0 == 0x20 || $0 == 0x09 }
        guard start > object.rawText.startIndex, !space.isEmpty else { return nil }
        return String(decoding: space, as: UTF8.self)
    }

    /// The text without white space between tokens.
    private static func canonical(_ value: JSONValue) -> [UInt8] {
        switch value.kind {
        case .object:
            JSONWriter.object { writer in
                for (name, member) in value.members { writer.member(name, raw: canonical(member)) }
            }
        case .array:
            JSONWriter.array { writer in for element in value.elements { writer.element(raw: canonical(element)) } }
        default: Array(value.rawText)
        }
    }

    /// Checks that the new text has the member, and that all other members are those of the old text.
    private static func verify(
        _ text: [UInt8], _ name: String, _ value: String, _ parent: String, before old: [UInt8]
    ) throws(Failure) {
        let (root, oldRoot) = (try object(text), try object(old))
        guard let container = root[parent], let new = container[name], canonical(new) == canonical(try parsed(value)),
            others(root, than: parent) == others(oldRoot, than: parent),
            others(container, than: name) == (oldRoot[parent].map { others($0, than: name) } ?? [])
        else { throw .unverified }
    }

    private static func others(_ object: JSONValue, than name: String) -> [[UInt8]] {
        object.members.filter { $0.name != name }.map { Array($0.name.utf8) + [0] + canonical($0.value) }
    }

    // MARK: Writing

    /// The JSON text of a string, with its quotes.
    package static func quoted(_ text: String) -> String { String(decoding: JSONWriter.scalar(text), as: UTF8.self) }

    private static func indented(_ value: String, _ indent: String) -> String {
        value.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "\n\(indent)")
    }
}
