import Coalescing
import EventLoop
import Posix
import Tinyvex
import WebSocket

/// Sending under a policy: one message after another. The policy decides on each message when there is room for it.
extension Subscription {
    /// Maximum number of steps in one turn of the loop.
    private static let looksLimit = 256
    private static let scanLimitBytes = 512 << 10

    func pieceUnderPolicy() -> Piece {
        if skip > 0 { return restOfMessage() }
        guard anchor <= head else { return .atEnd }
        var scanned = 0
        for _ in 0..<Self.looksLimit {
            guard let step = coalescer?.machine.next(at: anchor, head: head, lag: lag) else { return .atEnd }
            switch step {
            case .send(let last): return updates(through: last)
            case .leaveOut(let last), .mergeLater(let last):
                return passOver(through: last, coalescer?.reason ?? .latest)
            case .merge(let first): return merged(from: first)
            case .look(let number):
                guard let chunk = chunk(holding: number) else { return pending(number) }
                scanned += look(at: number, in: chunk)
                if scanned > Self.scanLimitBytes { return .unfinished }
            }
        }
        return .unfinished
    }

    /// How far this reader is behind. For data that is not in the session's tail, the result can be lower than the real
    /// value.
    private var lag: Lag {
        let chunk = chunk(holding: anchor)
        let offset = chunk?.offset(of: anchor) ?? 0
        let bytesAtHand = (chunk?.byteCount ?? 0) - offset
        var lag = Lag(frames: head - anchor + 1, bytes: Int64(bytesAtHand), age: .zero)
        var storedAt = upToDate
        if stream == .updates {
            let tail = session.tailExtent
            lag.bytes = Int64(chunk?.place.map { tail.end - $0.offset - offset } ?? tail.byteCount + bytesAtHand)
            storedAt = max(storedAt, chunk?.place?.storedAt ?? tail.oldest ?? storedAt)
        }
        lag.age = Instant.now - storedAt
        return lag
    }

    /// Passes the run of an update to the policy. Returns how many bytes had to be scanned for it.
    private func look(at number: Int64, in chunk: FrameChunk) -> Int {
        guard let purpose = coalescer?.terms.policy.purpose else { return 0 }
        let scanned = chunk.knowsRuns(for: purpose) ? 0 : chunk.byteCount
        let run = chunk.run(holding: number, for: purpose, in: stream)
        coalescer?.machine.looked(run ?? UpdateRun(first: number, last: number, key: nil, byteCount: 0))
        registry.turns.lookedThrough(scanned)
        return scanned
    }

    // MARK: Unmerged updates

    private func updates(through last: Int64) -> Piece {
        guard let chunk = chunk(holding: anchor) else { return pending(anchor) }
        let end = last < chunk.first + Int64(chunk.count) - 1 ? chunk.offset(of: last + 1) : chunk.byteCount
        return .bytes(chunk, chunk.offset(of: anchor)..<end)
    }

    private func restOfMessage() -> Piece {
        if let first = coalescer?.mergingFrom { return merged(from: first) }
        guard let chunk = chunk(holding: anchor) else { return pending(anchor) }
        let offset = chunk.offset(of: anchor) + skip
        return .bytes(chunk, offset..<chunk.frameBoundary(atOrAfter: offset))
    }

    func sentUnderPolicy(_ count: Int, of chunk: FrameChunk) {
        if coalescer?.mergingFrom != nil {
            guard skip + count == chunk.byteCount else { return move(to: anchor, skip: skip + count) }
            coalescer?.mergingFrom = nil
            return move(to: anchor + 1)
        }
        let offset = chunk.offset(of: anchor) + skip + count
        guard offset < chunk.byteCount else { return move(to: chunk.first + Int64(chunk.count)) }
        let (number, start) = chunk.message(at: offset)
        move(to: number, skip: offset - start)
    }

    // MARK: Merged updates

    /// Returns the cursor's update as a chunk that is merged from all updates from `first` through the cursor. The
    /// chunk is made once and shared by all readers that get the same merge. If the chunk was evicted, it is made again
    /// for a reader that continues with it.
    private func merged(from first: Int64) -> Piece {
        coalescer?.mergingFrom = first
        if let chunk = registry.pages.merged(first...anchor, of: mergedOwner) {
            return .bytes(chunk, skip..<chunk.byteCount)
        }
        var making = Merging(stream: stream, last: anchor)
        var next = first
        while next <= anchor {
            // One page that begins at `first` holds all of these updates.
            guard let chunk = chunk(holding: next) else { return pending(first) }
            making.add(chunk, from: &next)
            registry.turns.lookedThrough(chunk.byteCount)
        }
        guard let frame = making.frame() else { return updates(through: anchor) }
        let chunk = FrameChunk(frames: frame, count: Int(anchor - first + 1), first: first)
        registry.pages.hold(chunk, of: mergedOwner)
        return .bytes(chunk, skip..<chunk.byteCount)
    }
}

/// A merged chunk under construction. On a timeline, it replaces the last update's line in that update's message.
private struct Merging {
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
