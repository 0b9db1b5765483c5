import AgentProcess
import EventLoop
import Glibc
import JSONCoding
import Tinyvex

/// One program making room for another in the same process: agents, editors, listeners and the log's lock stay open.
///
/// First nothing is read any more from agents and editors, whose pipes hold on to what they write; when all that was
/// read is stored, the new program takes this one's place. If that cannot be, all goes on as it was.
@LoopActor final class Upgrade {
    let command: [SystemString]
    fileprivate let finish: Completing
    fileprivate var deadline = Instant.now + Upgrade.patience
    /// What the new program gets, from the moment it is stored.
    fileprivate var stored: StoredHandOver?

    /// How long the log may take to store what was read, and agents that are ending to end.
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
    // MARK: Out of one program

    /// `bridge:replace`: finishes just before the new program takes over, or when it cannot.
    func replace(
        _ arguments: Parameters, by identity: Identity, then finish: @escaping Completing
    ) throws(Rejection) {
        // An admin elsewhere may end this bridge, but not have it run a program of this machine.
        guard identity == .localUser(admission.user) else {
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

    /// What is wrong with the files that the next program would read at its start: it could not go back to this one.
    private var fileFault: String? {
        if let fault = configuration.issuers?.fault { return fault.description }
        do throws(TLSFault) { try certificate?.reload() } catch { return "\(error)" }
        return nil
    }

    /// A second request waits for the first. If the first succeeds, the second's client loses its connection and asks the
    /// new program.
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
        // Everything that can fail is done before the answer, except for the kernel's part.
        do {
            upgrade.stored = try StoredHandOver(handOver)
        } catch {
            goOnAsBefore()
            return Self.refuse(upgrade, "the bridge cannot store its hand-over: \(error)")
        }
        upgrade.finish(
            .success(
                Completion(result: Array(#"{"replacing":true}"#.utf8)) { [self] in replaceProgram(upgrade) }))
        // The answer reached nobody: the client has given up.
        if self.upgrade === upgrade { goOnAsBefore() }
    }

    private static func refuse(_ upgrade: Upgrade, _ reason: String) {
        upgrade.finish(.failure(Rejection(.limitExceeded, reason, rpcCode: .internalError)))
    }

    /// Called in the same turn of the loop as ``proceed(_:)``, so the stored state is still the current one.
    private func replaceProgram(_ upgrade: Upgrade) {
        guard let stored = upgrade.stored else { return goOnAsBefore() }
        for connection in connections.values where !connection.isOfFront && !relays.holds(connection) {
            connection.leaveForUpgrade()
        }
        let variable = SystemString("\(HandOver.variable)=\(stored.file.raw)")
        _ = ProgramReplacement.replace(
            with: upgrade.command, environment: configuration.environment + [variable],
            inheriting: stored.handOver.descriptors + [stored.file.raw], coreLimit: configuration.coreLimit)
        // The clients were sent away, the requester among them, and come back. Nothing else has changed.
        goOnAsBefore()
    }

    private func goOnAsBefore() {
        upgrade = nil
        holdStill(false)
    }

    private func holdStill(_ isHeld: Bool) {
        for run in runs { run.holdStill(isHeld) }
        for front in fronts.values { front.holdStill(isHeld) }
    }

    /// What has to be waited for, said to the person who waits.
    private var obstacle: String? {
        if let ending = runs.first(where: { $0.state == nil }) {
            return "\(ending.name) is ending, and its editor has not read all of it; try again when it has gone"
        }
        if fronts.values.contains(where: \.isUnsettledGuest) {
            return "an editor that has taken an agent over has not read all that was sent to it; try again"
        }
        if relays.all.contains(where: { !$0.hasEnded && $0.state == nil }) {
            return "a client that is to miss nothing is away, and has much to be told; try again when it is back"
        }
        return registry.isSettled ? nil : "the log takes too long to store what was said; see `acpbridge status`"
    }

    private var handOver: HandOver {
        HandOver(
            lock: lock.fd,
            listeners: listeners.map { HandOver.ListenerState(fd: $0.fd, address: $0.address) },
            runs: runs.compactMap(\.state), fronts: fronts.values.compactMap(\.state),
            relays: relays.all.compactMap(\.state))
    }

    // MARK: Into the other

    func goOn(with handOver: HandOver) {
        for state in handOver.runs { adopt(state) }
        for state in handOver.fronts { adopt(state) }
        for state in handOver.relays { adopt(state) }
        // Last: whoever is not back by now is not coming.
        for state in handOver.runs { run(pid: state.record.pid).map { goOn($0, state) } }
    }

    func run(pid: Int32) -> AgentRun? { runs.first { $0.pid == pid } }

    private func adopt(_ state: AgentRun.State) {
        do throws(SystemError) {
            adopt(
                try AgentRun(state, registry: registry) { [weak self] run, status in
                    self?.agentLeft(run)
                    self?.fronts.values.first { $0.serves(run) }?.agentEnded(status)
                    self?.afterAgent()
                })
        } catch {
            kill(-state.record.pid, SIGKILL)
        }
    }

    private func adopt(_ state: FrontLink.State) {
        let front = FrontLink(state, bridge: self)
        adopt(front)
        guard let guest = state.guest else { return }
        do throws(SystemError) { try front.goOn(guest) } catch { front.close() }
    }

    private func adopt(_ state: GuestRelay.State) {
        let relay = GuestRelay(id: state.id, identity: state.identity, bridge: self)
        relays.add(relay)
        do throws(SystemError) {
            try relay.goOn(state, permit: connectionCount.readmit())
        } catch {
            relay.giveWay()
        }
    }

    private func goOn(_ run: AgentRun, _ state: AgentRun.State) {
        do throws(SystemError) { try run.goOn(state) } catch { run.giveUp() }
    }
}
