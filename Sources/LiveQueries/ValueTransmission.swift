import JSONScan
import Tinyvex
import WebSocket

/// Sends one value to one subscriber, as one `tinyvex/data` or, if its text is split, as several
/// `tinyvex/transitionChunk`. Pure.
///
/// Each frame is built after the previous one has been sent. It refers to the bytes that all subscribers share, so a
/// slow reader costs only the memory for a frame's head or for one chunk.
struct ValueTransmission {
    private let seq: Int64
    private let subId: String
    private let value: [UInt8]
    private let transitionId: String
    /// The parts of the value's text; one part if the text is not split.
    private let parts: [Range<Int>]
    /// The index of the part that is being sent.
    private var part = 0
    private var frame = Frame()
    private var sentOfFrame = 0

    /// The head and tail of a frame, and the range of the shared bytes between them.
    private struct Frame {
        var head: [UInt8] = []
        var body = 0..<0
        var tail: [UInt8] = []
        var byteCount: Int { head.count + body.count + tail.count }
    }

    /// - Parameters:
    ///   - value: JSON text.
    ///   - transitionId: Distinguishes the chunks of this value from the chunks of another value.
    ///   - mayChunk: True if the client can join chunks.
    init(_ value: [UInt8], subId: String, seq: Int64, transitionId: String, mayChunk: Bool) {
        self.value = value
        self.subId = subId
        self.seq = seq
        self.transitionId = transitionId
        let isWhole = !mayChunk || value.count <= TransitionChunk.limitBytes
        parts = isWhole ? [value.indices] : Self.cut(value)
        beginFrame()
    }

    /// Creates a transmission of another kind of message, which is sent instead of a value.
    init(message: [UInt8], subId: String) {
        value = []
        self.subId = subId
        seq = 0
        transitionId = ""
        parts = [0..<0]
        WebSocket.Frame.append(.text, message.span, to: &frame.head)
    }

    /// True if everything has been sent.
    var isDone: Bool { part == parts.count }
    var isMidFrame: Bool { !isDone && sentOfFrame > 0 }

    /// Sends the rest of the current frame. Returns true if the frame has been sent completely.
    ///
    /// - Parameter write: Returns the number of bytes that were accepted.
    mutating func sendFrame(_ write: (UnsafeRawBufferPointer) -> Int) -> Bool {
        while !isDone, sentOfFrame < frame.byteCount {
            let (sent, wasTaken) = sendSegment(write)
            sentOfFrame += sent
            guard wasTaken else { return false }
        }
        part += 1
        if !isDone { beginFrame() }
        return true
    }

    private func sendSegment(_ write: (UnsafeRawBufferPointer) -> Int) -> (sent: Int, wasTaken: Bool) {
        let (bytes, range) = segment
        let sent = bytes.withUnsafeBytes { write(UnsafeRawBufferPointer(rebasing: $0[range])) }
        return (sent, sent == range.count)
    }

    /// The unsent part of the head, of the shared bytes or of the tail.
    private var segment: (bytes: [UInt8], range: Range<Int>) {
        if sentOfFrame < frame.head.count { return (frame.head, sentOfFrame..<frame.head.count) }
        let sentOfBody = sentOfFrame - frame.head.count
        if sentOfBody < frame.body.count {
            return (value, frame.body.lowerBound + sentOfBody..<frame.body.upperBound)
        }
        return (frame.tail, sentOfBody - frame.body.count..<frame.tail.count)
    }

    private mutating func beginFrame() {
        sentOfFrame = 0
        frame = parts.count == 1 ? wholeFrame() : chunkFrame()
    }

    private func wholeFrame() -> Frame {
        // The frame is written with a value of one byte, which is then removed.
        let message = ServerNotification.data(subId: subId, seq: seq, value: [UInt8(ascii: "0")])
        let tail = Array("}}".utf8)
        let opening = message.dropLast(tail.count + 1)
        let header = FrameHeader(
            fin: true, opcode: .text, maskKey: nil, payloadLength: opening.count + value.count + tail.count)
        return Frame(head: header.bytes + opening, body: value.indices, tail: tail)
    }

    private func chunkFrame() -> Frame {
        let message = ServerNotification.transitionChunk(
            TransitionChunk(
                subId: subId, seq: seq, chunk: String(decoding: value[parts[part]], as: UTF8.self), part: part + 1,
                total: parts.count, transitionId: transitionId))
        var head: [UInt8] = []
        WebSocket.Frame.append(.text, message.span, to: &head)
        return Frame(head: head)
    }

    /// Splits the text into parts of `TransitionChunk.limitBytes` or slightly less. No part begins in the middle of a
    /// character.
    private static func cut(_ value: [UInt8]) -> [Range<Int>] {
        var parts: [Range<Int>] = []
        var start = 0
        while start < value.count {
            var end = min(start + TransitionChunk.limitBytes, value.count)
            while end < value.count, end > start + 1, value[end] & 0xc0 == 0x80 { end -= 1 }
            parts.append(start..<end)
            start = end
        }
        return parts
    }
}

extension FrameHeader {
    fileprivate var bytes: [UInt8] {
        [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            count = write(into: UnsafeMutableRawBufferPointer(buffer))
        }
    }
}
