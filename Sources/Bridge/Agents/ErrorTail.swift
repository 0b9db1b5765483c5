/// The end of what an agent wrote to its standard error, to say why it died.
struct ErrorTail: Codable {
    /// 4 KiB: a stack trace's last lines.
    static let limitBytes = 4 << 10

    private var bytes: [UInt8] = []

    mutating func append(_ chunk: UnsafeRawBufferPointer) {
        bytes.append(contentsOf: chunk.suffix(Self.limitBytes))
        if bytes.count > Self.limitBytes { bytes.removeFirst(bytes.count - Self.limitBytes) }
    }

    /// What was not UTF-8 shows as replacement characters.
    var text: String { String(decoding: bytes, as: UTF8.self) }
}
