import Coalescing
import Connections
import Posix
import Tinyvex

/// One reader's place in a stream, and what it sends from there. Pure.
///
/// The place is a message number and a count of bytes already sent, counted from that message's frame. Frames depend
/// only on the stored data, so the reader can continue with any chunk that holds its message.
///
/// The owner asks for the `next` step, performs it, and reports the bytes that the socket has taken with `sent`.
struct ReaderCursor {
    enum Step {
        /// Send these bytes of the chunk.
        case send(FrameChunk, Range<Int>)
        /// Find the chunk that holds `number`, and send the piece that `piece(of:through:)` returns for it.
        case find(_ number: Int64, through: Int64)
        /// Find the run that holds this message, and pass it to `looked`.
        case look(at: Int64)
        /// Send the chunk that is merged from the updates from this number through `anchor`, from byte `skip` on.
        case merge(from: Int64)
        /// Call `skipMessages` with a notice that names the messages from `anchor` through this one.
        case leaveOut(through: Int64, SkipReason)
        /// Send nothing: another message must go first.
        case stopped
        case atEnd
    }

    /// The meaning of a page that has arrived.
    enum Arrival: Equatable {
        /// No page was expected.
        case unexpected
        case usable
        /// The log no longer keeps the messages through this one, and none of their bytes was sent.
        case gap(through: Int64)
        /// The log no longer keeps a message that is partly sent. It can only be completed if it is in memory.
        case gapInMessage
    }

    private enum Phase { case sending, atEnd, closed }

    /// The number of the message whose frame the cursor counts from. Under a policy, it is the message that is being
    /// sent. Without a policy, it is at the start of a chunk or page whenever `skip` is not 0.
    private(set) var anchor: Int64
    /// Bytes already sent, counted from the frame of `anchor` or from the data that is sent in its place.
    private(set) var skip = 0
    /// Nothing is sent past this number, because another message must go first. Not used if updates can be left out.
    private var stop = Int64.max
    /// Nothing is sent past this number, because it must be stored elsewhere first. It only grows. Not used if updates can
    /// be left out.
    var reach = Int64.max
    /// The last message that the reader needs.
    let until: Int64
    private var limit: Int64 { min(stop, reach, until) }
    /// A message that names updates that will not be sent. It is sent in their place.
    private var notice: FrameChunk?
    /// The state of a policy that leaves out updates; nil if no update can be left out.
    private var policy: Coalescer?
    /// The number at which the requested page begins; nil if no page is requested.
    private var readingFrom: Int64?
    private var phase = Phase.sending
    private var isEndNotified = false

    /// - Parameters:
    ///   - anchor: the number of the first message to send.
    ///   - until: the number of the last message to send; nil for all.
    init(anchor: Int64, until: Int64? = nil, policy: Coalescer? = nil) {
        self.anchor = anchor
        self.until = max(until ?? .max, anchor - 1)
        self.policy = policy
    }

    var isAtEnd: Bool { phase == .atEnd }
    var isClosed: Bool { phase == .closed }
    /// True if the reader has been sent all that it needs.
    var isComplete: Bool { anchor > until }
    /// True if updates can be left out.
    var hasPolicy: Bool { policy != nil }
    /// The purpose for which the policy examines runs; nil without a policy.
    var purpose: RunScan.Purpose? { policy?.terms.policy.purpose }
    /// True if every position with `skip` above 0 is inside a frame. Otherwise the chunk shows whether it is.
    var sendsSingleFrames: Bool { notice != nil || policy != nil }

    // MARK: Sending

    /// - Parameters:
    ///   - stored: the number of the newest stored message.
    ///   - lag: measures how far the reader is behind at this place, if everything had been sent at this time.
    mutating func next(head stored: Int64, lag: (_ place: Int64, _ upToDate: Instant) -> Lag) -> Step {
        let head = min(stored, until)
        if let notice { return .send(notice, skip..<notice.byteCount) }
        guard policy == nil else { return nextUnderPolicy(head: head, lag: lag) }
        guard anchor <= head else { return .atEnd }
        return anchor <= stop ? .find(anchor, through: stop) : .stopped
    }

    private mutating func nextUnderPolicy(head: Int64, lag: (Int64, Instant) -> Lag) -> Step {
        if skip > 0 { return policy?.mergingFrom.map { .merge(from: $0) } ?? .find(anchor, through: anchor) }
        guard anchor <= head, let upToDate = policy?.upToDate else { return .atEnd }
        let place = anchor
        switch policy?.machine.next(at: place, head: head, lag: lag(place, upToDate)) {
        case .send(let last): return .find(anchor, through: last)
        case .leaveOut(let last), .mergeLater(let last): return .leaveOut(through: last, policy?.reason ?? .latest)
        case .merge(let first):
            policy?.mergingFrom = first
            return .merge(from: first)
        case .look(let number): return .look(at: number)
        case nil: return .atEnd
        }
    }

    /// Returns the bytes of `chunk` that can be sent; nil if `next` must be called again.
    mutating func piece(of chunk: FrameChunk, through last: Int64) -> Range<Int>? {
        if policy != nil { return pieceUnderPolicy(of: chunk, through: last) }
        if chunk.first < anchor {
            skip += chunk.offset(of: anchor)
            anchor = chunk.first
        }
        let end = end(of: chunk)
        if skip < end { return skip..<end }
        if end == chunk.byteCount {
            // The cursor was counted in a longer chunk that is no longer in memory.
            advance(past: chunk)
        } else {
            move(to: limit + 1)
        }
        return nil
    }

    private func pieceUnderPolicy(of chunk: FrameChunk, through last: Int64) -> Range<Int> {
        let start = chunk.offset(of: anchor) + skip
        if skip > 0 { return start..<chunk.frameBoundary(atOrAfter: start) }
        return start..<(last < chunk.first + Int64(chunk.count) - 1 ? chunk.offset(of: last + 1) : chunk.byteCount)
    }

    /// Passes the run of a message to the policy. Nil if no run holds the message.
    mutating func looked(at number: Int64, _ run: UpdateRun?) {
        policy?.machine.looked(run ?? UpdateRun(first: number, last: number, key: nil, byteCount: 0))
    }

    /// Sends the update at the cursor unchanged, because there was nothing to merge.
    mutating func cannotMerge() { policy?.mergingFrom = nil }

    /// Moves the cursor after `count` more bytes of `chunk` were sent. Returns true if a notice is complete now.
    mutating func sent(_ count: Int, of chunk: FrameChunk) -> Bool {
        if chunk === notice { return sentNotice(count, chunk) }
        if policy != nil {
            sentUnderPolicy(count, of: chunk)
        } else {
            skip += count
            if skip == chunk.byteCount {
                advance(past: chunk)
            } else if limit < .max, skip == end(of: chunk) {
                move(to: limit + 1)
            }
        }
        return false
    }

    private mutating func sentNotice(_ count: Int, _ chunk: FrameChunk) -> Bool {
        skip += count
        guard skip == chunk.byteCount else { return false }
        advance(past: chunk)
        notice = nil
        return true
    }

    private mutating func sentUnderPolicy(_ count: Int, of chunk: FrameChunk) {
        if policy?.mergingFrom != nil {
            guard skip + count == chunk.byteCount else { return move(to: anchor, skip: skip + count) }
            policy?.mergingFrom = nil
            return move(to: anchor + 1)
        }
        let offset = chunk.offset(of: anchor) + skip + count
        guard offset < chunk.byteCount else { return move(to: chunk.first + Int64(chunk.count)) }
        let (number, start) = chunk.message(at: offset)
        move(to: number, skip: offset - start)
    }

    /// Returns the end of the part of `chunk` that can be sent for now.
    private func end(of chunk: FrameChunk) -> Int {
        chunk.first + Int64(chunk.count) - 1 <= limit ? chunk.byteCount : chunk.offset(of: limit + 1)
    }

    private mutating func advance(past chunk: FrameChunk) {
        anchor = chunk.first + Int64(chunk.count)
        skip -= chunk.byteCount
    }

    /// Moves the cursor to a message. Under a policy, `skip` is the next byte to send, counted in that message.
    private mutating func move(to number: Int64, skip: Int = 0) {
        anchor = number
        self.skip = skip
    }

    /// Sends nothing after this number until the next call sets another one. Returns true if more can be sent now.
    mutating func stop(after number: Int64, head: Int64) -> Bool {
        guard number != stop, policy == nil else { return false }
        stop = number
        return anchor <= min(head, stop)
    }

    /// Returns true if the message with this number has been sent, or never will be.
    func isPast(_ number: Int64) -> Bool { anchor > number || isClosed }

    // MARK: Notices

    /// Sends `notice` in place of the messages that it names, which begin at the cursor.
    mutating func skipMessages(_ notice: FrameChunk, _ reason: SkipReason) {
        self.notice = notice
        switch reason {
        case .latest, .thoughts: policy?.tally.leftOut(Int64(notice.count))
        case .retention: policy?.beginAnew()
        case .merge: break
        }
    }

    /// Returns the time of the next report of left-out updates. Returns nil if there is nothing to report, or if the
    /// report is scheduled.
    mutating func scheduleReport() -> Duration? {
        guard let due = policy?.tally.due, policy?.isReportScheduled == false else { return nil }
        policy?.isReportScheduled = true
        return due
    }

    /// Returns the report that `scheduleReport` has scheduled, if it is due.
    mutating func report(at now: Duration) -> SkipTally.Report? {
        policy?.isReportScheduled = false
        return isClosed ? nil : policy?.tally.report(at: now)
    }

    // MARK: At the end

    /// Returns true if the cursor was not at the end before.
    mutating func reachedEnd() -> Bool {
        guard phase == .sending else { return false }
        phase = .atEnd
        return true
    }

    /// Returns true if `chunk` directly follows the cursor and can be sent completely. Each reader at the end calls this
    /// for each chunk. Inlining avoids a copy of the cursor.
    @inline(__always) func canDeliver(_ chunk: FrameChunk) -> Bool {
        chunk.first == anchor && skip == 0 && notice == nil && end(of: chunk) == chunk.byteCount
    }

    /// Moves the cursor past a chunk that `canDeliver` accepts and that was sent completely. The result is that of `sent`,
    /// but each reader at the end calls this for each chunk.
    @inline(__always) mutating func delivered(_ chunk: FrameChunk) { anchor = chunk.first + Int64(chunk.count) }

    /// Call after a chunk was delivered without a decision of the policy.
    mutating func resetPolicy() { policy?.beginAnew() }

    /// More data waits than can be sent at once. Returns true if the cursor was at the end before.
    ///
    /// - Parameter now: only used under a policy.
    mutating func leaveEnd(at now: @autoclosure () -> Instant) -> Bool {
        guard phase == .atEnd else { return false }
        phase = .sending
        if policy != nil { policy?.upToDate = now() }
        return true
    }

    /// Returns true if the end of the session was not reported yet.
    mutating func notifyEnd() -> Bool {
        defer { isEndNotified = true }
        return !isEndNotified
    }

    /// Allows the end to be reported again, because the session will end again.
    mutating func revived() { isEndNotified = false }

    /// Continues with another object of the same session. Returns true if the cursor was at the end.
    mutating func moved() -> Bool {
        stop = .max
        isEndNotified = false
        guard phase == .atEnd else { return false }
        phase = .sending
        return true
    }

    /// Returns true if the cursor was not closed before.
    mutating func close() -> Bool {
        guard phase != .closed else { return false }
        phase = .closed
        return true
    }

    // MARK: Pages

    /// Returns true if the page from this number on must be requested: no page is requested yet.
    mutating func request(_ number: Int64) -> Bool {
        guard readingFrom == nil else { return false }
        readingFrom = number
        return true
    }

    /// - Parameter first: the number of the page's first message. It is higher than requested if the log no longer
    ///   keeps the messages before it.
    mutating func pageArrived(first: Int64) -> Arrival {
        guard let asked = readingFrom.take(), !isClosed else { return .unexpected }
        guard first > asked, first > anchor, notice == nil else { return .usable }
        return skip == 0 ? .gap(through: first - 1) : .gapInMessage
    }

    mutating func pageFailed() { readingFrom = nil }
}
