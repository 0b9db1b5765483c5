import HTTPTokens

/// The HTTP fields with which the collector recognises this bridge, such as `Authorization`. They are secret. Pure.
package struct CollectorFields: Sendable, Equatable {
    /// `Authorization: Bearer …`, as libcurl takes them.
    package let lines: [String]

    /// An error in the file. It never repeats a value.
    package struct Fault: Error, Equatable, CustomStringConvertible {
        let line: Int
        let reason: String

        package var description: String { "line \(line): \(reason)" }
    }

    /// 8 KiB: servers accept about as much for all fields of a request.
    package static let limitBytes = 8 << 10
    static let limitCount = 32

    package init() { lines = [] }

    /// - Parameter text: One `NAME: VALUE` per line. Empty lines, and lines that begin with `#`, are ignored.
    package init(_ text: [UInt8]) throws(Fault) {
        guard text.count <= Self.limitBytes else {
            throw Fault(line: 1, reason: "the file has more than \(Self.limitBytes) bytes")
        }
        var lines: [String] = []
        for (index, bytes) in text.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() {
            let line = Self.trimmed(bytes)
            guard let first = line.first, first != UInt8(ascii: "#") else { continue }
            do throws(Reason) {
                lines.append(try Self.field(line))
            } catch {
                throw Fault(line: index + 1, reason: error.text)
            }
            guard lines.count <= Self.limitCount else {
                throw Fault(line: index + 1, reason: "there are more than \(Self.limitCount) fields")
            }
        }
        self.lines = lines
    }

    private struct Reason: Error { let text: String }

    private static func field(_ line: ArraySlice<UInt8>) throws(Reason) -> String {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex else {
            throw Reason(text: "a field has the form NAME: VALUE")
        }
        let name = line[..<colon]
        guard HTTPToken.isValid(name) else { throw Reason(text: "the field's name has an invalid character") }
        let text = String(decoding: name, as: UTF8.self)
        guard !reserved.contains(text.lowercased()) else { throw Reason(text: "the field \(text) cannot be set") }
        let value = trimmed(line[(colon + 1)...])
        guard !value.isEmpty else { throw Reason(text: "the field \(text) has no value") }
        guard value.allSatisfy({ (0x20...0x7E).contains($0) || $0 == 0x09 }) else {
            throw Reason(text: "the value of \(text) has a character that is not ASCII")
        }
        return "\(text): \(String(decoding: value, as: UTF8.self))"
    }

    /// Fields of the request itself.
    private static let reserved: Set<String> = [
        "connection", "content-encoding", "content-length", "content-type", "expect", "host", "te", "trailer",
        "transfer-encoding", "upgrade",
    ]

    private static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0D }
        var bytes = bytes.drop(while: isBlank)
        while let last = bytes.last, isBlank(last) { bytes.removeLast() }
        return bytes
    }
}
