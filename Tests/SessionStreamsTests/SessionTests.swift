import ACPRouting
import JSONCoding
import JSONScan
import TestSupport
import Testing
import Tinyvex

@testable import EventLoop
@testable import Posix
@testable import SessionLog
@testable import SessionStreams

@Suite(.serialized) struct SessionTests {
    init() { LoopThread.start }

    @LoopActor private final class Events { var texts: [String] = [] }

    @Test @LoopActor func updatesAreSentOnlyAfterTheyAreStored() throws {
        let rig = SessionRig()
        let session = rig.session()
        rig.log.answerAll()
        let (connection, reader) = try rig.reader(of: session)
        #expect(reader.isAtEnd)
        rig.receive("a", "b", by: session)
        #expect(rig.log.writes.texts == ["append a b"])
        #expect(connection.received() == [])
        rig.log.answerWrite()
        #expect(connection.received() == ["a", "b"])
    }

    @Test @LoopActor func anAppendContainsTheDataReceivedDuringThePreviousOne() throws {
        let rig = SessionRig()
        let session = rig.session()
        rig.log.answerAll()
        let (connection, _) = try rig.reader(of: session)
        rig.receive("a", by: session)
        rig.receive("b", by: session)
        rig.receive("c", by: session)
        #expect(rig.log.writes.texts == ["append a"])
        rig.log.answerWrite()
        #expect(connection.received() == ["a"])
        #expect(rig.log.writes.texts == ["append b c"])
    }

    @Test @LoopActor func aLinesNumberIsKnownBeforeItsUpdatesAreSent() throws {
        let rig = SessionRig()
        let session = rig.session()
        rig.log.answerAll()
        let (connection, _) = try rig.reader(of: session)
        let events = Events()
        rig.receive("a", by: session)
        session.place { events.texts.append("place \($0): \(connection.received())") }
        session.whenPublished(through: session.receivedBytes) {
            events.texts.append("published: \(connection.received())")
        }
        #expect(!session.hasPublished(through: session.receivedBytes))
        rig.log.answerWrite()
        #expect(events.texts == ["place 1: []", #"published: ["a"]"#])
    }

    @Test @LoopActor func anActionFollowsAtOnceIfEverythingIsPublished() {
        let rig = SessionRig()
        let session = rig.session()
        rig.log.answerAll()
        rig.receive("a", by: session)
        rig.log.answerAll()
        let events = Events()
        session.whenPublished(through: session.receivedBytes) { events.texts.append("published") }
        #expect(events.texts == ["published"])
    }

    @Test @LoopActor func aLinesNumberIsKnownAtOnceIfEverythingIsStored() {
        let rig = SessionRig()
        let session = rig.session()
        let events = Events()
        session.place { events.texts.append("\($0)") }
        #expect(events.texts == [])
        rig.log.answerAll()
        #expect(events.texts == ["0"])
        session.place { events.texts.append("\($0)") }
        #expect(events.texts == ["0", "0"])
    }

    @Test @LoopActor func aFailedAppendIsRetriedAfterHalfASecondAndReadersAreNotifiedOnce() throws {
        let rig = SessionRig()
        let session = rig.session()
        rig.log.answerAll()
        let (connection, _) = try rig.reader(of: session)
        rig.receive("a", by: session)
        for _ in 0..<3 {
            rig.log.failWrite()
            #expect(rig.log.isIdle)
            rig.loop.advance(by: .milliseconds(499))
            #expect(rig.log.isIdle)
            rig.loop.advance(by: .milliseconds(1))
            #expect(rig.log.writes.texts == ["append a"])
        }
        #expect(connection.notices.count == 1)
        #expect(rig.registry.logHealth.failure == .diskIsFull)
        rig.log.answerWrite()
        #expect(connection.received() == ["a"])
        #expect(rig.registry.logHealth.failure == nil)
    }

    @Test @LoopActor func aReaderOfAFencedSessionIsNotifiedOfTheFailureAndTheEnd() throws {
        let rig = SessionRig()
        let session = rig.session()
        rig.log.answerAll()
        let (connection, _) = try rig.reader(of: session)
        rig.receive("a", by: session)
        rig.log.failWrite(.fenced(epoch: 5))
        #expect(!session.isLive && session.isComplete)
        #expect(rig.registry.logHealth.unstoredLines == 1)
        #expect(connection.notices.count == 2)
        #expect(connection.received() == [])
    }

    @Test @LoopActor func anAgentsEntriesAndItsEndAreStoredBeforeTheEndIsReported() throws {
        let rig = SessionRig()
        let session = rig.session()
        rig.log.answerAll()
        let (connection, _) = try rig.reader(of: session)
        rig.receive("a", by: session)
        session.endedWithAgent(.closed, [0x7b, 0x7d])
        session.finishEnding()
        rig.log.answerWrite()
        #expect(!session.isComplete && connection.notices == [])
        rig.log.answerAll()
        #expect(session.isComplete && connection.notices.count == 1)
        #expect(connection.received() == ["a"])
    }

    @Test(arguments: [false, true]) @LoopActor
    func anActionForACompleteSessionWaitsUntilTheEndIsStoredOrTheLogFails(fails: Bool) {
        let rig = SessionRig()
        let session = rig.session()
        let events = Events()
        rig.log.answerAll()
        rig.registry.whenCompleted(session) { events.texts.append("running") }
        #expect(events.texts == ["running"])
        session.endedWithAgent(.closed, [0x7b, 0x7d])
        session.finishEnding()
        rig.registry.whenCompleted(session) { events.texts.append(session.isComplete ? "complete" : "not stored") }
        #expect(events.texts == ["running"])
        if fails { rig.log.failWrite() } else { rig.log.answerWrite() }
        #expect(events.texts == ["running", fails ? "not stored" : "complete"])
    }

    @Test @LoopActor func anActionForACompleteSessionDoesNotWaitForOneThatRunsAgain() {
        let rig = SessionRig()
        let session = rig.registry.begin(agent: "agent", id: "s", tenant: nil)
        let events = Events()
        rig.log.answerAll()
        rig.receive("a", by: session)
        session.end(.closed)
        rig.registry.whenCompleted(session) { events.texts.append("live \(session.isLive)") }
        #expect(rig.registry.resume(agent: "agent", id: "s", tenant: nil) === session)
        rig.log.answerAll()
        #expect(events.texts == ["live true"])
    }

    @Test @LoopActor func factsAreWrittenOnceAtATime() {
        let rig = SessionRig()
        let session = rig.session()
        rig.log.answerAll()
        session.describe(title: "one")
        session.describe(title: "two")
        session.prompted("three")
        #expect(rig.log.writes.texts == ["describe"])
        rig.log.answerWrite()
        #expect(rig.log.writes.texts == ["describe"])
        rig.log.answerWrite()
        #expect(rig.log.isIdle)
    }

    @Test @LoopActor func theUsageIsStoredAtTheEndOfATurnIfItHasChanged() throws {
        let rig = SessionRig()
        let session = rig.session()
        rig.log.answerAll()
        let text = #"{"sessionUpdate":"usage_update","used":1,"size":2}"#
        let update = UsageUpdate(try JSONValue(validating: Array(text.utf8)))
        session.describe(usage: update)
        #expect(rig.log.isIdle)
        #expect(session.usage?.used == 1)
        session.note(.turnEnd, Array("{}".utf8))
        #expect(rig.log.writes.texts.contains("describe"))
        rig.log.answerAll()
        session.describe(usage: update)
        session.note(.turnEnd, Array("{}".utf8))
        #expect(!rig.log.writes.texts.contains("describe"))
    }

    @Test @LoopActor func aHandOverKeepsTheMemberNamesOfTheFirstFormat() throws {
        let rig = SessionRig()
        let session = rig.session()
        #expect(session.state == nil)
        rig.log.answerAll()
        session.describe(cwd: "folder")
        let state = try #require(session.state)
        let json = String(decoding: try JSONTextEncoder().encode(state), as: UTF8.self)
        let text =
            #"{"id":"s","sid":1,"description":{"cwd":"folder"},"runningPrompts":0,"headAtClaim":0,"hasHistory":false"#
            + #","lastTime":1000}"#
        #expect(json == text)
    }

    @Test @LoopActor func aHandedOverSessionIsClaimedAgainAndKeepsItsHeadAtTheClaim() throws {
        let rig = SessionRig()
        let session = rig.session()
        rig.log.answerAll()
        rig.receive("a", by: session)
        rig.log.answerAll()
        let state = try #require(session.state)
        let next = rig.registry.resume(agent: "agent", tenant: nil, state)
        #expect(!next.isSettled)
        rig.log.answerAll()
        #expect(next.isSettled && next.head == 1 && next.headAtClaim == 0)
        #expect(next.journal != session.journal)
    }

    @Test @LoopActor func aRevivedSessionKeepsItsReaders() throws {
        let rig = SessionRig()
        let session = rig.registry.begin(agent: "agent", id: "s", tenant: nil)
        rig.log.answerAll()
        let (connection, _) = try rig.reader(of: session)
        rig.receive("a", by: session)
        session.end(.closed)
        let revived = rig.registry.resume(agent: "agent", id: "s", tenant: nil)
        #expect(revived === session)
        rig.log.answerAll()
        rig.receive("b", by: session)
        rig.log.answerAll()
        #expect(connection.received() == ["a", "b"])
        #expect(session.isLive && connection.notices == [])
    }
}
