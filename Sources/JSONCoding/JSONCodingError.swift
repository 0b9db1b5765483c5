import JSONScan

/// The reason why a text could not be decoded as a type, or a value could not be encoded as text.
///
/// The description is short enough to be logged: it contains kinds and paths, and at most 40 characters of a string.
public enum JSONCodingError: Error, Hashable, Sendable {
    /// The text is not JSON.
    case syntax(JSONSyntaxError)

    /// The value is missing, has the wrong kind, or does not fit.
    ///
    ///     expected Date at data[0].createdAt, found string "yesterday"
    case mismatch(expected: String, found: String, path: CodingPath)

    /// The value has the right kind, but its type refuses it with its own reason.
    ///
    ///     at retry.limit, found number 0: the limit is at least 1
    case rejected(reason: String, found: String, path: CodingPath)

    /// The value has no form in JSON, or its type refused to encode it.
    ///
    ///     cannot encode at cost.amount: nan is not a JSON number
    case unencodable(reason: String, path: CodingPath)

    /// The path of the value. It is empty for a syntax error.
    public var path: CodingPath {
        switch self {
        case .syntax: CodingPath()
        case .mismatch(_, _, let path), .rejected(_, _, let path), .unencodable(_, let path): path
        }
    }

    /// The same error with a path that starts at an outer value. `outer` is the path to the inner value.
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
    /// The value in a few words: its kind, and its content if that is short.
    var summary: String {
        switch kind {
        case .object: return "object"
        case .array: return "array"
        case .null: return "null"
        case .boolean: return rawString
        case .number: return rawText.count <= 40 ? "number \(rawString)" : "number of \(rawText.count) digits"
        case .string:
            // A string of up to 40 characters has at most 242 bytes: six bytes for each character, and the quotes.
            guard rawText.count <= 242, let string = stringValue, string.count <= 40 else {
                return "string of \(rawText.count - 2) bytes"
            }
            return "string \(rawString)"
        }
    }
}
