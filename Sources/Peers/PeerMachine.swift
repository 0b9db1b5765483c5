/// The connection to one peer: when to connect, when the peer is accepted, and what to report. Pure: times and events in,
/// actions out.
package struct PeerMachine: Sendable {
    package enum Event: Sendable, Equatable {
        case start
        /// The pause before an attempt is over.
        case due
        /// The peer has answered with the id of its log and its name.
        case identified(logId: UInt32, bridge: String)
        /// The attempt has failed, or the connection was lost.
        case failed(reason: String)
        case close
    }

    package enum Action: Sendable, Equatable {
        case connect
        case disconnect
        /// Send `due` after this pause.
        case schedule(Duration)
        /// The peer can be used; its sessions must be read.
        case online
        /// The peer cannot be used any longer. Reported once per outage.
        case offline
        /// To the log of the bridge: once per outage, whatever the reasons of later attempts are.
        case reportFailure(reason: String)
        /// To the log of the bridge: the peer can be used again, or for the first time.
        case reportConnected
    }

    package enum State: Sendable, Equatable {
        /// To: connecting, closed.
        case waiting
        /// To: online, waiting, closed.
        case connecting
        /// To: waiting, closed.
        case online
        case closed
    }

    package private(set) var state = State.waiting
    /// The peer's log; nil before the first contact.
    package private(set) var logId: UInt32?
    /// The name that the peer has for itself; nil before the first contact.
    package private(set) var bridge: String?
    /// The reason why the peer cannot be used; nil while it can, and before the first attempt has ended.
    package private(set) var failure: String?
    private var failures = 0

    /// The pause doubles from the first to the second value, in seconds.
    private static let pauses = (first: 1, longest: 30)

    package init() {}

    /// - Parameter others: the logs of this bridge and of its other peers, each with a name for a person.
    package mutating func handle(_ event: Event, others: [UInt32: String] = [:]) -> [Action] {
        switch (event, state) {
        case (_, .closed): return []
        case (.start, .waiting), (.due, .waiting):
            state = .connecting
            return [.connect]
        case (.identified(let logId, let bridge), .connecting): return identified(logId, bridge, others)
        case (.failed(let reason), .connecting): return failed(reason, [.disconnect])
        case (.failed(let reason), .online): return failed(reason, [.disconnect, .offline])
        case (.close, _):
            let wasOnline = state == .online
            state = .closed
            return wasOnline ? [.disconnect, .offline] : [.disconnect]
        case (.start, _), (.due, _), (.identified, _), (.failed, .waiting): return []
        }
    }

    private mutating func identified(_ logId: UInt32, _ bridge: String, _ others: [UInt32: String]) -> [Action] {
        if let other = others[logId] {
            return failed("it is the same bridge as \(other); remove it from the peers", [.disconnect])
        }
        (self.logId, self.bridge) = (logId, bridge)
        (state, failure, failures) = (.online, nil, 0)
        return [.reportConnected, .online]
    }

    private mutating func failed(_ reason: String, _ actions: [Action]) -> [Action] {
        let seconds = min(Self.pauses.first << min(failures, 5), Self.pauses.longest)
        let isNews = failure == nil
        (state, failure) = (.waiting, reason)
        failures += 1
        return actions + (isNews ? [.reportFailure(reason: reason)] : []) + [.schedule(.seconds(seconds))]
    }
}
