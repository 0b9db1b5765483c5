import JSONScan

/// Why a text could not be read as a type, or a value not be written as text.
///
/// What it says of the text is short enough to be logged: kinds, places, and of strings no more than 40 characters.
public enum JSONCodingError: Error, Hashable, Sendable {
    /// The text is not JSON.
    case syntax(JSONSyntaxError)

    /// Another kind of value stands there, or one that does not fit, or none.
    ///
    ///     expected Date at data[0].createdAt, found string "yesterday"
    case mismatch(expected: String, found: String, path: CodingPath)

    /// The value has the right kind, but its type does not want it and says why in its own words.
    ///
    ///     at retry.limit, found number 0: the limit is at least 1
    case rejected(reason: String, found: String, path: CodingPath)

    /// The value has no form in JSON, or refused to be written.
    ///
    ///     cannot encode at cost.amount: nan is not a JSON number
    case unencodable(reason: String, path: CodingPath)

    /// Where in the text or value it is; the outermost value itself for a syntax error.
    public var path: CodingPath {
        switch self {
        case .syntax: CodingPath()
        case .mismatch(_, _, let path), .rejected(_, _, let path), .unencodable(_, let path): path
        }
    }

    /// The same error, seen from a value that holds the one it was found in at `outer`.
    func moved(below outer: CodingPath) -> JSONCodingError {
        switch self {
        case .syntax: self
        case .mismatch(let expected, let found, let path):
            .mismatch(expected: expected, found: found, path: outer + path)
        case .rejected(let reason, let found, let path): .rejected(reason: reason, found: found, path: outer + path)
        case .unencodable(let reason, let path): .unencodable(reason: reason, path: outer + path)
        }
    }
}

extension JSONCodingError: CustomStringConvertible {
    public var description: String {
        let place = path.isEmpty ? "" : " at \(path)"
        return switch self {
        case .syntax(let error): error.description
        case .mismatch(let expected, let found, _): "expected \(expected)\(place), found \(found)"
        case .rejected(let reason, let found, _):
            (path.isEmpty ? "found \(found)" : "at \(path), found \(found)") + ": \(reason)"
        case .unencodable(let reason, _): "cannot encode\(place): \(reason)"
        }
    }
}

extension JSONValue {
    /// The value in a few words: its kind, and what it says if that is short.
    var summary: String {
        switch kind {
        case .object: return "object"
        case .array: return "array"
        case .null: return "null"
        case .boolean: return rawString
        case .number: return rawText.count <= 40 ? "number \(rawString)" : "number of \(rawText.count) digits"
        case .string:
            // No shorter text has more than 40 characters of six bytes.
            guard rawText.count <= 242, let string = stringValue, string.count <= 40 else {
                return "string of \(rawText.count - 2) bytes"
            }
            return "string \(rawString)"
        }
    }
}
