import Coalescing
import Posix
import TestSupport
import Testing
import Tinyvex

@testable import SessionStreams

@Suite struct ReaderCursorTests {
    /// Messages of one byte each, so that each frame has 3 bytes.
    private func chunk(_ numbers: ClosedRange<Int64>) -> FrameChunk {
        let lines = numbers.flatMap { [UInt8(0x61 + $0 % 26), 0x0a] }
        return (FrameChunk(lines: lines, count: numbers.count, first: numbers.lowerBound, receiverCount: 1) ?? .none)
    }

    private func next(_ cursor: inout ReaderCursor, head: Int64) -> String {
        cursor.next(head: head) { place, _ in Lag(frames: head - place + 1, bytes: 0, age: .zero) }.text
    }

    // MARK: Anchor and skip

    @Test func aReaderInsideAChunkStartsAtItsNextMessage() {
        var cursor = ReaderCursor(anchor: 3)
        #expect(next(&cursor, head: 5) == "find 3")
        #expect(cursor.piece(of: chunk(1...5), through: .max) == 6..<15)
        #expect(cursor.anchor == 1 && cursor.skip == 6)
    }

    @Test func aReaderPastTheHeadIsAtTheEnd() {
        var cursor = ReaderCursor(anchor: 6)
        #expect(next(&cursor, head: 5) == "at end")
    }

    @Test func aPartlySentMessageContinuesInAnyChunkThatContainsIt() {
        var cursor = ReaderCursor(anchor: 1)
        let whole = chunk(1...4)
        #expect(cursor.sent(4, of: whole) == false)
        #expect(cursor.piece(of: chunk(1...2), through: .max) == 4..<6)
        let page = chunk(1...2)
        _ = cursor.piece(of: page, through: .max)
        _ = cursor.sent(2, of: page)
        #expect(cursor.anchor == 3 && cursor.skip == 0)
    }

    @Test func anOffsetBeyondAShorterChunkContinuesInTheNextOne() {
        var cursor = ReaderCursor(anchor: 1)
        _ = cursor.sent(7, of: chunk(1...4))
        #expect(cursor.piece(of: chunk(1...2), through: .max) == nil)
        #expect(next(&cursor, head: 4) == "find 3")
        #expect(cursor.piece(of: chunk(3...4), through: .max) == 1..<6)
    }

    // MARK: Stop

    @Test func nothingIsSentPastTheStop() {
        var cursor = ReaderCursor(anchor: 1)
        #expect(cursor.stop(after: 2, head: 4) == true)
        let all = chunk(1...4)
        #expect(cursor.piece(of: all, through: .max) == 0..<6)
        _ = cursor.sent(6, of: all)
        #expect(cursor.isPast(2) && !cursor.isPast(3))
        #expect(next(&cursor, head: 4) == "stopped")
        #expect(!cursor.canDeliver(chunk(3...3)))
        #expect(cursor.stop(after: .max, head: 4) == true)
        #expect(next(&cursor, head: 4) == "find 3")
    }

    @Test func aReaderUnderAPolicyDoesNotStop() {
        var cursor = ReaderCursor(anchor: 1, policy: Coalescer(PolicyTerms(.latest), at: Instant(nanoseconds: 0)))
        #expect(cursor.stop(after: 0, head: 4) == false)
        #expect(next(&cursor, head: 4) == "find 1 through 4")
    }

    // MARK: At the end

    @Test func onlyTheChunkThatFollowsIsDelivered() {
        var cursor = ReaderCursor(anchor: 3)
        #expect(cursor.canDeliver(chunk(3...4)))
        #expect(!cursor.canDeliver(chunk(2...4)))
        #expect(!cursor.canDeliver(chunk(4...4)))
        let following = chunk(3...4)
        _ = cursor.sent(1, of: following)
        #expect(!cursor.canDeliver(following))
    }

    @Test func aDeliveredChunkMovesTheReaderLikeOneThatWasSent() {
        let policies = [nil, Coalescer(PolicyTerms(.latest), at: Instant(nanoseconds: 0))]
        for policy in policies {
            var (delivered, sent) = (ReaderCursor(anchor: 3, policy: policy), ReaderCursor(anchor: 3, policy: policy))
            let following = chunk(3...4)
            delivered.delivered(following)
            _ = sent.sent(following.byteCount, of: following)
            #expect(delivered.anchor == 5 && sent.anchor == 5)
            #expect(delivered.skip == 0 && sent.skip == 0)
        }
    }

    @Test func aReaderReachesAndLeavesTheEndOnce() {
        var cursor = ReaderCursor(anchor: 1)
        #expect([cursor.reachedEnd(), cursor.reachedEnd()] == [true, false])
        #expect(
            [cursor.leaveEnd(at: Instant(nanoseconds: 0)), cursor.leaveEnd(at: Instant(nanoseconds: 0))] == [
                true, false,
            ])
    }

    @Test func theEndIsReportedOnceUntilTheSessionIsRevived() {
        var cursor = ReaderCursor(anchor: 1)
        #expect([cursor.notifyEnd(), cursor.notifyEnd()] == [true, false])
        cursor.revived()
        #expect(cursor.notifyEnd() == true)
    }

    @Test func aReaderThatMovesForgetsItsStopAndLeavesTheEnd() {
        var cursor = ReaderCursor(anchor: 3)
        _ = cursor.stop(after: 2, head: 2)
        _ = cursor.reachedEnd()
        #expect(cursor.moved() == true)
        #expect(cursor.moved() == false)
        #expect(next(&cursor, head: 3) == "find 3")
    }

    @Test func aClosedReaderIsPastEverything() {
        var cursor = ReaderCursor(anchor: 1)
        #expect([cursor.close(), cursor.close()] == [true, false])
        #expect(cursor.isPast(100))
        #expect(cursor.reachedEnd() == false)
        #expect(cursor.pageArrived(first: 1) == .unexpected)
    }

    // MARK: Pages and notices

    @Test func onePageIsRequestedAtATime() {
        var cursor = ReaderCursor(anchor: 1)
        #expect([cursor.request(1), cursor.request(1)] == [true, false])
        #expect(cursor.pageArrived(first: 1) == .usable)
        #expect(cursor.pageArrived(first: 1) == .unexpected)
        #expect(cursor.request(5) == true)
        cursor.pageFailed()
        #expect(cursor.request(5) == true)
    }

    @Test func trimmedMessagesAreReportedInANotice() {
        var cursor = ReaderCursor(anchor: 1)
        _ = cursor.request(1)
        #expect(cursor.pageArrived(first: 4) == .gap(through: 3))
        let notice = FrameChunk(frames: [1, 2, 3, 4], count: 3, first: 1)
        cursor.skipMessages(notice, .retention)
        #expect(next(&cursor, head: 5) == "send 0..<4")
        #expect(cursor.sent(3, of: notice) == false)
        #expect(next(&cursor, head: 5) == "send 3..<4")
        #expect(cursor.sent(1, of: notice) == true)
        #expect(next(&cursor, head: 5) == "find 4")
        #expect(cursor.scheduleReport() == nil)
    }

    @Test func aPartlySentMessageCannotBeReportedInANotice() {
        var cursor = ReaderCursor(anchor: 1)
        _ = cursor.sent(1, of: chunk(1...1))
        _ = cursor.request(1)
        #expect(cursor.pageArrived(first: 4) == .gapInMessage)
    }

    // MARK: Policy

    private func messages(_ count: Int) -> FrameChunk {
        let update = #"{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"x"}}"#
        let line = #"{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":\#(update)}}"# + "\n"
        return
            (FrameChunk(
                lines: (0..<count).flatMap { _ in Array(line.utf8) }, count: count, first: 1, receiverCount: 1) ?? .none)
    }

    private func behind(_ policy: Policy) -> ReaderCursor {
        var terms = PolicyTerms(policy)
        terms.maxFrames = 0
        return ReaderCursor(anchor: 1, policy: Coalescer(terms, at: Instant(nanoseconds: 0)))
    }

    @Test func theLatestPolicySkipsAllButTheFirstAndTheNewest() {
        var cursor = behind(.latest)
        let all = messages(5)
        #expect(next(&cursor, head: 5) == "look 1")
        cursor.looked(at: 1, all.run(holding: 1, for: .leavingOut, in: .updates))
        #expect(next(&cursor, head: 5) == "find 1 through 1")
        let first = cursor.piece(of: all, through: 1)
        #expect(first == 0..<all.offset(of: 2))
        _ = cursor.sent(first?.count ?? 0, of: all)
        #expect(next(&cursor, head: 5) == "look 2")
        cursor.looked(at: 2, all.run(holding: 2, for: .leavingOut, in: .updates))
        #expect(next(&cursor, head: 5) == "leave out through 4: latest")
        let notice = FrameChunk(frames: [1], count: 3, first: 2)
        cursor.skipMessages(notice, .latest)
        #expect(next(&cursor, head: 5) == "send 0..<1")
        #expect(cursor.sent(1, of: notice) == true)
        #expect(next(&cursor, head: 5) == "find 5 through 5")
    }

    @Test func skippedUpdatesAreReportedAtOnceAndThenOncePerSecond() {
        var cursor = behind(.latest)
        cursor.skipMessages(FrameChunk(frames: [1], count: 3, first: 1), .latest)
        #expect(cursor.scheduleReport() == .zero)
        #expect(cursor.scheduleReport() == nil)
        #expect(cursor.report(at: .seconds(5)) == SkipTally.Report(count: 3, total: 3))
        cursor.skipMessages(FrameChunk(frames: [1], count: 2, first: 4), .latest)
        #expect(cursor.scheduleReport() == .seconds(6))
        #expect(cursor.report(at: .seconds(6)) == SkipTally.Report(count: 2, total: 5))
    }

    @Test func theMergePolicySendsOneMessageForARun() {
        var cursor = behind(.merge)
        let all = messages(4)
        #expect(next(&cursor, head: 4) == "look 1")
        cursor.looked(at: 1, all.run(holding: 1, for: .merging, in: .updates))
        #expect(next(&cursor, head: 4) == "leave out through 3: merge")
        let notice = FrameChunk(frames: [1], count: 3, first: 1)
        cursor.skipMessages(notice, .merge)
        _ = cursor.sent(1, of: notice)
        #expect(next(&cursor, head: 4) == "merge from 1")
        let merged = FrameChunk(frames: [1, 2, 3], count: 4, first: 1)
        #expect(cursor.sent(2, of: merged) == false)
        #expect(cursor.skip == 2)
        #expect(next(&cursor, head: 4) == "merge from 1")
        _ = cursor.sent(1, of: merged)
        #expect(next(&cursor, head: 4) == "at end")
        #expect(cursor.scheduleReport() == nil)
    }

    // MARK: Random interleavings

    /// Whatever the chunks in memory and the sizes of the writes are, each byte of each frame is sent once.
    @Test(arguments: 1...40 as ClosedRange<UInt64>)
    func framesAreSentOnceAndInOrder(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let last: Int64 = 60
        var head: Int64 = 5
        var stop = Int64.max
        var cursor = ReaderCursor(anchor: 1)
        var sent: [UInt8] = []
        while !cursor.isPast(last) {
            switch Int.random(in: 0..<10, using: &random) {
            case 0: head = min(last, head + Int64.random(in: 0...7, using: &random))
            case 1:
                // The message that is being sent can be completed.
                let begun = Int64(sent.count + 2) / 3
                stop = Bool.random(using: &random) ? .max : begun + Int64.random(in: 0...3, using: &random)
                _ = cursor.stop(after: stop, head: head)
            default: send(&cursor, head: head, to: &sent, &random)
            }
            #expect(stop == .max || sent.count <= 3 * stop, "seed \(seed)")
        }
        let all = chunk(1...last)
        #expect(sent == Array(all.bytes(from: 0, to: all.byteCount).bytes), "seed \(seed)")
    }

    private func send(
        _ cursor: inout ReaderCursor, head: Int64, to sent: inout [UInt8], _ random: inout SeededGenerator
    ) {
        let step = cursor.next(head: head) { _, _ in Lag(frames: 0, bytes: 0, age: .zero) }
        guard case .find(let number, let last) = step else { return }
        let first = max(1, number - Int64.random(in: 0...4, using: &random))
        let chunk = chunk(first...min(head, number + Int64.random(in: 0...4, using: &random)))
        guard let range = cursor.piece(of: chunk, through: last) else { return }
        let count = Int.random(in: 0...range.count, using: &random)
        sent += Array(chunk.bytes(from: range.lowerBound, to: range.lowerBound + count).bytes)
        _ = cursor.sent(count, of: chunk)
    }
}

extension ReaderCursor.Step {
    fileprivate var text: String {
        switch self {
        case .send(_, let range): "send \(range.lowerBound)..<\(range.upperBound)"
        case .find(let number, .max): "find \(number)"
        case .find(let number, let last): "find \(number) through \(last)"
        case .look(let number): "look \(number)"
        case .merge(let first): "merge from \(first)"
        case .leaveOut(let last, let reason): "leave out through \(last): \(reason.rawValue)"
        case .stopped: "stopped"
        case .atEnd: "at end"
        }
    }
}
