import ACP
import JSONCoding
import JSONScan

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Converts between a program's types and JSON text on the wire.
package enum ModelCoding {
    /// Members are sorted and slashes are not escaped, as with `JSONEncoder` and
    /// `[.sortedKeys, .withoutEscapingSlashes]`. Equal params therefore have equal texts and share one subscription.
    private static let encoder: JSONTextEncoder = {
        var encoder = JSONTextEncoder(memberOrder: .sorted)
        encoder.conversions.add(Date.self) { DateText.text($0).map { RawJSON($0) } }
        encoder.conversions.add(Data.self) { RawJSON($0.base64EncodedString()) }
        encoder.conversions.add(URL.self) { RawJSON($0.absoluteString) }
        encoder.conversions.add(Decimal.self) { try? RawJSON(validating: $0.description) }
        return encoder
    }()

    private static let decoder: JSONTextDecoder = {
        var decoder = JSONTextDecoder()
        decoder.conversions.add(Date.self, date)
        decoder.conversions.add(Data.self) { $0.stringValue.flatMap { Data(base64Encoded: $0) } }
        decoder.conversions.add(URL.self) { $0.stringValue.flatMap { URL(string: $0) } }
        decoder.conversions.add(Decimal.self) { $0.kind == .number ? Decimal(string: $0.rawString) : nil }
        return decoder
    }()

    /// Reads a date from text, or from a number: milliseconds since 1970, as in the protocol.
    private static func date(_ value: JSONValue) -> Date? {
        if let text = value.stringValue { return DateText.date(text) }
        return value.doubleValue.map { Date(timeIntervalSince1970: $0 / 1_000) }
    }

    // MARK: Writing

    /// Encodes the params or args of a call, which must be an object. Nil and `null` become an empty object.
    package static func object(_ value: (any Encodable)?) throws(TinyvexError) -> [UInt8] {
        let empty = Array("{}".utf8)
        guard let value else { return empty }
        let text = try self.text(value)
        switch text.first {
        case UInt8(ascii: "{"): return text
        case UInt8(ascii: "n"): return empty
        default:
            throw .encoding(DecodingFault(path: "", description: "params must be an object, not \(type(of: value))"))
        }
    }

    package static func text(_ value: any Encodable) throws(TinyvexError) -> [UInt8] {
        do throws(JSONCodingError) {
            return try encoder.encode(value)
        } catch {
            throw .encoding(DecodingFault(error))
        }
    }

    // MARK: Reading

    /// Decodes a value. A list is read both from an array and from `{"data":[…]}`.
    package static func value<Value: Decodable>(
        _ type: Value.Type, from text: ArraySlice<UInt8>
    ) throws(TinyvexError) -> Value {
        do throws(JSONCodingError) {
            if type is any JSONList.Type, text.first == UInt8(ascii: "{"), let list = wrappedList(in: text) {
                return try wrapped(type, in: list)
            }
            return try decoder.decode(type, from: text)
        } catch {
            throw .decoding(DecodingFault(error))
        }
    }

    /// Decodes a line of a session's stream.
    static func update(_ line: [UInt8]) throws(DecodingFault) -> ACP.Client.SessionNotificationWire {
        do {
            return try ACP.Client.SessionNotificationWire(line: RawJSON(validating: line))
        } catch let error as JSONCodingError {
            throw DecodingFault(error)
        } catch {
            throw DecodingFault(path: "", description: "\(error)")
        }
    }

    /// Decodes a line of a session's stream in the version of its session's agent, which can still be unknown.
    static func update(
        _ line: [UInt8], _ detector: inout ACP.VersionDetector
    ) throws(DecodingFault) -> ACP.VersionedNotification {
        do {
            let line = try RawJSON(validating: line)
            return try ACP.VersionedNotification(line: line, version: detector.version(of: line))
        } catch let error as JSONCodingError {
            throw DecodingFault(error)
        } catch {
            throw DecodingFault(path: "", description: "\(error)")
        }
    }

    private static func wrappedList(in text: ArraySlice<UInt8>) -> JSONValue? {
        guard let list = (try? JSONValue(validating: Array(text)))?["data"], list.kind == .array else { return nil }
        return list
    }

    private static func wrapped<Value: Decodable>(
        _ type: Value.Type, in list: JSONValue
    ) throws(JSONCodingError) -> Value {
        do throws(JSONCodingError) {
            return try decoder.decode(type, from: list)
        } catch {
            throw error.below("data")
        }
    }
}

/// A type that is an array in JSON.
private protocol JSONList {}

extension Array: JSONList {}
extension ContiguousArray: JSONList {}
extension Set: JSONList {}

extension JSONCodingError {
    fileprivate func below(_ key: String) -> JSONCodingError {
        let path = CodingPath([.member(key)] + path.steps)
        return switch self {
        case .syntax: self
        case .mismatch(let expected, let found, _): .mismatch(expected: expected, found: found, path: path)
        case .rejected(let reason, let found, _): .rejected(reason: reason, found: found, path: path)
        case .unencodable(let reason, _): .unencodable(reason: reason, path: path)
        }
    }
}

extension DecodingFault {
    init(_ error: JSONCodingError) {
        self.init(path: error.path.description, description: error.description)
    }
}
