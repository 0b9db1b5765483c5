import ACPRouting
import Access
import AgentProcess
import Diagnostics
import EventLoop
import FieldLimits
import Glibc
import PermissionRules
import Posix
import SessionRecords
import SessionStreams
import Tinyvex

/// Thrown if a client cannot have the agent that it names. The message gives the reason in one sentence.
package struct AgentUnavailable: Error, Sendable {
    package let message: String

    package init(_ message: String) { self.message = message }
}

/// The running agents. The pool starts them, records them for a later bridge, and kills the processes that they leave.
@LoopActor package final class AgentPool {
    package private(set) var runs: [AgentRun] = []
    /// The number of processes of an earlier bridge's agents that were found and killed at the start.
    package var sweptCount: Int { record.sweptCount }
    /// Called after an agent was started or has left the pool.
    package var onChange: @LoopActor () -> Void = {}
    /// Called after an agent has ended and everything that waited for its end has been notified.
    package var onEnd: @LoopActor () -> Void = {}
    /// Set when the bridge stops; further agents are refused.
    package var isClosed = false

    package let restarts: AgentRestarts
    let releases: SessionReleases
    private let registry: SessionRegistry
    private let audit: AuditLog
    private let settings: Settings
    private let record: AgentRecordFile
    private let loop: LoopServices
    /// Makes the control groups of agents with limits. Nil: agents have the limits of setrlimit(2). Set this before the first
    /// agent is started, because a group cannot be divided while other processes are in it.
    package var groups: AgentGroups?

    /// How agents are found and started.
    package struct Settings: Sendable {
        /// The maximum number of agents at the same time.
        let limit: Int
        /// False for a bridge that starts no agents. Those that an earlier program handed over continue.
        let startsAgents: Bool
        /// After this time without a client, permission requests are answered `cancelled`. Nil means never.
        let permissionLimit: Duration?
        /// The rules that answer permission requests.
        let permissionRules: PermissionRules
        /// The limits of agents without limits in their profiles.
        let processLimits: ProcessLimits
        /// The agents' soft limit of core files. Nil keeps this process's own limit.
        let coreLimit: CoreDumps.Limit?
        /// The bridge has a hub. The variables with which libpq finds its password are kept from agents.
        let withholdsHub: Bool
        /// The telemetry of agents. If nil, their environment is not changed.
        let telemetry: AgentTelemetry?
        /// True if all other descendants of this process come from agents. The pool then ends and reaps those that an agent has
        /// left behind.
        let ownsDescendants: Bool
        /// Returns the agents that can be started by name. Called on the loop.
        let profiles: @Sendable () -> [ProfileSummary]
        /// Returns the launch request for an agent that a client names. Called on the loop.
        let agentNamed: @Sendable (String) throws(AgentUnavailable) -> LaunchRequest

        package init(
            limit: Int, startsAgents: Bool = true, permissionLimit: Duration?,
            permissionRules: PermissionRules = PermissionRules(),
            processLimits: ProcessLimits = ProcessLimits(), coreLimit: CoreDumps.Limit?, withholdsHub: Bool = false,
            telemetry: AgentTelemetry? = nil, ownsDescendants: Bool = false,
            profiles: @escaping @Sendable () -> [ProfileSummary] = { [] },
            agentNamed: @escaping @Sendable (String) throws(AgentUnavailable) -> LaunchRequest
        ) {
            self.limit = limit
            self.startsAgents = startsAgents
            self.permissionLimit = permissionLimit
            self.permissionRules = permissionRules
            self.processLimits = processLimits
            self.coreLimit = coreLimit
            self.withholdsHub = withholdsHub
            self.telemetry = telemetry
            self.ownsDescendants = ownsDescendants
            self.profiles = profiles
            self.agentNamed = agentNamed
        }

        /// The environment of an agent: that of the request, without the variables that can have the hub's password, and
        /// with those for its telemetry.
        func environment(of request: LaunchRequest) -> [SystemString] {
            let kept = withoutHub(request.environment)
            return telemetry?.adding(to: kept, agent: AgentPool.name(of: request)) ?? kept
        }

        private func withoutHub(_ environment: [SystemString]) -> [SystemString] {
            guard withholdsHub else { return environment }
            return environment.filter { variable in
                !["PG", "ACPBRIDGE_HUB="].contains { variable.bytes.starts(with: $0.utf8) }
            }
        }
    }

    private static let leftoverRounds = 5
    private static let leftoverPause = Duration.milliseconds(50)

    /// - Parameters:
    ///   - record: The file that lists the running agents.
    ///   - loop: The clock, the timers and the poller for all agents.
    package init(
        registry: SessionRegistry, audit: AuditLog, settings: Settings, record: AgentRecordFile,
        loop: LoopServices = .main
    ) {
        self.loop = loop
        self.registry = registry
        self.audit = audit
        self.settings = settings
        self.record = record
        restarts = AgentRestarts(loop)
        releases = SessionReleases(loop.timers, audit)
        restarts.start = { [weak self] plan, tenant throws(SpawnError) in
            guard let self else { throw .failed(program: "acpbridge", reason: "the bridge is stopping") }
            return try startAgain(plan, tenant)
        }
        restarts.isRunning = { [weak self] session, run in
            self?.opener(of: session, agent: run.agent, tenant: run.tenant) != nil
        }
    }

    // MARK: Starting

    /// - Parameter ended: Called when the agent has exited and its output has been forwarded.
    package func launch(
        _ request: LaunchRequest, tenant: String? = nil, ended: @escaping @LoopActor (TerminationStatus) -> Void
    ) throws(SpawnError) -> AgentRun {
        guard !isClosed else { throw .failed(program: "acpbridge", reason: "the bridge is stopping; start it again") }
        if let refusal = refusalToStart { throw .failed(program: "acpbridge", reason: refusal.message) }
        var spawn = SpawnRequest(
            command: request.command, directory: request.directory, environment: settings.environment(of: request))
        spawn.fileModeMask = request.fileModeMask
        spawn.openFilesLimit = request.openFilesLimit
        spawn.coreLimit = settings.coreLimit
        spawn.limits = (request.limits ?? ProcessLimits()).filled(from: settings.processLimits)
        let name = Self.name(of: request)
        let group = group(spawn.limits)
        if let group {
            spawn.group = group.raw
            spawn.limits = spawn.limits.outsideOfGroup
        }
        defer { withExtendedLifetime(group) {} }
        let run = try AgentRun(
            name: name, tenant: tenant, request: spawn, lifetime: request.lifetime,
            permissionLimit: PermissionLimit(own: request.permissionLimit, ofBridge: settings.permissionLimit),
            permissionRules: settings.permissionRules, wireLog: request.wireLog, registry: registry, loop: loop
        ) { [weak self] run, status in
            self?.ended(run) { ended(status) }
        }
        if request.restartsOnFailure == true { run.restartPlan = RestartPlan(request) }
        record.started(run.record)
        add(run)
        onChange()
        return run
    }

    /// True if the limits of memory and processes hold for each agent as a whole.
    package var limitsWholeAgents: Bool { groups != nil }

    /// The control group of a new agent; nil if it needs none. Without one, the agent has the limits of setrlimit(2).
    private func group(_ limits: ProcessLimits) -> AgentGroup? {
        guard let groups, limits.needsGroup else { return nil }
        return orLog("making a control group for an agent") { try groups.makeGroup(limits) }
    }

    /// The agent's name in lists.
    package nonisolated static func name(of request: LaunchRequest) -> String {
        let name = request.agent ?? AgentName.derive(from: request.command.map(\.description))
        return name.prefix(scalars: FieldLimit.agentCharacters)
    }

    /// Starts an agent without an editor, for remote clients only.
    ///
    /// - Parameter launch: The command of a shim on this machine. Nil starts the profile `name`.
    package func start(_ name: String?, launch: LaunchRequest?, for identity: Identity) throws(Rejection) -> AgentRun {
        let request = if let launch { launch } else { try profile(name, for: identity) }
        return try start(request, tenant: identity.tenant, for: identity) { (run) throws(SystemError) in
            try run.startForRemoteClient()
        }
    }

    /// Starts an agent for one session and without any client. It continues until it is stopped when it has opened the session;
    /// see ``AgentRun/openedSession()``. Without the session it ends after ten minutes.
    ///
    /// - Parameters:
    ///   - name: The name of a profile.
    ///   - session: The id of the session to continue; nil for a new one.
    ///   - folder: An absolute path, or `~` or one that begins with `~/`, for the user's home folder. Nil is that folder.
    ///   - tenant: The owner of the session.
    /// - Returns: The agent, and the absolute path of its folder.
    package func start(
        _ name: String, forSession session: String?, in folder: String?, tenant: String?, for identity: Identity
    ) throws(Rejection) -> (run: AgentRun, folder: String) {
        var request = try profile(name, for: identity)
        let home = request.directory.description
        let path = folder.map { $0 == "~" || $0.hasPrefix("~/") ? home + $0.dropFirst() : $0 } ?? home
        guard path.hasPrefix("/"), !path.utf8.contains(0) else {
            throw .invalidParams("cwd: an absolute path, or one that begins with ~/")
        }
        request.directory = SystemString(path)
        let purpose = SessionPurpose(session: session, request)
        request.restartsOnFailure = nil
        let run = try start(request, tenant: tenant, for: identity) { (run) throws(SystemError) in
            run.purpose = purpose
            try run.startUnattended()
        }
        return (run, path)
    }

    private func start(
        _ request: LaunchRequest, tenant: String?, for identity: Identity,
        begin: @LoopActor (AgentRun) throws(SystemError) -> Void
    ) throws(Rejection) -> AgentRun {
        if let refusal = refusalToStart { throw refusal }
        do throws(SpawnError) {
            let run = try startWithoutEditor(request, tenant, begin: begin)
            audit.record(.agentStarted(agent: run.name, pid: run.pid), by: identity)
            return run
        } catch {
            throw Rejection(.agentUnavailable, error.description, rpcCode: .internalError)
        }
    }

    /// The reason why no agent can be started now. Nil if one can.
    private var refusalToStart: Rejection? {
        guard settings.startsAgents else {
            return Rejection(
                .agentUnavailable,
                "this bridge starts no agents (--no-agents); use another bridge, or start this one without --no-agents")
        }
        guard runs.count < settings.limit else {
            return Rejection(.limitExceeded, "the bridge runs \(runs.count) agents, which is the limit")
        }
        return nil
    }

    private func startWithoutEditor(
        _ request: LaunchRequest, _ tenant: String?, begin: @LoopActor (AgentRun) throws(SystemError) -> Void
    ) throws(SpawnError) -> AgentRun {
        let run = try launch(request, tenant: tenant) { _ in }
        do throws(SystemError) {
            try begin(run)
            return run
        } catch {
            run.giveUp()
            throw .failed(program: run.name, reason: "\(error)")
        }
    }

    private func startAgain(_ plan: RestartPlan, _ tenant: String?) throws(SpawnError) -> AgentRun {
        try startWithoutEditor(plan.request, tenant) { (run) throws(SystemError) in
            run.restartPlan = plan
            try run.startUnattended()
        }
    }

    /// The only agent that can be started by name, for clients that name none. Nil if there are several.
    package var onlyAgent: String? { ProfileSummary.only(of: settings.profiles()) }

    /// The reason of a failure names files of the bridge's user, so only an admin gets it.
    private func profile(_ name: String?, for identity: Identity) throws(Rejection) -> LaunchRequest {
        guard let name else {
            let names = settings.profiles().filter(\.isInstalled).map(\.name).joined(separator: ", ")
            let list = names.isEmpty ? "`acpbridge agents` lists them" : "this bridge has \(names)"
            throw Rejection(.agentUnavailable, "name an agent: ?agent=NAME; \(list)")
        }
        do throws(AgentUnavailable) {
            return try settings.agentNamed(name)
        } catch {
            let reason =
                identity.role == .admin
                ? error.message : "the agent \(quoted(name)) cannot be started; agents:list has those that can"
            throw Rejection(.agentUnavailable, reason)
        }
    }

    /// Adds an agent that the previous program started and handed over.
    package func adopt(
        _ state: AgentRun.State, ended: @escaping @LoopActor (AgentRun, TerminationStatus) -> Void
    ) throws(SystemError) {
        let run = try AgentRun(
            state, bridgePermissionLimit: settings.permissionLimit, permissionRules: settings.permissionRules,
            registry: registry, loop: loop
        ) { [weak self] run, status in
            self?.ended(run) { ended(run, status) }
        }
        add(run)
        if state.wasStarting == true { run.end() }
    }

    private func add(_ run: AgentRun) {
        runs.append(run)
        run.sessions?.openings.conflicts = conflicts(of: run)
    }

    // MARK: Finding

    package func run(pid: Int32) -> AgentRun? { runs.first { $0.pid == pid } }

    /// The agent that runs the session. Nil after its end.
    package func run(of session: Session) -> AgentRun? {
        runs.first { $0.sessions?.sessions[session.id] === session }
    }

    /// The prompts that wait for the end of the session's turn, in order.
    package func queue(of session: Session) -> [QueuedPrompt] {
        run(of: session)?.sessions?.router.queues[session.id] ?? []
    }

    /// - Parameter tenant: Nil returns all agents.
    package func runs(of tenant: String?) -> [AgentRun] {
        runs.filter { Identity.tenant(tenant, sees: $0.tenant) }
    }

    /// Returns the agents that run a session and that the client is allowed to see.
    ///
    /// - Parameter journal: Names the incarnation of the session. Nil or empty for any: the lists have an empty journal for
    ///   a session that the log could not store yet.
    package func runs(
        of session: String, agent: String? = nil, journal: String? = nil, for identity: Identity
    ) -> [AgentRun] {
        runs.filter { run in
            guard identity.maySee(tenant: run.tenant), agent == nil || agent == run.name, !run.isLeaving,
                let running = run.sessions?.sessions[session], running.isLive, running.isOpen(to: identity)
            else { return false }
            guard let journal, !journal.isEmpty else { return true }
            return Journal.nameSameIncarnation(journal, running.journal)
        }
    }

    /// Returns the agent that runs a session, if the client is allowed to see it; see ``runs(of:agent:journal:for:)``.
    package func run(
        of session: String, journal: String? = nil, for identity: Identity
    ) throws(Rejection) -> AgentRun? {
        let found = runs(of: session, journal: journal, for: identity)
        guard found.count > 1 else { return found.first }
        throw Self.ambiguity(of: session, in: found)
    }

    /// The answer to a client that named a session which several agents run.
    ///
    /// - Parameter advice: The end of the message: how the client can name one of the agents.
    package static func ambiguity(of session: String, in runs: [AgentRun], advice: String = "") -> Rejection {
        let candidates = candidates(runs, running: session)
        let isUnstored = candidates.count < min(runs.count, ReadLimit.namesakes)
        let reason = isUnstored ? ", which the log could not store yet" : ""
        var rejection = Rejection(
            .sessionAmbiguous, "several agents run a session \(quoted(session))\(reason)\(advice)")
        rejection.candidates = candidates
        return rejection
    }

    /// The names by which a client can choose one of several agents that run sessions of one id: journals if the agents also
    /// have one name. A session that the log could not store yet has no journal, and is left out.
    private static func candidates(_ runs: [AgentRun], running session: String) -> [String] {
        let runs = runs.prefix(ReadLimit.namesakes)
        let areNamesakes = Set(runs.map(\.name)).count < runs.count
        return runs.map { run in
            areNamesakes ? run.sessions?.sessions[session]?.journal ?? "" : "\(run.name):\(session)"
        }.filter { !$0.isEmpty }
    }

    // MARK: Ending

    /// - Parameter notify: Notifies everything that waited for the end of the agent.
    private func ended(_ run: AgentRun, notify: () -> Void) {
        left(run)
        notify()
        finish(run)
    }

    private func left(_ run: AgentRun) {
        runs.removeAll { $0 === run }
        onChange()
        endLeftovers(of: run.record)
    }

    private func finish(_ run: AgentRun) {
        if !isClosed { restarts.ended(run) }
        releases.ended(run)
        reapStrays()
        groups?.removeEmptyGroups()
        onEnd()
    }

    /// Kills processes that left the agent's group but still hold its pipes. A process that was meant to outlive the
    /// agent would have closed them. The search is repeated, because a killed process can have started another one just
    /// before.
    private func endLeftovers(of agent: AgentRecord.Agent, round: Int = 1) {
        guard settings.ownsDescendants else { return record.ended(pid: agent.pid) }
        var search = AgentRecord(scope: "", seenTicks: 0)
        search.add(agent)
        let strays = ProcessTable.descendants(of: getpid(), sparing: Set(runs.map(\.pid)))
        let found = LeftoverSearch(search, pipes: ProcessTable.pipes).leftovers(among: strays)
        for process in found { ProcessTable.kill(process) }
        guard !found.isEmpty, round < Self.leftoverRounds else { return record.ended(pid: agent.pid) }
        loop.timers.schedule(after: Self.leftoverPause) { [weak self] in
            self?.endLeftovers(of: agent, round: round + 1)
        }
    }

    /// Records in the agents' file that this bridge is still alive. This is cheap.
    package func noteAlive() { record.noteAlive() }

    /// Reaps processes that agents left behind. Agents themselves are reaped through their own descriptors. An agent
    /// that has not been reaped yet hides the strays after it, so this is called again when the agent has ended.
    package func reapStrays() {
        guard settings.ownsDescendants else { return }
        var info = siginfo_t()
        while waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == 0 {
            let pid = info._sifields._sigchld.si_pid
            guard pid > 0, !runs.contains(where: { $0.pid == pid }) else { return }
            waitpid(pid, nil, WNOHANG)
            info = siginfo_t()
        }
    }
}

extension Rejection {
    /// The answer to a client that named a session which no agent runs.
    package static func noAgentRuns(_ session: String) -> Rejection {
        Rejection(.sessionNotFound, "no agent runs the session \(quoted(session))")
    }
}
