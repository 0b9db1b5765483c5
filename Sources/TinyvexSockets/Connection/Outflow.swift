import WebSocket

/// The outgoing frames, in the order in which they can be sent.
struct Outflow {
    /// Whole frames that are being sent. Nothing can be inserted between their bytes.
    private var chunk: [UInt8] = []
    private var sentBytes = 0
    /// The chunk contains the users' frames and counts against their limit.
    private var isUsers = false
    private var pong: [UInt8]?
    private var closeFrame: [UInt8]?
    /// The socket accepts no more bytes. Bytes that it has received can still be read.
    private var isBroken = false

    /// True if there are bytes to send and the socket still accepts bytes.
    var isWaiting: Bool { !isBroken && (sentBytes < chunk.count || pong != nil || closeFrame != nil) }

    /// True if the users' last frames are sent and no close frame is queued.
    var takesUserFrames: Bool { sentBytes == chunk.count && closeFrame == nil }

    mutating func add(userFrames frames: [UInt8]) {
        guard !frames.isEmpty else { return }
        begin(frames)
        isUsers = true
    }

    /// Replaces an older pong that has not been sent yet.
    mutating func add(pong payload: [UInt8]) { pong = Frame.pong(payload, maskKey: MaskKey.next()) }

    /// Adds the last frame.
    mutating func add(close code: CloseCode?, reason: String = "") {
        closeFrame = Frame.close(code, reason: reason, maskKey: MaskKey.next())
    }

    /// Sends until the wire accepts no more bytes. Returns the number of the users' bytes that are now sent.
    mutating func flush(to wire: any Wire) -> Int {
        var gone = 0
        while isWaiting {
            if sentBytes == chunk.count { beginControlFrame() }
            let rest = sentBytes
            switch chunk.withUnsafeBytes({ wire.write(UnsafeRawBufferPointer(rebasing: $0[rest...])) }) {
            case .wrote(let count) where count > 0: sentBytes += count
            case .wrote, .wouldBlock: return gone
            case .failed: isBroken = true
            }
            if sentBytes == chunk.count { gone += endChunk() }
        }
        return gone
    }

    private mutating func beginControlFrame() {
        guard let frame = pong ?? closeFrame else { return }
        if pong != nil { pong = nil } else { closeFrame = nil }
        begin(frame)
    }

    private mutating func begin(_ frames: [UInt8]) {
        chunk = frames
        sentBytes = 0
    }

    private mutating func endChunk() -> Int {
        defer { (chunk, sentBytes, isUsers) = ([], 0, false) }
        return isUsers ? chunk.count : 0
    }
}

/// A new, unpredictable key for each frame. Source: RFC 6455, section 5.3.
enum MaskKey {
    static func next() -> UInt32 {
        var generator = SystemRandomNumberGenerator()
        return generator.next()
    }
}
