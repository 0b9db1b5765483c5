import Testing
import Tinyvex

@testable import EventLoop
@testable import LiveQueries
@testable import Posix

@Suite struct QueryMachineTests {
    var machine = QueryMachine()
    let list = QueryKey(name: .sessionsList, params: Array("{}".utf8), tenant: nil)

    private func at(_ milliseconds: Int64) -> Instant { Instant(nanoseconds: milliseconds * 1_000_000) }
    private func value(_ text: String) -> QueryOutcome { .success(Array(text.utf8)) }

    private mutating func watch(_ key: QueryKey? = nil, refresh: Duration? = nil, at time: Int64 = 0) -> Int? {
        machine.watch(key ?? list, topics: [.sessions], refresh: refresh, at: at(time))?.ticket
    }

    private mutating func touch(_ topic: QueryTopic = .sessions, at time: Int64) -> [Int] {
        machine.touch(topic, at: at(time)).map(\.ticket)
    }

    private mutating func computed(_ ticket: Int, _ outcome: QueryOutcome, at time: Int64) -> Bool? {
        machine.computed(list, ticket: ticket, outcome, at: at(time))
    }

    @Test mutating func manyWatchersShareOneComputationAndOneValue() {
        #expect(watch() == 1)
        #expect(watch() == nil, "a computation is already running")
        #expect(computed(1, value("a"), at: 1) == true)
        #expect(watch() == nil, "the value is already computed")
        #expect(machine.value(of: list)?.version == 1)
        #expect(machine.count == 1)
        #expect(machine.heldBytes == 1)
    }

    @Test mutating func aChangeAfterTheRestPeriodStartsAComputationAtOnce() {
        _ = watch()
        _ = computed(1, value("a"), at: 1)
        #expect(touch(at: 100) == [2])
        #expect(computed(2, value("b"), at: 101) == true)
        #expect(machine.value(of: list)?.version == 2)
    }

    @Test mutating func changesInQuickSuccessionCauseOneComputation() {
        _ = watch()
        _ = computed(1, value("a"), at: 1)
        for time in Int64(2)..<100 { #expect(touch(at: time) == []) }
        #expect(machine.nextDeadline == at(100))
        #expect(machine.becameDue(at: at(99)) == [])
        #expect(machine.becameDue(at: at(100)).map(\.ticket) == [2])
        #expect(machine.nextDeadline == nil)
    }

    @Test mutating func aChangeDuringAComputationCausesAnotherOne() {
        _ = watch()
        #expect(touch(at: 1) == [])
        #expect(touch(at: 2) == [])
        #expect(computed(1, value("a"), at: 3) == true)
        #expect(machine.becameDue(at: at(100)).map(\.ticket) == [2])
        #expect(computed(2, value("a"), at: 101) == false, "the value has not changed")
        #expect(machine.value(of: list)?.version == 1)
        #expect(machine.nextDeadline == nil)
    }

    @Test mutating func aSlowComputationHasALongRestPeriod() {
        _ = watch()
        #expect(touch(at: 10) == [])
        #expect(computed(1, value("a"), at: 200) == true)
        #expect(machine.nextDeadline == at(200 + 4 * 200))
    }

    @Test mutating func aLargeValueRestsAsLongAsItsTransmissionTakes() {
        _ = watch()
        #expect(touch(at: 1) == [])
        #expect(computed(1, .success([UInt8](repeating: 32, count: 1 << 20)), at: 2) == true)
        #expect(machine.nextDeadline == at(250))
    }

    @Test mutating func aRefusalIsComparedLikeAValue() {
        let gone = QueryOutcome.failure(Rejection(.sessionNotFound, "gone"))
        _ = watch()
        #expect(computed(1, gone, at: 1) == true)
        #expect(touch(at: 200) == [2])
        #expect(computed(2, gone, at: 201) == false)
        #expect(touch(at: 400) == [3])
        #expect(computed(3, value("back"), at: 401) == true)
    }

    @Test mutating func aValueWithoutWatchersIsForgotten() {
        _ = watch()
        _ = watch()
        _ = computed(1, value("a"), at: 1)
        machine.unwatch(list)
        #expect(touch(at: 200) == [2])
        machine.unwatch(list)
        #expect(machine.isEmpty && machine.heldBytes == 0)
        #expect(!machine.isWatched(.sessions))
        #expect(touch(at: 300) == [])
        #expect(computed(2, value("late"), at: 301) == nil)
        #expect(machine.nextDeadline == nil)
    }

    @Test mutating func theOutcomeOfAnOldComputationIsIgnored() {
        #expect(watch() == 1)
        machine.unwatch(list)
        #expect(watch() == 2)
        #expect(computed(1, value("before the change"), at: 1) == nil)
        #expect(machine.value(of: list) == nil)
        #expect(computed(2, value("after it"), at: 2) == true)
    }

    @Test mutating func aChangeAffectsOnlyValuesThatDependOnIt() {
        let other = QueryKey(name: .agentsList, params: Array("{}".utf8), tenant: nil)
        _ = watch()
        _ = computed(1, value("a"), at: 1)
        _ = machine.watch(other, topics: [.agents], refresh: nil, at: at(0))
        _ = machine.computed(other, ticket: 2, value("[]"), at: at(1))
        #expect(machine.touch(.agents, at: at(500)).map(\.key) == [other])
        #expect(machine.touch(.session(id: "s"), at: at(500)) == [])
    }

    @Test mutating func aValueWithARefreshIntervalIsComputedPeriodically() {
        _ = watch(refresh: .seconds(5))
        _ = computed(1, value("a"), at: 1)
        #expect(machine.nextDeadline == at(5001))
        #expect(machine.becameDue(at: at(5001)).map(\.ticket) == [2])
        _ = computed(2, value("b"), at: 5002)
        #expect(touch(at: 6000) == [3], "a reported change starts a computation at once")
        _ = computed(3, value("c"), at: 6001)
        #expect(machine.becameDue(at: at(10_002)) == [], "the interval restarts")
        #expect(machine.becameDue(at: at(11_001)).map(\.ticket) == [4])
    }

    @Test mutating func tenantsDoNotShareValues() {
        let theirs = QueryKey(name: .sessionsList, params: list.params, tenant: "acme")
        #expect(watch() == 1)
        #expect(watch(theirs) == 2)
        #expect(machine.count == 2)
    }

    // MARK: Counters

    private func row(_ count: Int, _ more: String = "") -> QueryOutcome {
        value(#"{"data":[{"journal":"j-1","updateCount":\#(count)\#(more)}],"total":1}"#)
    }

    @Test mutating func aChangeOfCountersIsAnnouncedASecondAfterTheLastOne() {
        _ = watch()
        #expect(computed(1, row(1), at: 1) == true)
        #expect(touch(at: 200) == [2])
        #expect(computed(2, row(2), at: 201) == false)
        #expect(machine.value(of: list)?.outcome == row(2), "a new subscriber gets the newest")
        #expect(touch(at: 400) == [3])
        #expect(computed(3, row(3), at: 401) == false)
        #expect(machine.nextDeadline == at(1001))
        #expect(machine.becameDue(at: at(1001)).map(\.ticket) == [4])
        #expect(computed(4, row(3), at: 1002) == true, "the last change is not lost")
        #expect(machine.nextDeadline == nil)
        #expect(touch(at: 3000) == [5])
        #expect(computed(5, row(4), at: 3001) == true, "the first change after a pause")
    }

    @Test mutating func anyOtherChangeIsAnnouncedAtOnceAlsoAfterAWithheldOne() {
        _ = watch()
        _ = computed(1, row(1), at: 1)
        #expect(touch(at: 200) == [2])
        #expect(computed(2, row(2), at: 201) == false)
        #expect(touch(at: 400) == [3])
        #expect(computed(3, row(2, #","state":"idle""#), at: 401) == true)
        #expect(touch(at: 600) == [4])
        #expect(computed(4, .failure(Rejection(.sessionNotFound, "gone")), at: 601) == true)
        #expect(touch(at: 800) == [5])
        #expect(computed(5, row(3), at: 801) == true)
    }

    @Test mutating func aWithheldValueIsAnnouncedDuringOtherChangesOfCounters() {
        _ = watch()
        _ = computed(1, row(1), at: 1)
        var announced: [Int64] = []
        for tick in Int64(1)...40 {
            for ticket in touch(at: tick * 100) where computed(ticket, row(Int(tick)), at: tick * 100) == true {
                announced.append(tick * 100)
            }
        }
        #expect(announced == [1100, 2100, 3100])
    }

    @Test func theOrderOfAListByTimesIsACounter() {
        func list(_ rows: String...) -> [UInt8] {
            Array(#"{"data":[\#(rows.joined(separator: ","))],"total":2,"nextCursor":"\#(rows.count)"}"#.utf8)
        }
        let (first, second) = (#"{"journal":"a","lastTs":1}"#, #"{"journal":"b","lastTs":2,"usage":{"used":1}}"#)
        let later = #"{"journal":"a","lastTs":3,"usage":{"used":9}}"#
        #expect(QueryName.sessionsList.differOnlyInCounters(list(second, first), list(later, second)))
        #expect(!QueryName.sessionsList.differOnlyInCounters(list(second, first), list(second)))
        let waiting = #"{"journal":"a","lastTs":1,"waitingTs":1}"#
        #expect(!QueryName.sessionsList.differOnlyInCounters(list(second, first), list(waiting, second)))
    }

    @Test func aToolCallOrATurnIsNoCounterOfASession() {
        func session(_ seq: Int, _ more: String) -> [UInt8] {
            Array(#"{"lastSeq":\#(seq),"costs":[\#(seq)],\#(more),"omitted":{"toolCalls":\#(seq)}}"#.utf8)
        }
        let query = QueryName.sessionsGet
        #expect(query.differOnlyInCounters(session(1, #""toolCalls":[]"#), session(2, #""toolCalls":[]"#)))
        #expect(!query.differOnlyInCounters(session(1, #""toolCalls":[]"#), session(2, #""toolCalls":[1]"#)))
        #expect(!query.differOnlyInCounters(session(1, #""plan":null"#), session(2, #""plan":{}"#)))
        #expect(!QueryName.bridgeStatus.differOnlyInCounters(session(1, #""a":1"#), session(2, #""a":1"#)))
    }
}
