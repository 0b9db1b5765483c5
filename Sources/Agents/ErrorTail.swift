/// The end of an agent's standard error, which can explain why the agent ended.
package struct ErrorTail: Codable {
    /// 4 KiB, enough for the last lines of a stack trace.
    static let limitBytes = 4 << 10

    private var bytes: [UInt8] = []

    mutating func append(_ chunk: UnsafeRawBufferPointer) {
        bytes.append(contentsOf: chunk.suffix(Self.limitBytes))
        if bytes.count > Self.limitBytes { bytes.removeFirst(bytes.count - Self.limitBytes) }
    }

    /// The text. Invalid UTF-8 becomes replacement characters.
    package var text: String { String(decoding: bytes, as: UTF8.self) }
}
