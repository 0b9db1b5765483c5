import AgentProcess
import EventLoop
import Glibc
import Posix

/// The process of one agent: its exit, and the steps that end it.
@LoopActor final class AgentChild: PollHandler {
    enum Event: Equatable {
        /// A step of ending the process: close its input.
        case inputMustClose
        case exited(TerminationStatus)
    }

    /// Set once, before the process is watched.
    var report: @LoopActor (Event) -> Void = { _ in }
    private(set) var exit: TerminationStatus?

    private var process: ChildProcess
    private let loop: LoopServices
    private var exitWatch: Watch?
    private var ladder: TeardownLadder?

    /// The steps that end an agent that is not needed.
    private static let farewell = [
        TeardownStep(.closeInput, patience: .seconds(3)),
        TeardownStep(.signalGroup(SIGTERM), patience: .seconds(2)),
        TeardownStep(.signalGroup(SIGKILL), patience: .zero),
    ]

    /// The steps after a signal that asks the agent to end.
    private static let afterSignal = [
        TeardownStep(.wait, patience: .seconds(5)), TeardownStep(.signalGroup(SIGKILL), patience: .zero),
    ]

    init(_ request: SpawnRequest, loop: LoopServices) throws(SpawnError) {
        process = try ChildProcess.spawn(request)
        self.loop = loop
    }

    /// Continues with a process that the previous program started.
    init(adopting record: AgentRecord.Agent, loop: LoopServices) throws(SystemError) {
        process = try ChildProcess(adopting: record.pid, pipes: record.pipes)
        self.loop = loop
    }

    /// The entry in the agents' file, with which a later bridge finds this agent's leftover processes.
    var record: AgentRecord.Agent {
        AgentRecord.Agent(
            pid: process.pid, startTicks: ProcessTable.snapshot(of: process.pid)?.startTicks ?? 0, pipes: process.pipes)
    }

    /// Watches for the exit of the process.
    func watch() throws(SystemError) {
        exitWatch = try loop.poller.watch(process.exitDescriptor.raw, .readable, self)
    }

    /// Starts the pipes with the process's streams, which can be taken once.
    func start(_ pipes: AgentPipes) throws(SystemError) {
        guard let input = process.takeInput(), let output = process.takeOutput(), let error = process.takeError() else {
            return
        }
        try pipes.start(input: input, output: output, error: error)
    }

    var isBeingEnded: Bool { ladder != nil }
    /// True if the process has exited or is being ended.
    var isEnding: Bool { exit != nil || ladder != nil }

    // MARK: Ending

    /// Ends the process in steps. A second call has no effect.
    func end() { climb(Self.farewell) }

    /// Sends a signal to the process and its group. After SIGTERM and SIGHUP the process must end; it is killed after a
    /// time limit.
    func signal(_ signal: Int32) {
        guard exit == nil else { return }
        process.signalGroup(signal)
        if signal == SIGTERM || signal == SIGHUP { climb(Self.afterSignal) }
    }

    /// Kills the process. Returns false if the process is watched; its exit is then reported later.
    func kill() -> Bool {
        process.signalGroup(SIGKILL)
        guard exitWatch == nil else { return false }
        exit = process.reap()
        return true
    }

    private func climb(_ steps: [TeardownStep]) {
        guard exit == nil else { return }
        if ladder == nil { ladder = TeardownLadder(steps: steps) }
        perform(ladder?.begin() ?? .rest)
    }

    private func perform(_ action: TeardownLadder.Action) {
        guard exit == nil, case .perform(let measure, let patience) = action else { return }
        switch measure {
        case .closeInput: report(.inputMustClose)
        case .signalGroup(let signal): process.signalGroup(signal)
        case .wait: break
        }
        loop.timers.schedule(after: patience) { [weak self] in
            guard let self else { return }
            self.perform(self.ladder?.waitEnded() ?? .rest)
        }
    }

    func pollReady(_ watch: Watch, _ readiness: Readiness) {
        guard exit == nil else { return }
        watch.cancel()
        let status = process.reap()
        exit = status
        ladder?.processEnded()
        report(.exited(status))
    }
}
