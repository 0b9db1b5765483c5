/// Bytes that were read but not consumed yet. The buffer holds everything that its owner appends. The parsers limit how
/// much they leave in it.
struct InputBuffer: Sendable {
    private var bytes: [UInt8] = []
    private var position = 0
    /// No line ends before this offset. It ensures that a head that arrives byte by byte is scanned only once.
    private var scanned = 0

    var count: Int { bytes.count - position }

    mutating func append(_ more: UnsafeRawBufferPointer) {
        dropTaken()
        bytes.append(contentsOf: more)
    }

    /// The next line without its CR LF, or nil until it is complete.
    ///
    /// A line over `limitBytes`, including its line end, is refused with `excess`, even before it is complete.
    mutating func takeLine(limitBytes: Int, excess: HTTPRefusal) throws(HTTPRefusal) -> ArraySlice<UInt8>? {
        while scanned < bytes.count {
            if scanned - position >= limitBytes { throw excess }
            let byte = bytes[scanned]
            if byte == ASCII.carriageReturn {
                guard scanned + 1 < bytes.count else { return nil }
                guard bytes[scanned + 1] == ASCII.lineFeed else { throw .bareLineEnding }
                if scanned + 2 - position > limitBytes { throw excess }
                return takeLine(endingAt: scanned)
            }
            if byte == ASCII.lineFeed { throw .bareLineEnding }
            if ASCII.isForbiddenControl(byte) { throw .controlByte }
            scanned += 1
        }
        return nil
    }

    private mutating func takeLine(endingAt end: Int) -> ArraySlice<UInt8> {
        let line = bytes[position..<end]
        position = end + 2
        scanned = position
        releaseIfDrained()
        return line
    }

    /// True if the bytes that are not consumed begin with this text.
    func starts(with text: String) -> Bool { bytes[position...].starts(with: text.utf8) }

    /// Up to `count` bytes, or fewer if fewer are available.
    mutating func takeBytes(upTo count: Int) -> ArraySlice<UInt8> {
        let end = position + min(count, bytes.count - position)
        let taken = bytes[position..<end]
        position = end
        scanned = end
        releaseIfDrained()
        return taken
    }

    mutating func takeAll() -> [UInt8] {
        Array(takeBytes(upTo: bytes.count - position))
    }

    /// Compacts only when half of the buffer is consumed, so that each byte is moved about once in total.
    private mutating func dropTaken() {
        guard position > 0, position >= bytes.count / 2 else { return }
        bytes.removeFirst(position)
        scanned -= position
        position = 0
    }

    private mutating func releaseIfDrained() {
        guard position == bytes.count else { return }
        bytes = []
        position = 0
        scanned = 0
    }
}
