import Connections
import EventLoop
import Posix

/// WebSocket frames of consecutive messages, encoded once and sent unchanged to all readers.
///
/// Framing depends only on the stored bytes. A position in the frames is therefore the same whether the frames come
/// from memory or, later, from the log. A position is a number of bytes, counted from the frame of message `first`.
package final class FrameChunk {
    /// The number of the first message.
    let first: Int64
    let count: Int
    private let frames: OutgoingFrames
    /// Filled in when a reader looks for runs.
    var runs = Runs()
    /// When the lines were stored, and how many bytes of frames the session had before them. Set only in a session's
    /// tail.
    var place: (storedAt: Instant, offset: Int)?

    /// Encodes stored lines: see ``OutgoingFrames``. Returns nil if there are more or fewer lines than `count`.
    init?(lines: [UInt8], count: Int, first: Int64, receiverCount: Int) {
        self.first = first
        self.count = count
        frames = OutgoingFrames(lines: lines, count: count, receiverCount: receiverCount)
        if frames.lineCount != count { return nil }
    }

    /// Takes frames that were encoded one by one.
    init(frames: [UInt8], count: Int, first: Int64) {
        self.first = first
        self.count = count
        self.frames = OutgoingFrames(frames)
    }

    var byteCount: Int { frames.byteCount }

    func bytes(from offset: Int, to end: Int) -> OutgoingBytes { frames.bytes(offset..<end) }

    /// Returns the end of the frame that contains `offset`, or `offset` itself if one frame ends there and the next
    /// begins.
    func frameBoundary(atOrAfter offset: Int) -> Int {
        var end = 0
        while end < offset { end = frames.payload(at: end).upperBound }
        return end
    }

    /// Returns the offset at which the message with this number begins.
    func offset(of number: Int64) -> Int {
        var offset = 0
        for _ in 0..<max(0, Int(number - first)) { offset = frames.payload(at: offset).upperBound }
        return offset
    }

    /// Returns the number of the message that contains the byte at `offset`, and the offset at which its frame begins.
    func message(at offset: Int) -> (number: Int64, start: Int) {
        var (number, start) = (first, 0)
        while start < byteCount {
            let next = frames.payload(at: start).upperBound
            if offset < next { break }
            number += 1
            start = next
        }
        return (number, start)
    }

    /// Passes each message to `body` until `body` returns false. The first message is the one whose frame begins at
    /// `offset`.
    func forEachPayload(from offset: Int, _ body: (UnsafeRawBufferPointer) -> Bool) {
        var start = offset
        while start < byteCount {
            let payload = frames.payload(at: start)
            guard body(frames.bytes(payload).bytes) else { return }
            start = payload.upperBound
        }
    }
}
