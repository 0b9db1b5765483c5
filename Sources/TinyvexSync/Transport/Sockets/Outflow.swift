import WebSocket

/// What is to be sent, in the order in which it may be.
struct Outflow {
    /// Whole frames that are being sent: nothing may come between their bytes.
    private var chunk: [UInt8] = []
    private var sentBytes = 0
    /// The chunk is the users' and counts against their limit.
    private var isUsers = false
    private var pong: [UInt8]?
    private var closeFrame: [UInt8]?
    /// The socket takes nothing more. What it has brought may still be read.
    private var isBroken = false

    /// There is something to send, and it may go.
    var isWaiting: Bool { !isBroken && (sentBytes < chunk.count || pong != nil || closeFrame != nil) }

    /// What the users gave last has gone, and nothing forbids more.
    var takesUserFrames: Bool { sentBytes == chunk.count && closeFrame == nil }

    mutating func add(userFrames frames: [UInt8]) {
        guard !frames.isEmpty else { return }
        begin(frames)
        isUsers = true
    }

    /// Replaces a pong that could not be sent before the next one was due.
    mutating func add(pong payload: [UInt8]) { pong = Frame.pong(payload, maskKey: MaskKey.next()) }

    /// The last frame.
    mutating func add(close code: CloseCode?, reason: String = "") {
        closeFrame = Frame.close(code, reason: reason, maskKey: MaskKey.next())
    }

    /// Sends until the wire takes no more. Returns how many bytes of the users' have gone.
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

/// Fresh and unforeseeable for each frame. Source: RFC 6455, section 5.3.
enum MaskKey {
    static func next() -> UInt32 {
        var generator = SystemRandomNumberGenerator()
        return generator.next()
    }
}
