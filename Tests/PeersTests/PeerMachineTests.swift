import Testing

@testable import Peers

struct PeerMachineTests {
    private typealias Action = PeerMachine.Action

    /// A machine in a reference, because `#expect` cannot call mutating functions.
    private final class Subject {
        private var machine = PeerMachine()

        var state: PeerMachine.State { machine.state }
        var logId: UInt32? { machine.logId }
        var bridge: String? { machine.bridge }
        var failure: String? { machine.failure }

        func handle(_ event: PeerMachine.Event, others: [UInt32: String] = [:]) -> [Action] {
            machine.handle(event, others: others)
        }
    }

    @Test func aPeerIsOnlineAfterItHasNamedItsLog() {
        let machine = Subject()
        #expect(machine.handle(.start) == [.connect])
        #expect(machine.state == .connecting && machine.logId == nil)
        #expect(machine.handle(.identified(logId: 7, bridge: "laptop")) == [.reportConnected, .online])
        #expect(machine.state == .online && machine.logId == 7 && machine.bridge == "laptop" && machine.failure == nil)
    }

    @Test func attemptsFollowAfterPausesUpTo30SecondsAndTheOutageIsReportedOnce() {
        let machine = Subject()
        _ = machine.handle(.start)
        var pauses: [Duration] = []
        var reports: [String] = []
        for attempt in 1...8 {
            for action in machine.handle(.failed(reason: "reason \(attempt)")) {
                if case .schedule(let pause) = action { pauses.append(pause) }
                if case .reportFailure(let reason) = action { reports.append(reason) }
            }
            #expect(machine.handle(.due) == [.connect])
        }
        #expect(pauses == [1, 2, 4, 8, 16, 30, 30, 30].map { .seconds($0) })
        #expect(reports == ["reason 1"])
        #expect(machine.failure == "reason 8")
    }

    @Test func aLostConnectionBeginsAnOutageAndThePausesAnew() {
        let machine = Subject()
        _ = machine.handle(.start)
        _ = machine.handle(.failed(reason: "closed"))
        _ = machine.handle(.due)
        _ = machine.handle(.identified(logId: 7, bridge: "laptop"))
        let actions: [Action] = [.disconnect, .offline, .reportFailure(reason: "lost"), .schedule(.seconds(1))]
        #expect(machine.handle(.failed(reason: "lost")) == actions)
        #expect(machine.handle(.due) == [.connect])
        #expect(machine.handle(.identified(logId: 8, bridge: "laptop")) == [.reportConnected, .online])
        #expect(machine.logId == 8)
    }

    @Test func aLogThatIsShownAlreadyIsRefused() {
        let machine = Subject()
        _ = machine.handle(.start)
        let reason = "it is the same bridge as this one; remove it from the peers"
        let actions: [Action] = [.disconnect, .reportFailure(reason: reason), .schedule(.seconds(1))]
        #expect(machine.handle(.identified(logId: 7, bridge: "b"), others: [7: "this one"]) == actions)
        #expect(machine.logId == nil && machine.failure == reason)
    }

    @Test func lateEventsOfAConnectionChangeNothing() {
        let machine = Subject()
        #expect(machine.handle(.failed(reason: "early")) == [])
        #expect(machine.handle(.identified(logId: 7, bridge: "b")) == [])
        _ = machine.handle(.start)
        #expect(machine.handle(.due) == [])
        #expect(machine.handle(.close) == [.disconnect])
        for event: PeerMachine.Event in [
            .start, .due, .failed(reason: "x"), .identified(logId: 1, bridge: "b"), .close,
        ] {
            #expect(machine.handle(event) == [])
        }
    }

    @Test func anOpenPeerThatIsClosedGoesOffline() {
        let machine = Subject()
        _ = machine.handle(.start)
        _ = machine.handle(.identified(logId: 7, bridge: "b"))
        #expect(machine.handle(.close) == [.disconnect, .offline])
    }
}
