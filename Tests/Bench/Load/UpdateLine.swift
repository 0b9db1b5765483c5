/// One `session/update` line of a chosen size, with room for a ``Stamp`` at a known offset.
package struct UpdateLine {
    /// The line with its LF.
    let bytes: [UInt8]

    private static let suffix = "\"}}}}\n"

    private static func prefix(_ sessionId: String) -> String {
        "{\"jsonrpc\":\"2.0\",\"method\":\"session/update\",\"params\":{\"sessionId\":\"\(sessionId)\","
            + "\"update\":{\"sessionUpdate\":\"agent_message_chunk\",\"content\":{\"type\":\"text\",\"text\":\""
    }

    /// The offset of the stamp in a line and in the frame payload that is made of it. It is equal for all sessions.
    package static let stampOffset = prefix(sessionId(1)).utf8.count
    package static let leastBytes = stampOffset + Stamp.byteCount + suffix.utf8.count

    /// `bench-0001`. Ids up to 9,999 have the same length.
    package static func sessionId(_ number: Int) -> String {
        let digits = String(number)
        return "bench-" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }

    /// - Parameter byteCount: The size including the LF; at least ``leastBytes``.
    init(sessionId: String, byteCount: Int) {
        let filler = String(repeating: "abcdefgh", count: byteCount / 8 + 1)
        let front = Array(Self.prefix(sessionId).utf8) + Array(repeating: UInt8(ascii: "0"), count: Stamp.byteCount)
        let back = Array(Self.suffix.utf8)
        bytes = front + filler.utf8.prefix(max(0, byteCount - front.count - back.count)) + back
    }

    /// Calls `body` with the stamps that are complete in `chunk`. The chunk begins `offset` bytes into a stream of
    /// lines of `lineBytes` each.
    package static func forEachStamp(
        in chunk: UnsafeRawBufferPointer, at offset: Int, lineBytes: Int, _ body: (Int64) -> Void
    ) {
        let before = offset % lineBytes
        var place = stampOffset - before
        if place < 0 { place += lineBytes }
        while place + Stamp.byteCount <= chunk.count {
            if let stamp = Stamp.read(UnsafeRawBufferPointer(rebasing: chunk[place...])) { body(stamp) }
            place += lineBytes
        }
    }
}

/// A time of the monotonic clock, which all processes of a machine share, as 16 hexadecimal digits of nanoseconds.
package enum Stamp {
    static let byteCount = 16
    private static let digits = Array("0123456789abcdef".utf8)

    static func write(_ nanoseconds: Int64, to target: UnsafeMutableRawBufferPointer) {
        var rest = UInt64(bitPattern: nanoseconds)
        for index in stride(from: byteCount - 1, through: 0, by: -1) {
            target[index] = digits[Int(rest & 15)]
            rest >>= 4
        }
    }

    /// Nil without 16 digits, or if all are zero: an agent without stamps writes zeros.
    package static func read(_ bytes: UnsafeRawBufferPointer) -> Int64? {
        guard bytes.count >= byteCount else { return nil }
        var value: UInt64 = 0
        for index in 0..<byteCount {
            guard let digit = digits.firstIndex(of: bytes[index]) else { return nil }
            value = value << 4 | UInt64(digit)
        }
        return value == 0 ? nil : Int64(bitPattern: value)
    }
}
