/// The place of a span in a trace. Source: W3C Trace Context, level 1.
package struct TraceContext: Sendable, Equatable {
    /// 32 lower-case hexadecimal digits, not all 0.
    package let traceId: String
    /// 16 lower-case hexadecimal digits, not all 0.
    package let spanId: String
    package let isSampled: Bool
    /// The vendors' data, passed on unchanged; nil if there are none.
    package let state: String?

    /// 512 characters: what every implementation must accept. Longer values are ignored.
    private static let stateLimitBytes = 512

    /// Reads `traceparent` and `tracestate`. Returns nil if `traceparent` is not valid.
    package init?(parent: String, state: String? = nil) {
        let parts = parent.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count >= 4, Self.isHexadecimal(parts[0], 2), parts[0] != "ff", parts[0] != "00" || parts.count == 4,
            Self.isHexadecimal(parts[1], 32), Self.isHexadecimal(parts[2], 16), Self.isHexadecimal(parts[3], 2),
            parts[1].contains(where: { $0 != "0" }), parts[2].contains(where: { $0 != "0" })
        else { return nil }
        traceId = String(parts[1])
        spanId = String(parts[2])
        isSampled = UInt8(parts[3], radix: 16).map { $0 & 1 == 1 } ?? false
        let isUsable = state.map {
            $0.utf8.count <= Self.stateLimitBytes && $0.utf8.allSatisfy { (0x20...0x7e).contains($0) }
        }
        self.state = isUsable == true ? state : nil
    }

    private static func isHexadecimal(_ text: Substring, _ count: Int) -> Bool {
        text.utf8.count == count
            && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }
}

/// Creates ids of traces and spans.
package struct TraceIds: Sendable {
    /// Returns that many random bytes as lower-case hexadecimal digits.
    let random: @Sendable (Int) -> String

    package init(random: @escaping @Sendable (Int) -> String) { self.random = random }

    func trace() -> String { random(16) }
    func span() -> String { random(8) }
}
