import SessionRecords
import Testing
import Tinyvex

@testable import SessionLog
@testable import SessionStreams

@Suite struct SessionMachineTests {
    // MARK: Claim

    @Test func dataReceivedBeforeTheClaimsAnswerIsAppendedAfterIt() {
        var session = SessionTranscript()
        session.perform { $0.claim(.fresh) }
        session.line("a")
        session.perform { $0.submit() }
        #expect(session.taken() == ["claim new"])
        session.perform { $0.claimed(.of(sid: 7, epoch: 2, head: 0)) }
        #expect(
            session.taken() == ["settled", "log written", "claimed", "describe 7", "append 7/2 after 0: a"])
        #expect(session.machine.sid == 7 && session.machine.journal == "00000001-7-2")
    }

    @Test func aRepeatedHistoryIsDiscardedIfTheLogHasOne() {
        var session = SessionTranscript()
        session.perform { $0.claim(.continueLatest) }
        session.line("old", isReplay: true)
        session.line("new")
        session.perform { $0.claimed(.of(sid: 7, head: 1)) }
        #expect(session.taken().last == "append 7/1 after 1: new")
        session.line("old", isReplay: true)
        #expect(session.machine.unstoredBytes == 4)
    }

    @Test func aRepeatedHistoryIsStoredIfTheLogHasNone() {
        var session = SessionTranscript()
        session.perform { $0.claim(.continueLatest) }
        session.line("old", isReplay: true)
        session.perform { $0.claimed(.of(sid: 7, head: 0)) }
        #expect(session.taken().last == "append 7/1 after 0: old")
    }

    private static func chunk(_ text: String) -> String {
        #"{"params":{"update":{"sessionUpdate":"agent_message_chunk","content":{"text":"\#(text)"}}}}"#
    }

    private static func stored(_ lines: [String]) -> [TimelineItem] {
        lines.enumerated().map { .update(n: Int64($0 + 1), seq: Int64($0 + 1), ts: 0, line: Array($1.utf8)) }
    }

    /// An earlier fault: while an open session was loaded again, everything was taken for history.
    @Test func newLinesOfAnOpenSessionAreStoredWhileItsHistoryIsRepeated() {
        let (old, new) = (Self.chunk("old"), Self.chunk("new"))
        var session = SessionTranscript.claimed(head: 1)
        session.perform { $0.replayBegins() }
        #expect(session.taken() == ["history of 7 after 0"])
        session.line(old, isReplay: true)
        session.line(new, isReplay: true)
        session.perform { $0.submit() }
        #expect(session.taken() == [], "nothing is stored before the history is read")
        session.perform { $0.foundHistory(Self.stored([old]), isAtEnd: true) }
        #expect(session.taken() == ["settled", "drained", "append 7/1 after 1: \(new)"])
        session.line(new, isReplay: true)
        session.perform { $0.appended(head: 2, timelineHead: 2) }
        #expect(session.taken().contains("append 7/1 after 2: \(new)"))
        session.perform { $0.replayEnds() }
        session.perform { $0.appended(head: 3, timelineHead: 3) }
        #expect(session.machine.isSettled && session.machine.unstoredBytes == 0)
    }

    @Test func theHistoryIsReadAfterTheLinesBeforeTheRepetitionAreStored() {
        var session = SessionTranscript.claimed()
        session.line(Self.chunk("a"))
        session.perform { $0.submit() }
        _ = session.taken()
        session.perform { $0.replayBegins() }
        session.line(Self.chunk("a"), isReplay: true)
        #expect(session.taken() == [])
        session.perform { $0.appended(head: 1, timelineHead: 1) }
        #expect(session.taken().last == "history of 7 after 0")
        session.perform { $0.replayEnds() }
        session.line(Self.chunk("b"))
        session.perform { $0.foundHistory(Self.stored([Self.chunk("a")]), isAtEnd: true) }
        #expect(session.taken() == ["settled", "drained", "append 7/1 after 1: \(Self.chunk("b"))"])
    }

    @Test func theHistoryIsReadPageByPage() {
        var session = SessionTranscript.claimed(head: 2)
        session.perform { $0.replayBegins() }
        session.line(Self.chunk("ab"), isReplay: true)
        session.perform { $0.foundHistory(Self.stored([Self.chunk("a")]), isAtEnd: false) }
        #expect(session.taken() == ["history of 7 after 0", "history of 7 after 1"])
        session.perform { $0.foundHistory(Self.stored([Self.chunk("b")]), isAtEnd: true) }
        #expect(session.taken() == ["settled", "drained"] && session.machine.isSettled)
    }

    /// An earlier fault: the answer to the repetition waited for the session's next update.
    @Test func repeatedLinesBehindANewOneAreSettledWhenItIsStored() {
        let (state, old) = (#"{"params":{"update":{"sessionUpdate":"usage_update","used":1}}}"#, Self.chunk("old"))
        var session = SessionTranscript.claimed(head: 1)
        session.perform { $0.replayBegins(isNewlyOpened: true) }
        session.line(state, isReplay: true)
        session.line(old, isReplay: true)
        session.perform { $0.replayEnds() }
        session.perform { $0.foundHistory(Self.stored([old]), isAtEnd: true) }
        #expect(session.taken().last == "append 7/1 after 1: \(state)")
        let received = session.machine.receivedBytes
        #expect(!session.machine.hasPublished(through: received))
        session.perform { $0.appended(head: 2, timelineHead: 2) }
        #expect(session.taken().suffix(3) == ["settled", "drained", "drained"])
        #expect(session.machine.hasPublished(through: received) && session.machine.isSettled)
    }

    @Test func anEntryDoesNotWaitForAnUndecidedLine() {
        var session = SessionTranscript.claimed(head: 1)
        session.perform { $0.replayBegins() }
        session.perform { $0.foundHistory(Self.stored([Self.chunk("Now I run")]), isAtEnd: true) }
        _ = session.taken()
        session.line(Self.chunk("Now"), isReplay: true)
        session.perform { $0.submit() }
        #expect(session.taken() == [])
        session.edit { $0.receive(entry: .permissionRequest, [1], at: 0) }
        session.perform { $0.submit() }
        let kind = TimelineEntryKind.permissionRequest.rawValue
        #expect(session.taken() == ["append 7/1 after 1: \(Self.chunk("Now")) [\(kind)]"])
    }

    @Test func linesAreStoredIfTheHistoryCannotBeRead() {
        var session = SessionTranscript.claimed(head: 1)
        session.perform { $0.replayBegins() }
        session.line(Self.chunk("a"), isReplay: true)
        session.perform { $0.foundHistory(nil, isAtEnd: true) }
        #expect(session.taken().contains("append 7/1 after 1: \(Self.chunk("a"))"))
    }

    @Test func anEndingSessionSettlesItsUndecidedLines() {
        var session = SessionTranscript.claimed(head: 1)
        session.perform { $0.replayBegins() }
        session.perform { $0.foundHistory(Self.stored([Self.chunk("ab"), "{}"]), isAtEnd: true) }
        session.line(Self.chunk("a"), isReplay: true)
        session.perform { $0.ended(.closed) }
        #expect(session.machine.isComplete)
    }

    @Test func theInheritedHeadAtTheClaimIsUsedOnce() {
        var session = SessionTranscript()
        session.edit { $0.inherit(headAtClaim: 3, hasHistory: true, lastTime: 5) }
        #expect(session.machine.lastTime == 5)
        session.perform { $0.claim(.again(sid: 7)) }
        session.perform { $0.claimed(.of(sid: 7, head: 9)) }
        #expect(session.machine.headAtClaim == 3)
        session.perform { $0.ended(.closed) }
        session.perform { $0.revived() }
        session.perform { $0.claimed(.of(sid: 7, epoch: 2, head: 9)) }
        #expect(session.machine.headAtClaim == 9)
    }

    @Test func aClaimThatFailsIsRetriedInTheSameWay() {
        var session = SessionTranscript()
        session.perform { $0.claim(.fresh) }
        session.perform { $0.failed(.diskIsFull) }
        session.perform { $0.retryDue() }
        #expect(session.taken() == ["claim new", "log failed", "failing", "schedule retry", "claim new"])
    }

    // MARK: Append

    @Test func storedLinesArePublishedBeforeTheNextAppend() {
        var session = SessionTranscript.claimed()
        session.line("a", at: 5)
        session.perform { $0.submit() }
        session.line("b")
        session.perform { $0.submit() }
        session.edit { $0.receive(entry: .turnEnd, [1], at: 0) }
        #expect(session.taken() == ["append 7/1 after 0: a"])
        session.perform { $0.appended(head: 1, timelineHead: 1) }
        let kind = TimelineEntryKind.turnEnd.rawValue
        #expect(session.taken() == ["log written", "publish 1: a", "append 7/1 after 1: b [\(kind)]", "drained"])
        #expect(session.machine.head == 1 && session.machine.lastTime == 5)
    }

    @Test func theExitOfTheAgentIsNoActivity() {
        #expect(TimelineEntryKind.agentExit.rawValue == LogItem.exitKind)
        var session = SessionTranscript.claimed()
        session.line("a", at: 5)
        session.perform { $0.submit() }
        session.perform { $0.appended(head: 1, timelineHead: 1) }
        session.edit { $0.endedWithAgent(.closed, exit: [1], at: 9) }
        session.perform { $0.submit() }
        session.perform { $0.appended(head: 1, timelineHead: 2) }
        #expect(session.machine.lastTime == 5 && session.machine.timelineHead == 2)
    }

    @Test func theNumberOfALineIsKnownWhenItsAppendIsAnswered() {
        var session = SessionTranscript.claimed(head: 4)
        session.line("a")
        session.line("b")
        #expect(session.machine.newestNumber == nil)
        session.perform { $0.submit() }
        session.line("c")
        let machine = session.machine
        #expect([1, 2, 3].map { machine.number(ofLine: $0, ifStoredThrough: 6) } == [5, 6, nil])
        #expect(machine.number(ofLine: 1, ifStoredThrough: 4) == nil)
        session.perform { $0.appended(head: 6, timelineHead: 6) }
        #expect(session.machine.settledNumber(ofLine: 2) == 6)
        #expect(session.machine.settledNumber(ofLine: 3) == nil)
    }

    @Test func aSessionOverItsQuotaIsTrimmedBeforeItsLinesArePublished() {
        var session = SessionTranscript.claimed(quotaBytes: 16)
        for (index, text) in ["12345678", "abcdefgh"].enumerated() {
            session.line(text)
            session.perform { $0.submit() }
            let head = Int64(index + 1)
            session.perform { $0.appended(head: head, timelineHead: head) }
        }
        #expect(session.taken().suffix(4) == ["log written", "trim 7 through 1", "publish 2: abcdefgh", "drained"])
    }

    @Test func theSizesOfEarlierUpdatesAreReadAtTheClaim() {
        var session = SessionTranscript(quotaBytes: 160)
        session.perform { $0.claim(.continueLatest) }
        session.perform { $0.claimed(.of(sid: 7, head: 2)) }
        #expect(session.taken().contains("sizes of 7 in 10"))
        session.perform { $0.foundSizes([PartSize(last: 1, bytes: 100), PartSize(last: 2, bytes: 100)]) }
        #expect(session.taken() == ["trim 7 through 1"])
    }

    // MARK: Failures

    @Test func aFailedAppendIsRetriedWithLaterData() {
        var session = SessionTranscript.claimed()
        session.line("a")
        session.perform { $0.submit() }
        session.perform { $0.failed(.diskIsFull) }
        #expect(session.taken() == ["append 7/1 after 0: a", "log failed", "failing", "schedule retry"])
        #expect(session.machine.hasPublished(through: 2))
        session.line("b")
        session.perform { $0.submit() }
        #expect(session.taken() == [])
        session.perform { $0.retryDue() }
        #expect(session.taken() == ["append 7/1 after 0: a b"])
    }

    @Test func readersAreNotifiedOnceUntilTheLogSucceeds() {
        var session = SessionTranscript.claimed()
        func failOnce() -> Bool {
            session.line("a")
            session.perform { $0.submit() }
            session.perform { $0.failed(.diskIsFull) }
            session.perform { $0.retryDue() }
            return session.taken().contains("failing")
        }
        #expect(failOnce())
        #expect(!failOnce())
        session.perform { $0.appended(head: 2, timelineHead: 2) }
        #expect(!session.machine.hasPublished(through: 100))
        #expect(failOnce())
    }

    @Test func dataOverTheLimitIsDiscardedWhileTheLogFails() {
        var session = SessionTranscript.claimed(unstoredLimitBytes: 3)
        session.line("a")
        session.line("b")
        session.perform { $0.submit() }
        session.perform { $0.failed(.diskIsFull) }
        #expect(
            session.taken().dropFirst() == [
                "log failed", "failing", "discarded 2", "settled", "drained", "schedule retry",
            ])
        #expect(session.machine.unstoredBytes == 0)
    }

    @Test func theHeadIsReadFromTheLogAfterADiscard() {
        var session = SessionTranscript.claimed(unstoredLimitBytes: 1)
        session.line("a")
        session.perform { $0.submit() }
        session.perform { $0.failed(.diskIsFull) }
        session.line("b")
        _ = session.taken()
        session.perform { $0.retryDue() }
        session.perform { $0.claimed(.of(sid: 7, epoch: 2, head: 1)) }
        #expect(session.taken().last == "append 7/2 after 1: b")
    }

    @Test func aSessionThatEndsWhileTheLogFailsIsCompletedByTheRetry() {
        var session = SessionTranscript.claimed(unstoredLimitBytes: 1)
        session.line("a")
        session.perform { $0.submit() }
        session.perform { $0.ended(.closed) }
        session.perform { $0.failed(.diskIsFull) }
        #expect(!session.taken().contains("completed"))
        session.perform { $0.retryDue() }
        #expect(session.taken() == ["claim 7"])
        session.perform { $0.claimed(.of(sid: 7, epoch: 2, head: 0)) }
        #expect(session.taken().last == "completed")
    }

    // MARK: Gap

    @Test func aGapThatProvesTheAppendWasStoredPublishesIt() {
        var session = SessionTranscript.claimed()
        session.line("a")
        session.perform { $0.submit() }
        session.perform { $0.failed(.gap(head: 1)) }
        #expect(session.taken() == ["append 7/1 after 0: a", "publish 1: a", "claim 7"])
        session.perform { $0.claimed(.of(sid: 7, epoch: 2, head: 1)) }
        #expect(session.machine.isSettled)
    }

    @Test func anyOtherGapRepeatsTheAppendAfterTheNewHead() {
        var session = SessionTranscript.claimed()
        session.line("a")
        session.perform { $0.submit() }
        session.perform { $0.failed(.gap(head: 5)) }
        session.perform { $0.claimed(.of(sid: 7, epoch: 2, head: 5)) }
        let actions = session.taken()
        #expect(actions.contains("claim 7"))
        #expect(actions.last == "append 7/2 after 5: a")
        #expect(!actions.contains { $0.hasPrefix("publish") })
    }

    // MARK: Fence

    @Test func aFencedSessionIsInterruptedAndCompleted() {
        var session = SessionTranscript.claimed()
        session.line("a")
        session.perform { $0.submit() }
        _ = session.taken()
        session.perform { $0.failed(.fenced(epoch: 9)) }
        #expect(
            session.taken() == ["failing", "discarded 1", "settled", "drained", "describe 7", "completed"])
        #expect(session.machine.end == .interrupted)
    }

    @Test func dataForAFencedSessionIsDiscarded() {
        var session = SessionTranscript.claimed()
        session.line("a")
        session.perform { $0.submit() }
        session.perform { $0.failed(.fenced(epoch: 9)) }
        _ = session.taken()
        session.line("b")
        session.perform { $0.submit() }
        #expect(session.taken() == ["discarded 1", "settled", "drained"])
    }

    @Test func aSessionFencedAfterItsEndIsCompleted() {
        var session = SessionTranscript.claimed()
        session.line("a")
        session.perform { $0.submit() }
        session.perform { $0.ended(.closed) }
        session.perform { $0.failed(.fenced(epoch: 9)) }
        #expect(session.taken().last == "completed")
        #expect(session.machine.end == .closed)
    }

    // MARK: End

    @Test func anEndedSessionIsCompleteWhenItsLastDataIsStored() {
        var session = SessionTranscript.claimed()
        session.line("a")
        session.perform { $0.submit() }
        session.edit { $0.endedWithAgent(.closed, exit: [1], at: 0) }
        #expect(!session.machine.isComplete)
        session.perform { _ in [.submit, .complete] }
        session.perform { $0.appended(head: 1, timelineHead: 1) }
        let exit = "[\(TimelineEntryKind.agentExit.rawValue)]"
        #expect(
            session.taken() == [
                "append 7/1 after 0: a", "log written", "publish 1: a", "append 7/1 after 1: \(exit)", "drained",
            ])
        session.perform { $0.appended(head: 1, timelineHead: 2) }
        #expect(
            session.taken() == ["log written", "publish 2: \(exit)", "drained", "describe 7", "completed"])
        session.perform { _ in [.complete] }
        #expect(session.taken() == [])
    }

    @Test func aSecondEndIsIgnored() {
        var session = SessionTranscript.claimed()
        session.perform { $0.ended(.closed) }
        session.perform { $0.ended(.interrupted) }
        #expect(session.taken() == ["describe 7", "completed"])
        #expect(session.machine.end == .closed)
    }

    // MARK: Revival

    @Test func aSessionThatIsRevivedDuringAnAppendIsClaimedAfterTheAnswer() {
        var session = SessionTranscript.claimed()
        session.line("a")
        session.perform { $0.submit() }
        session.edit { $0.endedWithAgent(.closed, exit: [1], at: 0) }
        session.perform { $0.revived() }
        #expect(session.machine.end == nil)
        _ = session.taken()
        session.perform { $0.appended(head: 1, timelineHead: 1) }
        #expect(session.taken() == ["log written", "publish 1: a", "claim 7", "drained"])
        session.perform { $0.claimed(.of(sid: 7, epoch: 2, head: 1)) }
        let exit = "[\(TimelineEntryKind.agentExit.rawValue)]"
        #expect(session.taken().last == "append 7/2 after 1: \(exit)")
    }

    @Test func aSessionThatIsRevivedDuringItsClaimUsesThatClaim() {
        var session = SessionTranscript()
        session.perform { $0.claim(.fresh) }
        session.edit { $0.endedWithAgent(.closed, exit: [1], at: 0) }
        session.perform { $0.revived() }
        #expect(session.taken() == ["claim new"])
        session.perform { $0.failed(.diskIsFull) }
        session.perform { $0.retryDue() }
        #expect(session.taken().last == "claim latest")
    }

    @Test func aSessionThatIsRevivedWhileTheLogFailsIsClaimedAtOnce() {
        var session = SessionTranscript.claimed()
        session.line("a")
        session.perform { $0.submit() }
        session.perform { $0.ended(.closed) }
        session.perform { $0.failed(.diskIsFull) }
        _ = session.taken()
        session.perform { $0.revived() }
        #expect(session.taken() == ["cancel retry", "claim 7"])
    }

    // MARK: Facts

    @Test func factsAreStoredOnceAtATime() {
        var session = SessionTranscript.claimed()
        for _ in 0..<3 { session.perform { $0.factsChanged() } }
        #expect(session.taken() == ["describe 7"])
        session.perform { $0.described() }
        #expect(session.taken() == ["log written", "described", "describe 7"])
        session.perform { $0.described() }
        #expect(session.taken() == ["log written", "described"])
    }

    @Test func factsThatTheLogDidNotStoreAreStoredLater() {
        var session = SessionTranscript.claimed()
        session.perform { $0.ended(.closed) }
        #expect(session.taken() == ["describe 7", "completed"])
        session.perform { $0.described(.diskIsFull) }
        session.perform { $0.factsChanged() }
        #expect(session.taken() == ["log failed", "schedule retry"])
        session.perform { $0.retryDue() }
        session.perform { $0.retryDue() }
        session.perform { $0.described() }
        #expect(session.taken() == ["describe 7", "log written", "described"])
        session.perform { $0.factsChanged() }
        session.perform { $0.described(.unknownSession(sid: 7)) }
        #expect(session.taken() == ["describe 7", "described"], "a deleted session has no facts")
    }

    @Test func oneRetryStoresTheFactsAndTheLines() {
        var session = SessionTranscript.claimed()
        session.line("a")
        session.perform { $0.submit() }
        session.perform { $0.factsChanged() }
        session.perform { $0.described(.diskIsFull) }
        session.perform { $0.failed(.diskIsFull) }
        #expect(
            session.taken() == [
                "append 7/1 after 0: a", "describe 7", "log failed", "schedule retry", "log failed", "failing",
            ])
        session.perform { $0.retryDue() }
        #expect(session.taken() == ["describe 7", "append 7/1 after 0: a"])
        session.perform { $0.failed(.diskIsFull) }
        session.perform { $0.described(.diskIsFull) }
        #expect(session.taken() == ["log failed", "schedule retry", "log failed"])
        session.perform { $0.revived() }
        session.perform { $0.failed(.diskIsFull) }
        #expect(session.taken() == ["cancel retry", "claim 7", "log failed", "schedule retry"])
    }

    @Test func factsWaitForTheClaim() {
        var session = SessionTranscript()
        session.perform { $0.factsChanged() }
        #expect(session.taken() == [])
    }
}
