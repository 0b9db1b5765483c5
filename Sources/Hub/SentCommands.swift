/// The commands that a viewer has sent to other bridges, until their outcome is known. Pure.
///
/// A command is stored, taken once by the bridge of its session, and answered. Its sender reports that it did not run only
/// after it has removed the untaken command, so that no bridge can take it later. If the command has disappeared, or its
/// bridge has, its sender reports that it is not known whether it ran.
package struct SentCommands: Sendable {
    /// 1,024 commands. A prompt has no outcome until its turn ends.
    package static let countLimit = 1_024
    /// 16 MiB of arguments that wait to be stored: as much as one message of a client.
    package static let limitBytes = 16 << 20
    /// The time without an answer from the hub after which no command's outcome is awaited any longer. Longer than a
    /// restart of PostgreSQL takes.
    package static let patience = Duration.seconds(30)

    package enum Outcome: Sendable, Equatable {
        case answered([UInt8])
        /// It did not run, and will not. False for `isReachable` if the bridge is away; otherwise it was too slow.
        case notRun(isReachable: Bool)
        case unknown
    }

    /// The command with this id has an outcome.
    package struct Finished: Sendable, Equatable {
        package let id: String
        package let outcome: Outcome
    }

    private enum State: Equatable {
        case storing(bytes: Int)
        case sent
        /// The command is being removed, if no bridge has taken it meanwhile.
        case revoking(isReachable: Bool)
    }

    private var states: [String: State] = [:]
    private var storingBytes = 0
    /// Commands with an outcome whose rows are still stored.
    private var left: Set<String> = []
    /// The time without an answer from the hub.
    private var silence = Duration.zero

    package init() {}

    package var count: Int { states.count }
    /// True if the hub must be asked for something.
    package var mustLook: Bool { !sent.isEmpty || !left.isEmpty }
    /// The commands whose state must be read.
    package var sent: [String] { states.filter { $0.value == .sent }.map(\.key) }
    /// The commands whose rows can be removed.
    package var removable: [String] { Array(left) }

    /// Returns false if too many commands have no outcome yet. The command is not sent then.
    package mutating func begin(_ id: String, bytes: Int) -> Bool {
        guard states.count < Self.countLimit, storingBytes + bytes <= Self.limitBytes else { return false }
        states[id] = .storing(bytes: bytes)
        storingBytes += bytes
        return true
    }

    /// The command is stored, or it is not known whether it is.
    package mutating func stored(_ id: String) {
        guard case .storing(let bytes) = states[id] else { return }
        storingBytes -= bytes
        states[id] = .sent
    }

    /// The command was not stored, and never will be.
    package mutating func refused(_ id: String) {
        guard case .storing(let bytes) = states[id] else { return }
        storingBytes -= bytes
        states[id] = nil
    }

    /// The hub was asked for the state of these commands.
    ///
    /// - Parameters:
    ///   - asked: All of them.
    ///   - removed: The rows that were removed with the same question.
    ///   - found: Those that are stored.
    /// - Returns: The commands with an outcome, and those that must be removed if no bridge has taken them: see
    ///   ``revoked(_:asked:)``.
    package mutating func looked(
        _ found: [String: CommandSight], asked: [String], removed: [String]
    ) -> (finished: [Finished], late: [String]) {
        silence = .zero
        left.subtract(removed)
        var finished: [Finished] = []
        var late: [String] = []
        for id in asked where states[id] == .sent {
            switch found[id] {
            case .waiting, .taken: break
            case .late(let isReachable):
                states[id] = .revoking(isReachable: isReachable)
                late.append(id)
            case .lost: finished.append(finish(id, .unknown))
            case .answered(let body): finished.append(finish(id, .answered(body)))
            case nil: finished.append(finish(id, .unknown))
            }
        }
        return (finished, late)
    }

    /// - Parameters:
    ///   - removed: The commands that were removed before anybody took them.
    ///   - asked: All commands that should have been removed. The others have been taken meanwhile.
    package mutating func revoked(_ removed: Set<String>, asked: [String]) -> [Finished] {
        var finished: [Finished] = []
        for id in asked {
            guard case .revoking(let isReachable) = states[id] else { continue }
            if removed.contains(id) {
                states[id] = nil
                finished.append(Finished(id: id, outcome: .notRun(isReachable: isReachable)))
            } else {
                states[id] = .sent
            }
        }
        return finished
    }

    /// The hub could not be asked.
    ///
    /// - Parameter duration: The time of the attempt and of the pause before it.
    package mutating func lookFailed(taking duration: Duration) -> [Finished] {
        // It is not known whether the commands were removed. The next look shows it.
        for (id, state) in states { if case .revoking = state { states[id] = .sent } }
        silence += duration
        guard silence >= Self.patience else { return [] }
        silence = .zero
        return sent.map { finish($0, .unknown) }
    }

    private mutating func finish(_ id: String, _ outcome: Outcome) -> Finished {
        states[id] = nil
        if left.count < Self.countLimit { left.insert(id) }
        return Finished(id: id, outcome: outcome)
    }
}
