import Coalescing
import Tinyvex
import WebSocket

/// A merged chunk under construction. On a timeline, it replaces the last update's line in that update's message.
struct MergedMessage {
    let stream: Subscription.Stream
    let last: Int64
    private var chunk: MergedChunk?
    private var around: (front: [UInt8], back: [UInt8]) = ([], [])

    init(stream: Subscription.Stream, last: Int64) {
        self.stream = stream
        self.last = last
    }

    /// Adds the updates in `frames`, starting with number `next`.
    mutating func add(_ frames: FrameChunk, from next: inout Int64) {
        frames.forEachPayload(from: frames.offset(of: next)) { payload in
            guard next <= last else { return false }
            let payload = payload.assumingMemoryBound(to: UInt8.self).span
            switch stream {
            case .updates: add(payload, next)
            case .timeline:
                guard let message = TimelineMessage(payload) else { break }
                add(payload.extracting(message.notification), message.seq)
                guard next == last else { break }
                around.front = payload.extracting(..<message.notification.lowerBound).withUnsafeBufferPointer(
                    Array.init)
                around.back = payload.extracting(message.notification.upperBound...).withUnsafeBufferPointer(Array.init)
            }
            next += 1
            return true
        }
    }

    private mutating func add(_ line: Span<UInt8>, _ number: Int64) {
        if chunk == nil { chunk = MergedChunk(first: line, number: number) } else { chunk?.append(line) }
    }

    /// Returns nil if there was nothing to merge.
    func frame() -> [UInt8]? {
        guard let chunk else { return nil }
        var frame: [UInt8] = []
        let message = around.front + chunk.bytes() + around.back
        Frame.append(.text, message.span, to: &frame)
        return frame
    }
}
