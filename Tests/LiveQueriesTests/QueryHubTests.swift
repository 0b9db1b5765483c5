import Connections
import Glibc
import Posix
import TestSupport
import Testing
import Tinyvex

@testable import EventLoop
@testable import LiveQueries

/// A hub. The test completes its computations and advances its clock.
@LoopActor private final class HubUnderTest {
    let loop = ManualLoop()
    private(set) lazy var hub = QueryHub(services: loop.services) { [unowned self] key, _, finish in
        startCount += 1
        pending.append(finish)
    }
    private(set) var startCount = 0
    private var pending: [@LoopActor (QueryOutcome) -> Void] = []
    /// The outcomes that the callers of `first` have received.
    private(set) var received: [String] = []
    private let connection = TestConnection()

    func key(_ name: QueryName = .sessionsList, _ params: String = "{}") -> QueryKey {
        QueryKey(name: name, params: Array(params.utf8), tenant: nil)
    }

    func first(_ key: QueryKey, _ caller: String = "a") {
        hub.first(key, Parameters(nil)) { [unowned self] outcome in
            switch outcome {
            case .success(let bytes): received.append("\(caller): \(String(decoding: bytes, as: UTF8.self))")
            case .failure(let rejection): received.append("\(caller): \(rejection.message)")
            }
        }
    }

    func subscribe(_ key: QueryKey, _ subId: String = "s") -> ValueTransmitter {
        let subscription = ValueTransmitter(subId: subId, key: key, seq: 0, hub: hub, connection: connection)
        hub.add(subscription, Parameters(nil))
        return subscription
    }

    func close(_ subscription: ValueTransmitter) { subscription.close() }

    /// Completes the oldest computation that is running.
    func complete(_ text: String) {
        guard !pending.isEmpty else { return }
        pending.removeFirst()(.success(Array(text.utf8)))
    }

    func pass(milliseconds: Int) { loop.advance(by: .milliseconds(milliseconds)) }

    /// The values that the subscribers' connection has sent, in their order.
    var sentValues: [String] { connection.sentValues }
}

/// A connection over a socket pair. The test reads the other end.
@LoopActor private final class TestConnection: StreamConnection {
    let writer: ConnectionWriter
    let takesChunks = false
    private let peer: Descriptor
    private var text = ""

    init() {
        var ends: [Int32] = [0, 0]
        socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends)
        peer = Descriptor(owning: ends[1])
        writer = ConnectionWriter(
            stream: ByteStream(Descriptor(owning: ends[0])), deflate: nil, turns: FairScheduler()
        ) {}
    }

    /// The value is the last member of each message.
    var sentValues: [String] {
        var bytes = [UInt8](repeating: 0, count: 64 << 10)
        let count = recv(peer.raw, &bytes, bytes.count, Int32(MSG_DONTWAIT))
        text += String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
        return text.split(separator: #""value":"#).dropFirst().map { String($0.prefix { $0 != "}" }) }
    }

    func send(_ message: [UInt8]) {}
    func notify(_ notice: [UInt8]) {}
    func reachedAnEnd() {}
    func removeSubscription(_ subId: String) -> Bool { false }
    func closeAfterFailure() {}
}

@Suite(.timeLimit(.minutes(1))) struct QueryHubTests {
    init() { LoopThread.start }

    @Test @LoopActor func callersShareOneComputationAndReceiveItsOutcomeInOrder() {
        let under = HubUnderTest()
        under.first(under.key(), "a")
        under.first(under.key(), "b")
        #expect(under.startCount == 1 && under.received.isEmpty)
        under.complete("1")
        #expect(under.received == ["a: 1", "b: 1"])
        #expect(under.hub.count == 0, "no caller watches the value any more")
    }

    @Test @LoopActor func aWatchedValueIsAnsweredWithoutAComputation() {
        let under = HubUnderTest()
        let subscription = under.subscribe(under.key())
        under.complete("1")
        under.first(under.key())
        #expect(under.received == ["a: 1"] && under.startCount == 1)
        under.close(subscription)
    }

    @Test @LoopActor func aCallerGetsAnOutcomeThatIncludesAllEarlierChanges() {
        let under = HubUnderTest()
        let subscription = under.subscribe(under.key())
        under.complete("1")
        under.hub.touch(.sessions)
        under.first(under.key(), "a")
        #expect(
            under.startCount == 2 && under.received.isEmpty, "the computation does not wait for the end of the rest")
        under.hub.touch(.sessions)
        under.first(under.key(), "b")
        under.complete("2")
        #expect(under.received == ["a: 2"] && under.startCount == 3)
        under.complete("2")
        #expect(under.received == ["a: 2", "b: 2"], "an unchanged outcome is an answer, too")
        under.close(subscription)
    }

    @Test @LoopActor func severalChangesInOneTurnCauseOneComputation() {
        let under = HubUnderTest()
        let subscription = under.subscribe(under.key())
        under.complete("1")
        under.pass(milliseconds: 1_000)
        for _ in 0..<3 { under.hub.touch(.sessions) }
        #expect(under.startCount == 1, "the change is handled in the next turn")
        under.pass(milliseconds: 0)
        #expect(under.startCount == 2)
        under.close(subscription)
    }

    @Test @LoopActor func aChangeDuringTheRestPeriodWaitsForItsEnd() {
        let under = HubUnderTest()
        let subscription = under.subscribe(under.key())
        under.complete("1")
        under.hub.touch(.sessions)
        under.pass(milliseconds: 99)
        #expect(under.startCount == 1)
        under.pass(milliseconds: 1)
        #expect(under.startCount == 2)
        under.close(subscription)
    }

    @Test @LoopActor func aSubscriberReceivesOnlyChangedValues() {
        let under = HubUnderTest()
        let subscription = under.subscribe(under.key())
        for value in ["1", "1", "2"] {
            under.complete(value)
            under.pass(milliseconds: 1_000)
            under.hub.touch(.sessions)
            under.pass(milliseconds: 0)
        }
        #expect(under.sentValues == ["1", "2"])
        under.close(subscription)
    }

    @Test @LoopActor func aValueWithoutWatchersIsNotComputed() {
        let under = HubUnderTest()
        let subscription = under.subscribe(under.key())
        under.complete("1")
        under.close(subscription)
        #expect(under.hub.count == 0)
        under.hub.touch(.sessions)
        under.pass(milliseconds: 60_000)
        #expect(under.startCount == 1)
    }

    @Test @LoopActor func anOutcomeThatArrivesAfterItsWatchersLeftIsIgnored() {
        let under = HubUnderTest()
        under.subscribe(under.key(), "first").close()
        let second = under.subscribe(under.key(), "second")
        #expect(under.startCount == 2)
        under.complete("old")
        #expect(under.sentValues.isEmpty)
        under.complete("new")
        #expect(under.sentValues == ["new"])
        under.close(second)
    }

    @Test @LoopActor func aValueWithoutChangeReportsIsComputedAtIntervals() {
        let under = HubUnderTest()
        let subscription = under.subscribe(under.key(.bridgeStatus))
        under.complete("1")
        under.pass(milliseconds: 999)
        #expect(under.startCount == 1)
        under.pass(milliseconds: 1)
        #expect(under.startCount == 2)
        under.close(subscription)
    }

    @Test @LoopActor func onlyUnwatchedValuesAreRefusedBeyondTheLimit() {
        let under = HubUnderTest()
        for number in 0..<QueryHub.countLimit { under.first(under.key(.sessionsList, "\(number)"), "\(number)") }
        under.first(under.key(.sessionsList, "one more"), "last")
        #expect(under.received == ["last: the bridge has reached its limit of watched values"])
        under.first(under.key(.sessionsList, "0"), "again")
        under.complete("1")
        #expect(under.received.suffix(2) == ["0: 1", "again: 1"])
    }

    /// `Functions` reports the progress of a session once in a round, and leaves out the other reports.
    @Test @LoopActor func furtherReportsInARoundChangeNothing() {
        var random = SeededGenerator(seed: 5)
        let (all, few) = (HubUnderTest(), HubUnderTest())
        var notedRound = -1
        var leftOutCount = 0
        var subscriptions: [[ValueTransmitter]] = []
        for step in 0..<500 {
            let hubs = [all, few]
            switch Int.random(in: 0..<10, using: &random) {
            case 0 where subscriptions.count < 3:
                subscriptions.append(hubs.map { $0.subscribe($0.key(), "\(step)") })
            case 1 where !subscriptions.isEmpty:
                for (hub, subscription) in zip(hubs, subscriptions.removeFirst()) { hub.close(subscription) }
            case 2...3: for hub in hubs { hub.complete("\(step)") }
            case 4:
                let milliseconds = Int.random(in: 1...120, using: &random)
                for hub in hubs { hub.pass(milliseconds: milliseconds) }
            default:
                all.hub.touch(.sessions)
                if notedRound == few.hub.round { leftOutCount += 1 } else { few.hub.touch(.sessions) }
                notedRound = few.hub.round
            }
            for hub in hubs { hub.pass(milliseconds: 0) }
            #expect(all.startCount == few.startCount)
            #expect(all.sentValues == few.sentValues)
        }
        #expect(leftOutCount > 80 && few.startCount > 20)
        for pair in subscriptions { for (hub, subscription) in zip([all, few], pair) { hub.close(subscription) } }
    }
}
