import Hub
import SessionRecords
import Testing

/// Sessions of one log: incarnation 7 with claims and a timeline.
private func record(
    sid: Int64 = 7, epoch: Int64 = 1, timelineHead: Int64, head: Int64 = 0, title: String? = nil, isLive: Bool = true,
    lastTs: Int64 = 1
) -> HubSession {
    HubSession(
        SessionRecord(
            sid: sid, agent: "demo", sessionId: "s\(sid)", title: title, cwd: nil, firstPrompt: nil, tenant: nil,
            label: SessionLabel(title: nil, tags: [], isArchived: false),
            journal: Journal(logId: 1, sid: sid, epoch: epoch), createdTs: 1, lastTs: lastTs, oldest: 1, head: head,
            timelineHead: timelineHead, state: isLive ? .live : .ended, exit: nil), isRunning: false)
}

private func update(_ n: Int64, _ seq: Int64, ts: Int64 = 100) -> TimelineItem {
    .update(n: n, seq: seq, ts: ts, line: Array("{\"u\":\(seq)}".utf8))
}

private func entry(_ n: Int64, after seq: Int64) -> TimelineItem {
    .entry(n: n, seq: seq, ts: 100, kind: "agent_start", body: Array("{}".utf8))
}

extension ShipperMachine {
    /// The answer to a read of one timeline.
    fileprivate mutating func read(_ items: [TimelineItem], isAtEnd: Bool) -> [Action] {
        read([TimelinePage(items: items, isAtEnd: isAtEnd)])
    }
}

extension ShipperMachine.Action {
    fileprivate static func timeline(sid: Int64, after: Int64) -> Self {
        .timelines([TimelineStart(sid: sid, after: after)])
    }

    fileprivate var batch: HubBatch? { if case .ship(let batch) = self { batch } else { nil } }
}

@Suite struct ShipperMachineTests {
    /// A machine that has found an empty hub and one session in the log.
    private static func started(
        _ place: HubPlace? = nil, epoch: Int64 = 1, timelineHead: Int64
    ) -> (ShipperMachine, [ShipperMachine.Action]) {
        var machine = ShipperMachine()
        #expect(machine.connected(HubContents(places: place.map { [7: $0] } ?? [:])) == [.list(after: nil)])
        let actions = machine.listed([record(epoch: epoch, timelineHead: timelineHead)], next: nil)
        return (machine, actions)
    }

    @Test func aNewSessionIsShippedWithItsFactsItsClaimAndItsTimeline() throws {
        var (machine, actions) = Self.started(timelineHead: 3)
        #expect(actions == [.claims(sid: 7)])
        actions = machine.claimed([EpochClaim(epoch: 1, first: 1)], sid: 7)
        #expect(actions == [.timeline(sid: 7, after: 0)])
        actions = machine.read([entry(1, after: 0), update(2, 1), update(3, 2)], isAtEnd: true)
        let batch = try #require(actions.first?.batch)
        #expect(batch.sessions.map(\.sid) == [7])
        #expect(batch.claims == [HubClaim(sid: 7, epoch: 1, first: 1, firstN: 1)])
        #expect(batch.rows.map(\.n) == [1, 2] && batch.rows.map(\.count) == [0, 2])
        #expect(batch.heads[7] == HubHead(epoch: 1, n: 3, seq: 2, seqN: 3, oldest: 1, ts: 100))
        #expect(machine.shipped(isWatched: false) == [.wait(ShipperMachine.quietPause)])
        #expect(machine.due() == [] && machine.isDone)
    }

    @Test func aFailedReadIsTriedAgainAfterAPause() {
        var (machine, actions) = Self.started(timelineHead: 3)
        #expect(actions == [.claims(sid: 7)])
        #expect(machine.readFailed() == [.wait(ShipperMachine.quietPause)] && !machine.isDone)
        #expect(machine.due() == [.record(sid: 7)])
        #expect(machine.readFailed() == [.wait(ShipperMachine.quietPause)])
        #expect(machine.due() == [.record(sid: 7)], "the record is not lost")
        #expect(machine.found(record(timelineHead: 3), sid: 7) == [.claims(sid: 7)])
        actions = machine.claimed([EpochClaim(epoch: 1, first: 1)], sid: 7)
        #expect(actions == [.timeline(sid: 7, after: 0)])
        #expect(machine.readFailed() == [.wait(ShipperMachine.quietPause)])
        #expect(machine.due().last == .timeline(sid: 7, after: 0))
    }

    /// Otherwise its rows would be sent from the first one on, which the hub has.
    @Test func aDamagedSessionIsLeftOutAlsoAfterItsNextUpdate() {
        var (machine, actions) = Self.started(timelineHead: 3)
        #expect(actions == [.claims(sid: 7)])
        #expect(machine.readIsDamaged() == [] && machine.isDone)
        #expect(machine.changed(sid: 7, epoch: 1, timelineHead: 4, facts: false) == [])
        actions = machine.changed(sid: 8, epoch: 1, timelineHead: 1, facts: true)
        #expect(actions == [.record(sid: 8)])
    }

    @Test func whatTheHubHasIsNotReadAgain() {
        let facts = record(timelineHead: 3).factsSum
        let place = HubPlace(head: HubHead(epoch: 1, n: 3, seq: 2, seqN: 3, ts: 100), factsSum: facts, created: 1)
        let (machine, actions) = Self.started(place, timelineHead: 3)
        #expect(actions == [] && machine.isDone)
    }

    /// A machine at a hub whose retention has deleted what ended before time 100.
    private static func retained(
        _ place: HubPlace? = nil, isLive: Bool = false, lastTs: Int64
    ) -> [ShipperMachine.Action] {
        var machine = ShipperMachine()
        _ = machine.connected(HubContents(places: place.map { [7: $0] } ?? [:], retainedFrom: 100))
        return machine.listed([record(timelineHead: 3, isLive: isLive, lastTs: lastTs)], next: nil)
    }

    @Test func whatTheRetentionOfTheHubHasDeletedDoesNotComeBack() {
        #expect(Self.retained(lastTs: 99) == [])
        #expect(Self.retained(lastTs: 100) == [.claims(sid: 7)])
        #expect(Self.retained(isLive: true, lastTs: 99) == [.claims(sid: 7)])
    }

    @Test func aSessionWhoseUsageHasChangedIsSentAgainAndOneWithoutUsageIsNotAfterAnUpgrade() {
        var session = record(timelineHead: 3)
        let sum = session.factsSum
        // The sum that versions without usage have stored.
        #expect(sum == 3_971_756_459)
        session.record.usage = #"{"used":1}"#
        let used = session.factsSum
        session.record.usage = #"{"used":2}"#
        #expect(Set([sum, used, session.factsSum]).count == 3)
    }

    @Test func anOldSessionThatTheHubHasIsShippedToItsEnd() {
        let place = HubPlace(head: HubHead(epoch: 1, n: 2, seq: 2, seqN: 2, ts: 100), factsSum: 0, created: 1)
        #expect(Self.retained(place, lastTs: 99) == [.claims(sid: 7)])
    }

    @Test func aLabelOfAnOldSessionDoesNotBringItBack() {
        var machine = ShipperMachine()
        _ = machine.connected(HubContents(retainedFrom: 100))
        _ = machine.listed([], next: nil)
        #expect(machine.changed(sid: 7, epoch: 1, timelineHead: 3, facts: true) == [.record(sid: 7)])
        let session = record(timelineHead: 3, isLive: false, lastTs: 99)
        #expect(machine.found(session, sid: 7) == [] && machine.isDone)
    }

    @Test func aHubThatWentBackGetsTheRestAgain() {
        let facts = record(timelineHead: 9).factsSum
        let place = HubPlace(head: HubHead(epoch: 1, n: 4, seq: 4, seqN: 4, ts: 100), factsSum: facts, created: 1)
        var (machine, actions) = Self.started(place, timelineHead: 9)
        #expect(actions == [.claims(sid: 7)])
        actions = machine.claimed([EpochClaim(epoch: 1, first: 1)], sid: 7)
        // The last item that the hub has is compared.
        #expect(actions == [.timeline(sid: 7, after: 3)])
        actions = machine.read([update(4, 4), update(5, 5)], isAtEnd: false)
        #expect(actions.last == .timeline(sid: 7, after: 5) && !machine.isForked)
    }

    @Test func anItemOfAnotherTimeMeansThatTheLogIsACopy() {
        let place = HubPlace(head: HubHead(epoch: 1, n: 4, seq: 4, seqN: 4, ts: 100), factsSum: 0, created: 1)
        var (machine, _) = Self.started(place, timelineHead: 9)
        _ = machine.claimed([EpochClaim(epoch: 1, first: 1)], sid: 7)
        #expect(machine.read([update(4, 4, ts: 101), update(5, 5)], isAtEnd: false) == [])
        #expect(machine.isForked)
    }

    @Test func aLaterClaimOrAnotherSessionAtTheHubMeansThatTheLogIsACopy() {
        for (epoch, created) in [(Int64(2), Int64(1)), (1, 2)] {
            let place = HubPlace(
                head: HubHead(epoch: epoch, n: 3, seq: 3, seqN: 3, ts: 100), factsSum: 0, created: created)
            let (machine, actions) = Self.started(place, timelineHead: 9)
            #expect(machine.isForked && actions == [])
        }
    }

    @Test func moreOfARunningClaimAtTheHubMeansThatTheLogIsACopy() {
        let place = HubPlace(head: HubHead(epoch: 2, n: 9, seq: 9, seqN: 9, ts: 100), factsSum: 0, created: 1)
        let (machine, actions) = Self.started(place, epoch: 2, timelineHead: 8)
        #expect(machine.isForked && actions == [])
    }

    @Test func anotherBeginningOfAClaimMeansThatTheLogIsACopy() {
        let place = HubPlace(
            head: HubHead(epoch: 1, n: 4, seq: 4, seqN: 4, ts: 100), factsSum: 0, created: 1, claimFirst: 2)
        var (machine, _) = Self.started(place, timelineHead: 9)
        #expect(machine.claimed([EpochClaim(epoch: 1, first: 1)], sid: 7) == [] && machine.isForked)
    }

    /// A machine at a hub with more of a session than the log, and the hub's time of the log's last update.
    private static func ahead(ts: Int64) -> (ShipperMachine, [ShipperMachine.Action]) {
        let session = record(timelineHead: 8, head: 7, isLive: false)
        let place = HubPlace(
            head: HubHead(epoch: 1, n: 9, seq: 8, seqN: 9, ts: 100), factsSum: session.factsSum, created: 1)
        var machine = ShipperMachine()
        _ = machine.connected(HubContents(places: [7: place]))
        #expect(machine.listed([session], next: nil) == [.claims(sid: 7)])
        #expect(machine.claimed([EpochClaim(epoch: 1, first: 1)], sid: 7) == [.lookUp(sid: 7, update: 7)])
        #expect(machine.lookedUp(HubUpdate(n: 8, ts: ts), update: 7, sid: 7) == [.timeline(sid: 7, after: 7)])
        let actions = machine.read([update(8, 7)], isAtEnd: true)
        return (machine, actions)
    }

    @Test func moreAtTheHubAfterAnotherUpdateMeansThatTheLogIsACopy() {
        let (machine, actions) = Self.ahead(ts: 101)
        #expect(machine.isForked && actions == [])
    }

    @Test func theHubKeepsWhatAPowerCutTookFromAnEndedSession() {
        let (machine, actions) = Self.ahead(ts: 100)
        #expect(!machine.isForked && machine.isDone && actions == [])
    }

    @Test func anotherUpdateBeforeAClaimMeansThatTheLogIsACopy() {
        // The hub has claim 2 as well, with the same first update, but from another run of the agent.
        let place = HubPlace(head: HubHead(epoch: 2, n: 9, seq: 9, seqN: 9, ts: 100), factsSum: 0, created: 1)
        var (machine, _) = Self.started(place, epoch: 3, timelineHead: 9)
        let claims = [EpochClaim(epoch: 1, first: 1), EpochClaim(epoch: 2, first: 4), EpochClaim(epoch: 3, first: 8)]
        #expect(machine.claimed(claims, sid: 7) == [.lookUp(sid: 7, update: 7)])
        #expect(machine.lookedUp(HubUpdate(n: 7, ts: 99), update: 7, sid: 7) == [.timeline(sid: 7, after: 6)])
        #expect(machine.read([update(7, 7), update(8, 8)], isAtEnd: false) == [] && machine.isForked)
    }

    @Test func theClaimsOfASessionThatLostItsEndAreReadAgain() {
        var (machine, _) = Self.ahead(ts: 100)
        #expect(machine.changed(sid: 7, epoch: 0, timelineHead: 10, facts: false) == [.claims(sid: 7)])
    }

    @Test func aTrimmedLogIsNotCompared() {
        let place = HubPlace(head: HubHead(epoch: 1, n: 4, seq: 4, seqN: 4, ts: 100), factsSum: 0, created: 1)
        var (machine, _) = Self.started(place, timelineHead: 9)
        _ = machine.claimed([EpochClaim(epoch: 1, first: 1)], sid: 7)
        _ = machine.read([update(8, 8, ts: 105), update(9, 9, ts: 105)], isAtEnd: true)
        #expect(!machine.isForked)
    }

    @Test func entriesAfterTheLastUpdateAreShippedAgainUnderTheNextEpoch() throws {
        // The hub has update 2 as number 2, and the entry of the agent's end as number 3.
        let place = HubPlace(head: HubHead(epoch: 1, n: 3, seq: 2, seqN: 2, ts: 100), factsSum: 0, created: 1)
        var (machine, actions) = Self.started(place, epoch: 2, timelineHead: 5)
        #expect(actions == [.claims(sid: 7)])
        actions = machine.claimed([EpochClaim(epoch: 1, first: 1), EpochClaim(epoch: 2, first: 3)], sid: 7)
        #expect(actions == [.lookUp(sid: 7, update: 2)])
        #expect(machine.lookedUp(HubUpdate(n: 2, ts: 100), update: 2, sid: 7) == [.timeline(sid: 7, after: 1)])
        let items = [update(2, 2), entry(3, after: 2), entry(4, after: 2), update(5, 3)]
        actions = machine.read(items, isAtEnd: true)
        let batch = try #require(actions.first?.batch)
        #expect(batch.claims == [HubClaim(sid: 7, epoch: 2, first: 3, firstN: 3)])
        #expect(batch.rows.map(\.epoch) == [2, 2, 2] && batch.rows.map(\.n) == [3, 4, 5])
    }

    @Test func anEpochHidesWhatAPowerCutTookBack() throws {
        // The hub has updates 1 to 9, and the log lost 6 to 9 before the second claim.
        let place = HubPlace(head: HubHead(epoch: 1, n: 9, seq: 9, seqN: 9, ts: 100), factsSum: 0, created: 1)
        var (machine, actions) = Self.started(place, epoch: 2, timelineHead: 7)
        actions = machine.claimed([EpochClaim(epoch: 1, first: 1), EpochClaim(epoch: 2, first: 6)], sid: 7)
        #expect(actions == [.lookUp(sid: 7, update: 5)])
        #expect(machine.lookedUp(HubUpdate(n: 5, ts: 100), update: 5, sid: 7) == [.timeline(sid: 7, after: 4)])
        actions = machine.read([update(5, 5), update(6, 6), update(7, 7)], isAtEnd: true)
        let batch = try #require(actions.first?.batch)
        #expect(batch.claims == [HubClaim(sid: 7, epoch: 2, first: 6, firstN: 6)])
        #expect(batch.heads[7] == HubHead(epoch: 2, n: 7, seq: 7, seqN: 7, oldest: 1, ts: 100))
    }

    @Test func aNewClaimIsReadBeforeItsFirstUpdate() {
        var (machine, _) = Self.started(timelineHead: 1)
        _ = machine.claimed([EpochClaim(epoch: 1, first: 1)], sid: 7)
        _ = machine.read([update(1, 1)], isAtEnd: true)
        #expect(machine.changed(sid: 7, epoch: 2, timelineHead: 2, facts: false) == [.claims(sid: 7)])
    }

    @Test func aClaimWaitsForTheTransactionWithTheUpdateBeforeIt() throws {
        var (machine, _) = Self.started(timelineHead: 3)
        _ = machine.claimed([EpochClaim(epoch: 1, first: 1)], sid: 7)
        _ = machine.read([update(1, 1), update(2, 2), update(3, 3)], isAtEnd: true)
        #expect(machine.changed(sid: 7, epoch: 2, timelineHead: 4, facts: false) == [.claims(sid: 7)])
        // Update 3 was read under the claim before it. The hub does not have update 2 yet.
        #expect(machine.claimed([EpochClaim(epoch: 1, first: 1), EpochClaim(epoch: 2, first: 3)], sid: 7) == [])
        _ = machine.shipped(isWatched: true)
        #expect(machine.due() == [.lookUp(sid: 7, update: 2)])
        #expect(machine.lookedUp(HubUpdate(n: 2, ts: 100), update: 2, sid: 7) == [.timeline(sid: 7, after: 1)])
        let actions = machine.read([update(2, 2), update(3, 3), update(4, 4)], isAtEnd: true)
        #expect(actions.first?.batch?.heads[7] == HubHead(epoch: 2, n: 4, seq: 4, seqN: 4, oldest: 1, ts: 100))
    }

    @Test func aSessionWithoutTheUpdateBeforeAClaimStops() {
        let place = HubPlace(head: HubHead(epoch: 1, n: 9, seq: 9, seqN: 9, ts: 100), factsSum: 0, created: 1)
        var (machine, _) = Self.started(place, epoch: 2, timelineHead: 7)
        _ = machine.claimed([EpochClaim(epoch: 1, first: 1), EpochClaim(epoch: 2, first: 6)], sid: 7)
        _ = machine.lookedUp(nil, update: 5, sid: 7)
        #expect(machine.faults == [7: "update 5 is missing at the hub"])
    }

    @Test func aPageThatCrossesAClaimIsCutThere() throws {
        var (machine, _) = Self.started(epoch: 2, timelineHead: 3)
        _ = machine.claimed([EpochClaim(epoch: 1, first: 1), EpochClaim(epoch: 2, first: 3)], sid: 7)
        // The second claim begins after update 2, so update 3 is read again under it.
        let actions = machine.read([update(1, 1), update(2, 2), update(3, 3)], isAtEnd: true)
        let batch = try #require(actions.first?.batch)
        #expect(batch.rows.map(\.first) == [1] && batch.rows.map(\.count) == [2])
        #expect(actions.last == .timeline(sid: 7, after: 2))
    }

    @Test func changesDuringATransactionFormTheNextOne() throws {
        var (machine, _) = Self.started(timelineHead: 1)
        _ = machine.claimed([EpochClaim(epoch: 1, first: 1)], sid: 7)
        #expect(machine.read([update(1, 1)], isAtEnd: true).count == 1)
        #expect(machine.changed(sid: 7, epoch: 1, timelineHead: 2, facts: false) == [.timeline(sid: 7, after: 1)])
        #expect(machine.read([update(2, 2)], isAtEnd: true) == [])
        #expect(machine.shipped(isWatched: true) == [.wait(ShipperMachine.watchedPause)])
        #expect(machine.due().first?.batch?.rows.map(\.first) == [2])
    }

    /// A machine that has shipped the first update of these sessions, while a transaction of session 1 is in flight, and
    /// in which each session has a second update.
    private static func busy(sids: [Int64]) -> ShipperMachine {
        var machine = ShipperMachine()
        _ = machine.connected(HubContents())
        _ = machine.listed(sids.map { record(sid: $0, timelineHead: 1) }, next: nil)
        for sid in sids {
            _ = machine.claimed([EpochClaim(epoch: 1, first: 1)], sid: sid)
            _ = machine.read([update(1, 1)], isAtEnd: true)
        }
        _ = machine.shipped(isWatched: true)
        for sid in sids { _ = machine.changed(sid: sid, epoch: 1, timelineHead: 2, facts: false) }
        return machine
    }

    @Test func theTimelinesOfAllSessionsAreOneRead() throws {
        var machine = Self.busy(sids: [1, 2, 3])
        let starts = [1, 2, 3].map { TimelineStart(sid: $0, after: 1) }
        #expect(machine.due() == [.timelines(starts)])
        #expect(machine.unshipped == [1, 2, 3])
        let pages = (0..<3).map { _ in TimelinePage(items: [update(2, 2)], isAtEnd: true) }
        let actions = machine.read(pages)
        #expect(try #require(actions.first?.batch).rows.map(\.sid) == [1, 2, 3])
    }

    @Test func aTimelineThatTheAnswerHadNoRoomForIsReadNextAndInTheSameTransaction() throws {
        var machine = Self.busy(sids: [1, 2, 3])
        _ = machine.due()
        // Session 1 has more than the answer had room for, and changes meanwhile.
        _ = machine.changed(sid: 1, epoch: 1, timelineHead: 3, facts: false)
        _ = machine.changed(sid: 2, epoch: 1, timelineHead: 3, facts: false)
        var actions = machine.read([TimelinePage(items: [update(2, 2)], isAtEnd: false)])
        #expect(actions == [.timelines([2, 3].map { TimelineStart(sid: $0, after: 1) })])
        // The second read begins after the change of session 2.
        actions = machine.read(
            [[update(2, 2), update(3, 3)], [update(2, 2)]].map { TimelinePage(items: $0, isAtEnd: true) })
        #expect(try #require(actions.first?.batch).rows.map(\.sid) == [1, 2, 3])
        // The rest of session 1 belongs to the next round.
        #expect(actions.last == .timeline(sid: 1, after: 2))
    }

    @Test func anUpdateThatIsStoredDuringTheReadIsShippedWithoutAnotherChange() throws {
        var machine = Self.busy(sids: [1])
        _ = machine.due()
        _ = machine.changed(sid: 1, epoch: 1, timelineHead: 3, facts: false)
        let actions = machine.read([update(2, 2)], isAtEnd: true)
        #expect(actions.last == .timeline(sid: 1, after: 2) && !machine.isDone)
    }

    @Test func aClaimThatIsMadeDuringTheReadOfTheClaimsIsReadBeforeItsFirstUpdate() {
        var (machine, _) = Self.started(timelineHead: 1)
        _ = machine.changed(sid: 7, epoch: 2, timelineHead: 2, facts: false)
        #expect(machine.claimed([EpochClaim(epoch: 1, first: 1)], sid: 7) == [.claims(sid: 7)])
        let claims = [EpochClaim(epoch: 1, first: 1), EpochClaim(epoch: 2, first: 2)]
        #expect(machine.claimed(claims, sid: 7) == [.timeline(sid: 7, after: 0)])
    }

    @Test func aClaimThatTheLogDoesNotHaveIsNotWaitedFor() {
        var (machine, _) = Self.started(timelineHead: 1)
        _ = machine.changed(sid: 7, epoch: 2, timelineHead: 2, facts: false)
        _ = machine.claimed([EpochClaim(epoch: 1, first: 1)], sid: 7)
        #expect(machine.claimed([EpochClaim(epoch: 1, first: 1)], sid: 7) == [.timeline(sid: 7, after: 0)])
    }

    @Test func factsThatChangeDuringTheReadOfTheRecordAreReadAgain() {
        var machine = ShipperMachine()
        _ = machine.connected(HubContents())
        _ = machine.listed([], next: nil)
        #expect(machine.changed(sid: 7, epoch: 1, timelineHead: 0, facts: true) == [.record(sid: 7)])
        #expect(machine.changed(sid: 7, epoch: 1, timelineHead: 0, facts: true) == [])
        #expect(machine.found(record(timelineHead: 0), sid: 7) == [.record(sid: 7)])
        let changed = record(timelineHead: 0, title: "new")
        #expect(machine.found(changed, sid: 7) == [.claims(sid: 7)])
    }

    @Test func factsThatChangeDuringTheListingAreReadAgain() {
        var machine = ShipperMachine()
        _ = machine.connected(HubContents())
        _ = machine.changed(sid: 7, epoch: 1, timelineHead: 1, facts: true)
        #expect(machine.listed([record(timelineHead: 1)], next: nil) == [.record(sid: 7)])
    }

    @Test func aTimelineThatCannotBeReadDoesNotStopTheOthers() throws {
        var machine = Self.busy(sids: [1, 2])
        _ = machine.due()
        let actions = machine.read([nil, TimelinePage(items: [update(2, 2)], isAtEnd: true)])
        #expect(try #require(actions.first?.batch).rows.map(\.sid) == [2])
        #expect(machine.unshipped == [1, 2], "the one that cannot be read stays unshipped, too")
    }

    @Test func aGapThatRetentionLeftMovesTheOldestNumber() throws {
        let place = HubPlace(head: HubHead(epoch: 1, n: 2, seq: 2, seqN: 2, ts: 100), factsSum: 0, created: 1)
        var (machine, _) = Self.started(place, timelineHead: 9)
        _ = machine.claimed([EpochClaim(epoch: 1, first: 1)], sid: 7)
        let actions = machine.read([update(8, 8), update(9, 9)], isAtEnd: true)
        #expect(actions.first?.batch?.heads[7]?.oldest == 8)
    }

    @Test func aRefusedSessionIsFoundAndDoesNotStopTheOthers() throws {
        var machine = ShipperMachine()
        /// Returns the batches that are shipped before the hub answers.
        func ship(sids: [Int64]) -> [HubBatch] {
            _ = machine.connected(HubContents())
            var batches: [HubBatch] = []
            var actions = machine.listed(sids.map { record(sid: $0, timelineHead: 1) }, next: nil)
            while case .claims(let sid)? = actions.last {
                _ = machine.claimed([EpochClaim(epoch: 1, first: 1)], sid: sid)
                actions = machine.read([update(1, 1)], isAtEnd: true)
                batches += actions.compactMap(\.batch)
            }
            return batches
        }
        #expect(ship(sids: [1, 2]).map(\.sids) == [[1, 2]])
        machine.failed(.contents("too large"))
        #expect(machine.faults.isEmpty)
        #expect(ship(sids: [1, 2]).map(\.sids) == [[1]])
        machine.failed(.contents("too large"))
        #expect(machine.faults == [1: "too large"])
        #expect(ship(sids: [1, 2]).map(\.sids) == [[2]])
    }

    @Test func theSecondConflictStopsTheSession() throws {
        var machine = ShipperMachine()
        for attempt in 1...2 {
            _ = machine.connected(HubContents())
            _ = machine.listed([record(timelineHead: 1)], next: nil)
            _ = machine.claimed([EpochClaim(epoch: 1, first: 1)], sid: 7)
            #expect(machine.read([update(1, 1)], isAtEnd: true).first?.batch != nil)
            machine.failed(.conflict)
            #expect(machine.faults.isEmpty == (attempt == 1))
        }
    }

    @Test func aDeletedSessionIsNotShipped() {
        var (machine, actions) = Self.started(timelineHead: 1)
        #expect(actions == [.claims(sid: 7)])
        machine.deleted(sid: 7)
        // The answer to the read in flight ends the read, and a late change begins none.
        #expect(machine.claimed([EpochClaim(epoch: 1, first: 1)], sid: 7) == [])
        #expect(machine.changed(sid: 7, epoch: 1, timelineHead: 2, facts: true) == [])
        #expect(machine.isDone)
        actions = machine.changed(sid: 8, epoch: 1, timelineHead: 1, facts: false)
        #expect(actions == [.record(sid: 8)])
    }

    @Test func aDeletedSessionLeavesTheCollectedBatch() throws {
        var machine = ShipperMachine()
        _ = machine.connected(HubContents())
        _ = machine.listed([1, 2, 3].map { record(sid: $0, timelineHead: 1) }, next: nil)
        _ = machine.claimed([EpochClaim(epoch: 1, first: 1)], sid: 1)
        _ = machine.read([update(1, 1)], isAtEnd: true)
        _ = machine.claimed([EpochClaim(epoch: 1, first: 1)], sid: 2)
        machine.deleted(sid: 1)
        // Session 3 waits in the same round.
        machine.deleted(sid: 3)
        let actions = machine.read([update(1, 1)], isAtEnd: true)
        let batch = try #require(actions.first?.batch)
        #expect(batch.sids == [2] && batch.rows.map(\.sid) == [2])
    }

    @Test func aPageThatWasReadBeforeTheDeletionDoesNotBringTheSessionBack() {
        var machine = ShipperMachine()
        #expect(machine.connected(HubContents()) == [.list(after: nil)])
        machine.deleted(sid: 7)
        #expect(machine.listed([record(timelineHead: 1)], next: nil) == [])
        #expect(machine.isDone)
    }

    @Test func sessionsAreUnshippedUntilTheirTransactionIsCommitted() {
        var machine = ShipperMachine()
        #expect(machine.unshipped == nil)
        _ = machine.connected(HubContents())
        #expect(machine.unshipped == nil)
        _ = machine.listed([1, 2].map { record(sid: $0, timelineHead: 1) }, next: nil)
        #expect(machine.unshipped == [1, 2])
        for sid: Int64 in [1, 2] {
            _ = machine.claimed([EpochClaim(epoch: 1, first: 1)], sid: sid)
            _ = machine.read([update(1, 1)], isAtEnd: true)
        }
        #expect(machine.unshipped == [1, 2])
        _ = machine.shipped(isWatched: false)
        #expect(machine.unshipped == [])
        machine.disconnected()
        #expect(machine.unshipped == nil)
    }

    @Test func answersAfterADisconnectionAreIgnored() {
        var (machine, _) = Self.started(timelineHead: 1)
        machine.disconnected()
        #expect(machine.claimed([EpochClaim(epoch: 1, first: 1)], sid: 7) == [])
        #expect(machine.changed(sid: 7, epoch: 1, timelineHead: 2, facts: true) == [])
    }
}

@Suite struct HubRowTests {
    @Test func itemsSurviveTheWayThroughRows() throws {
        var builder = RowBuilder(sid: 7, claims: [EpochClaim(epoch: 1, first: 1)])
        let items = [entry(1, after: 0), update(2, 1, ts: 5), update(3, 2, ts: 9), entry(4, after: 2), update(5, 3)]
        for item in items { builder.add(item) }
        builder.close()
        #expect(builder.rows.map(\.n) == [1, 2, 4, 5])
        #expect(try builder.rows.flatMap { try #require($0.items(from: 1)) } == items)
        #expect(builder.rows[1].items(from: 3) == [update(3, 2, ts: 9)])
    }

    @Test func aRowEndsAtAClaim() {
        var builder = RowBuilder(sid: 7, claims: [EpochClaim(epoch: 1, first: 1), EpochClaim(epoch: 2, first: 2)])
        builder.add(update(1, 1))
        builder.add(update(2, 2))
        builder.close()
        #expect(builder.rows.map(\.epoch) == [1, 2])
    }

    @Test func contradictoryRowsHaveNoItems() {
        let row = HubRow(
            sid: 7, epoch: 1, n: 1, first: 1, count: 2, ts: 0, kind: nil, body: Array("one\n".utf8), offsets: nil)
        #expect(row.items(from: 1) == nil)
    }
}
