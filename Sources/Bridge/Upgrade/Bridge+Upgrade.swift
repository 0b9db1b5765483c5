import Access
import AgentProcess
import Agents
import Clients
import EventLoop
import Functions
import Glibc
import JSONCoding
import Posix
import Tinyvex

/// Replaces the program in the same process, while agents, editors, listeners and the log's lock stay open.
///
/// The bridge first stops reading from agents and editors. Their pipes keep the output in the meantime. After
/// everything that was read is stored, the new program replaces this one. If the replacement fails, the bridge
/// continues as before.
@LoopActor final class Upgrade {
    let command: [SystemString]
    fileprivate let finish: Completing
    fileprivate var deadline = Instant.now + Upgrade.patience
    /// The state for the new program; nil until it is stored.
    fileprivate var stored: StoredHandOver?

    /// The maximum wait for the log to store the updates that were read, and for ending agents to end.
    fileprivate static let patience = Duration.seconds(10)
    fileprivate static let pause = Duration.milliseconds(1)

    fileprivate init(command: [SystemString], finish: @escaping Completing) {
        self.command = command
        self.finish = finish
    }
}

/// A hand-over in its file, which the next program reads.
private final class StoredHandOver {
    let handOver: HandOver
    let file: Descriptor

    init(_ handOver: HandOver) throws {
        self.handOver = handOver
        file = try handOver.store()
    }
}

extension Bridge {
    // MARK: In the old program

    /// `bridge:replace`: finishes just before the new program takes over, or as soon as the replacement fails.
    package func replace(
        _ arguments: Parameters, by identity: Identity, then finish: @escaping Completing
    ) throws(Rejection) {
        // A remote admin can stop this bridge, but cannot make it run a program on this machine.
        guard identity == .localUser(user) else {
            throw Rejection(.readOnly, "only on the bridge's own Unix socket", rpcCode: .invalidRequest)
        }
        guard !isStopping else {
            throw Rejection(.limitExceeded, "the bridge is being stopped", rpcCode: .invalidRequest)
        }
        let program = try arguments.string("program")
        guard program.hasPrefix("/"), access(program, X_OK) == 0 else {
            throw .invalidParams("program: the absolute path of a program that can be run")
        }
        guard arguments.value("format")?.int64Value.map({ $0 >= HandOver.format }) == true else {
            throw .invalidParams("format: that program is older than the bridge that runs, and cannot go on with it")
        }
        let words = arguments.value("arguments").map { $0.elements.compactMap(\.stringValue).map { SystemString($0) } }
        if words == nil, let fault = fileFault {
            throw .invalidParams("arguments: with those the bridge was started with it would not start again: \(fault)")
        }
        audit.record(.replaced, by: identity)
        begin(Upgrade(command: [SystemString(program)] + (words ?? configuration.arguments), finish: finish))
    }

    /// The error in the files that the next program would read at its start. With such an error the next program could
    /// neither start nor return to this one.
    private var fileFault: String? {
        if let fault = configuration.issuers?.fault { return fault.description }
        do throws(TLSFault) { try certificate?.reload() } catch { return "\(error)" }
        return nil
    }

    /// Starts the upgrade. A second request waits for the first one. If the first succeeds, the second request's client
    /// loses its connection and sends its request to the new program.
    private func begin(_ upgrade: Upgrade) {
        guard self.upgrade == nil else {
            guard Instant.now < upgrade.deadline else {
                return Self.refuse(upgrade, "another program is taking the bridge's place; try again")
            }
            EventLoop.main.schedule(after: Upgrade.pause) { [self] in begin(upgrade) }
            return
        }
        upgrade.deadline = .now + Upgrade.patience
        self.upgrade = upgrade
        holdStill(true)
        proceed(upgrade)
    }

    private func proceed(_ upgrade: Upgrade) {
        guard !isStopping else {
            goOnAsBefore()
            return Self.refuse(upgrade, "the bridge is being stopped")
        }
        if let obstacle {
            guard Instant.now < upgrade.deadline else {
                goOnAsBefore()
                return Self.refuse(upgrade, obstacle)
            }
            EventLoop.main.schedule(after: Upgrade.pause) { [self] in proceed(upgrade) }
            return
        }
        // All steps that can fail come before the response, except for the kernel's part.
        do {
            upgrade.stored = try StoredHandOver(handOver)
        } catch {
            goOnAsBefore()
            return Self.refuse(upgrade, "the bridge cannot store its hand-over: \(error)")
        }
        upgrade.finish(
            .success(
                Completion(result: Array(#"{"replacing":true}"#.utf8)) { [self] in replaceProgram(upgrade) }))
        // The response was not sent, because the client has given up.
        if self.upgrade === upgrade { goOnAsBefore() }
    }

    private static func refuse(_ upgrade: Upgrade, _ reason: String) {
        upgrade.finish(.failure(Rejection(.limitExceeded, reason, rpcCode: .internalError)))
    }

    /// Called in the same turn of the loop as ``proceed(_:)``, so the stored state is still the current one.
    private func replaceProgram(_ upgrade: Upgrade) {
        guard let stored = upgrade.stored else { return goOnAsBefore() }
        for connection in clients.connections.values where !connection.isOfFront && !clients.relays.holds(connection) {
            connection.leaveForUpgrade()
        }
        let variable = SystemString("\(HandOver.variable)=\(stored.file.raw)")
        _ = ProgramReplacement.replace(
            with: upgrade.command, environment: configuration.environment + [variable],
            inheriting: stored.handOver.descriptors + [stored.file.raw], coreLimit: configuration.coreLimit)
        // The replacement failed. Clients were disconnected, including the requester, and will reconnect. Nothing else
        // has changed.
        goOnAsBefore()
    }

    private func goOnAsBefore() {
        upgrade = nil
        holdStill(false)
    }

    private func holdStill(_ isHeld: Bool) {
        for run in agents.runs { run.holdStill(isHeld) }
        for front in clients.fronts.values { front.holdStill(isHeld) }
    }

    /// The condition that the upgrade waits for, as a message to the user.
    private var obstacle: String? {
        if let ending = agents.runs.first(where: { $0.state == nil }) {
            return "\(ending.name) is ending, and its editor has not read all of it; try again when it has gone"
        }
        if clients.fronts.values.contains(where: \.isUnsettledGuest) {
            return "an editor that has taken an agent over has not read all that was sent to it; try again"
        }
        if clients.relays.all.contains(where: { !$0.hasEnded && $0.state == nil }) {
            return "a client that is to miss nothing is away, and has much to be told; try again when it is back"
        }
        return registry.isSettled ? nil : "the log takes too long to store what was said; see `acpbridge status`"
    }

    private var handOver: HandOver {
        HandOver(
            lock: lock.fd,
            listeners: listeners.states,
            runs: agents.runs.compactMap(\.state), fronts: clients.fronts.values.compactMap(\.state),
            relays: clients.relays.all.compactMap(\.state))
    }

    // MARK: In the new program

    func adopt(_ handOver: HandOver) {
        for state in handOver.runs { adopt(state) }
        for state in handOver.fronts { clients.adopt(state) }
        for state in handOver.relays { clients.adopt(state) }
        // Resume last: a client that has not reconnected by now will not reconnect.
        for state in handOver.runs { agents.run(pid: state.record.pid).map { resume($0, state) } }
    }

    private func adopt(_ state: AgentRun.State) {
        do throws(SystemError) {
            try agents.adopt(state) { [weak self] run, status in self?.clients.agentEnded(run, status) }
        } catch {
            kill(-state.record.pid, SIGKILL)
        }
    }

    private func resume(_ run: AgentRun, _ state: AgentRun.State) {
        do throws(SystemError) { try run.goOn(state) } catch { run.giveUp() }
    }
}
