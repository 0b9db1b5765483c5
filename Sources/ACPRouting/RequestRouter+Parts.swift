import ACPMethods
import FieldLimits
import JSONRPC
import JSONScan

/// The parts of a line that the router reads.
extension RequestRouter {
    /// The id of a request or a response; nil for a notification. A notification of ACP with `"id":null`, as some programs
    /// write it, has no id. Other methods can have this id: JSON-RPC and ACP allow it in requests.
    static func id(_ envelope: Envelope, _ line: Span<UInt8>) -> RequestID? {
        guard !hasLongID(envelope), let id = envelope.id.flatMap({ RequestID(in: line, at: $0) }) else { return nil }
        guard id == .null, let method = envelope.string(in: line, at: envelope.method) else { return id }
        return isNotification(method) ? nil : id
    }

    /// True for a method of ACP that has no response.
    package static func isNotification(_ method: String) -> Bool { ACPMethod(named: method)?.kind == .notification }

    static func hasLongID(_ envelope: Envelope) -> Bool { envelope.id.map { $0.count > idLimitBytes } ?? false }

    /// The session that a line names. Nil if the session's id is not published.
    static func session(_ envelope: Envelope, _ line: Span<UInt8>) -> String? {
        envelope.publishedSessionId(in: line)
    }

    static func bytes(_ line: Span<UInt8>, _ range: Range<Int>) -> [UInt8] {
        line.extracting(range).withUnsafeBufferPointer { Array($0) }
    }

    package static func value(_ line: Span<UInt8>, _ range: Range<Int>?) -> JSONValue? {
        range.flatMap { try? JSONValue(validating: line.extracting($0)) }
    }
}

extension Envelope {
    /// The session's id. Nil if it is longer than the limit for published ids, or has a lone surrogate.
    package func publishedSessionId(in line: Span<UInt8>) -> String? {
        // In JSON text, each UTF-8 byte of a scalar takes at most six bytes. The quotes add two.
        guard let range = sessionId, range.count <= 6 * FieldLimit.sessionIdBytes + 2 else { return nil }
        return exactString(in: line, at: range)?.within(bytes: FieldLimit.sessionIdBytes)
    }
}

extension JSONValue {
    /// This string as a session's id. Nil if it is longer than the limit for published ids, or has a lone surrogate.
    var publishedSessionId: String? { exactStringValue?.within(bytes: FieldLimit.sessionIdBytes) }
}
