import Agents

/// The agent or session that a client's URL names: `/acp?agent=codex`, `/acp?session=sess_1`.
package struct GuestAddress: Sendable, Equatable, Codable {
    /// The profile of the agent to start, or of the kept agent to take over.
    var agent: String?
    /// A running session to join.
    var session: String?
    /// The launch request of a stdio shim on this machine.
    var launch: LaunchRequest?

    init() {}

    /// - Parameter query: a URL's query without its question mark. Unknown parameters are ignored.
    package init(query: String?) {
        for part in (query ?? "").split(separator: "&") {
            let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard pair.count == 2, let value = Self.decoded(pair[1]), !value.isEmpty else { continue }
            switch pair[0] {
            case "agent": agent = value
            case "session": session = value
            default: break
            }
        }
    }

    /// Decodes percent escapes (RFC 3986 section 2.1). Returns nil if an escape is malformed or the result is not
    /// UTF-8.
    private static func decoded(_ text: Substring) -> String? {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit) else {
                return nil
            }
            bytes.append(high << 4 | low)
        }
        return String(validating: bytes, as: UTF8.self)
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x37
        case 0x61...0x66: byte - 0x57
        default: nil
        }
    }
}
