import EventLoop
import Hub
import Posix

/// The reason why a command has no answer.
package enum CommandFault: Error, Equatable, Sendable {
    /// The lease of the session's bridge has ended. The command did not run.
    case unreachable
    /// The session's bridge did not take the command in time. The command did not run.
    case tooSlow
    /// The session's bridge does not accept the command.
    case refused(CommandPolicy)
    /// The hub no longer has the session's bridge.
    case unknownBridge
    /// The hub is a read-only replica.
    case readOnly
    /// The hub's user of this bridge has no right to send the command.
    case noRight
    /// Too many commands have no outcome yet, or the command is too long.
    case limitExceeded
    /// The hub could not be used. The command did not run.
    case failed(HubError)
    /// It is not known whether the command ran.
    case unknown
}

/// Sends commands for sessions of other bridges through the hub, and waits for their answers. Without such commands it does
/// nothing. It uses the connection of ``HubFollower``.
@LoopActor package final class HubForwarder {
    package typealias Finish = @LoopActor (Result<[UInt8], CommandFault>) -> Void

    private let worker: HubWorker
    private let services: LoopServices
    private var commands = SentCommands()
    private var waiting: [String: Finish] = [:]
    private var pace = PollPace()
    private var isLooking = false
    private var isClosed = false

    package init(_ follower: HubFollower, services: LoopServices) {
        worker = follower.worker
        self.services = services
    }

    /// The number of commands without an outcome.
    package var waitingCount: Int { commands.count }

    /// Sends the command. Calls `finish` once, unless the bridge ends before.
    package func send(_ command: BridgeCommand, then finish: @escaping Finish) {
        let (id, bytes) = (command.id, command.arguments.count)
        guard bytes <= BridgeCommand.argumentsLimitBytes, commands.begin(id, bytes: bytes) else {
            return finish(.failure(.limitExceeded))
        }
        waiting[id] = finish
        worker.run { (database) throws(HubError) in
            try database.send(command)
        } then: { [weak self] result in
            self?.sent(id, result)
        }
    }

    private func sent(_ id: String, _ result: Result<CommandSending?, HubError>) {
        switch result {
        case .success(.stored): awaitAnswer(id)
        case .failure(let error) where error.isUncertain: awaitAnswer(id)
        case .success(.unreachable): refused(id, .unreachable)
        case .success(.refused(let policy)): refused(id, .refused(policy))
        case .success(nil): refused(id, .unknownBridge)
        case .failure(let error): refused(id, error.commandFault)
        }
    }

    private func awaitAnswer(_ id: String) {
        commands.stored(id)
        pace = PollPace()
        look()
    }

    private func refused(_ id: String, _ fault: CommandFault) {
        commands.refused(id)
        waiting.removeValue(forKey: id)?(.failure(fault))
    }

    // MARK: Looking for answers

    private func look() {
        guard !isLooking, !isClosed, commands.mustLook else { return }
        isLooking = true
        let begin = services.time.now
        let (asked, removed) = (commands.sent, commands.removable)
        worker.run { (database) throws(HubError) in
            try database.look(at: asked, removing: removed)
        } then: { [weak self] result in
            guard let self else { return }
            switch result {
            case .failure: lookFailed(since: begin)
            case .success(let found):
                let (finished, late) = commands.looked(found, asked: asked, removed: removed)
                finish(finished)
                guard late.isEmpty else { return revoke(late) }
                lookAgain(after: pace.looked(foundChange: !finished.isEmpty, taking: services.time.now - begin))
            }
        }
    }

    private func revoke(_ late: [String]) {
        let begin = services.time.now
        worker.run { (database) throws(HubError) in
            try database.revoke(late)
        } then: { [weak self] result in
            guard let self else { return }
            switch result {
            case .failure: lookFailed(since: begin)
            case .success(let removed):
                finish(commands.revoked(removed, asked: late))
                lookAgain(after: pace.looked(foundChange: true, taking: services.time.now - begin))
            }
        }
    }

    private func lookFailed(since begin: Instant) {
        let pause = pace.failed()
        finish(commands.lookFailed(taking: services.time.now - begin + pause))
        lookAgain(after: pause)
    }

    private func lookAgain(after pause: Duration) {
        services.timers.schedule(after: pause) { [weak self] in
            self?.isLooking = false
            self?.look()
        }
    }

    private func finish(_ finished: [SentCommands.Finished]) {
        for command in finished {
            let result: Result<[UInt8], CommandFault> =
                switch command.outcome {
                case .answered(let body): .success(body)
                case .notRun(isReachable: true): .failure(.tooSlow)
                case .notRun(isReachable: false): .failure(.unreachable)
                case .unknown: .failure(.unknown)
                }
            waiting.removeValue(forKey: command.id)?(result)
        }
    }

    package func close() { isClosed = true }
}

extension HubError {
    /// True if the statement in flight can have been executed.
    fileprivate var isUncertain: Bool {
        switch self {
        case .postgres(.disconnected), .postgres(.timedOut), .postgres(.unexpectedResult), .damaged: true
        default: false
        }
    }

    fileprivate var commandFault: CommandFault {
        guard case .postgres(let error) = self else { return .failed(self) }
        switch error.sqlState {
        // `read_only_sql_transaction`, and `feature_not_supported` for an unlogged table during recovery.
        case "25006", "0A000": return .readOnly
        case "42501": return .noRight
        // `check_violation`
        case "23514": return .limitExceeded
        default: return .failed(self)
        }
    }
}
