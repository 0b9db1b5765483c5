import WebSocket

/// Counts a server's text messages in a stream of bytes that is cut at any place, without copying their payloads.
struct FrameWalker {
    /// The missing bytes of a frame with an incomplete payload.
    private var missingBytes = 0
    private var isMissingText = false
    /// The start of a header that was cut. Usually empty.
    private var cutHeader: [UInt8] = []

    /// Returns how many text messages ended in `chunk`. `began` receives the available start of each payload that
    /// begins in it.
    mutating func walk(
        _ chunk: UnsafeRawBufferPointer, began: (UnsafeRawBufferPointer) -> Void = { _ in }
    ) throws(ProtocolViolation) -> Int {
        var ended = 0
        var offset = skipPayload(chunk, from: 0, &ended)
        while offset < chunk.count {
            guard let header = try header(chunk, &offset) else { return ended }
            missingBytes = header.payloadLength
            isMissingText = header.opcode == .text
            if isMissingText { began(UnsafeRawBufferPointer(rebasing: chunk[offset...].prefix(missingBytes))) }
            offset = skipPayload(chunk, from: offset, &ended)
        }
        return ended
    }

    /// Skips the available part of the current payload. Returns the offset after it.
    private mutating func skipPayload(_ chunk: UnsafeRawBufferPointer, from offset: Int, _ ended: inout Int) -> Int {
        let taken = min(missingBytes, chunk.count - offset)
        missingBytes -= taken
        if missingBytes == 0, isMissingText {
            ended += 1
            isMissingText = false
        }
        return offset + taken
    }

    /// Reads the next header and moves `offset` after it. Returns nil when the header is incomplete.
    private mutating func header(
        _ chunk: UnsafeRawBufferPointer, _ offset: inout Int
    ) throws(ProtocolViolation) -> FrameHeader? {
        guard cutHeader.isEmpty else { return try joinedHeader(chunk, &offset) }
        guard let header = try FrameHeader.parse(chunk.bytes, at: offset, limitBytes: .max) else {
            cutHeader = Array(chunk[offset...])
            offset = chunk.count
            return nil
        }
        offset += header.size
        return header
    }

    private mutating func joinedHeader(
        _ chunk: UnsafeRawBufferPointer, _ offset: inout Int
    ) throws(ProtocolViolation) -> FrameHeader? {
        let before = cutHeader.count
        let rest = chunk[offset...].prefix(FrameHeader.maxSize - before)
        cutHeader += rest
        guard let header = try FrameHeader.parse(cutHeader.span.bytes, limitBytes: .max) else {
            offset += rest.count
            return nil
        }
        cutHeader = []
        offset += header.size - before
        return header
    }
}
