import Synchronization
import TinyvexMachine
import TinyvexTransport

/// Provides new tokens.
struct TokenSource: Sendable {
    /// Returns a new token, or nil if there is none.
    let renew: @Sendable () async -> String?
    /// Called when the bridge has refused the new token too.
    let onRefusal: @Sendable () -> Void
}

/// Drives the machine. Each event is handled, and its actions are performed, under one lock, so that no event overtakes
/// another. Nothing blocks under the lock.
final class SyncCore: Sendable {
    private struct State {
        var machine: SyncMachine
        var receivers = Receivers()
        var connection: RunningConnection?
        var timer: (fires: ContinuousClock.Instant, task: Task<Void, Never>)?
        var tokenSource: TokenSource?
    }

    private struct RunningConnection {
        let id: ConnectionID
        let pipe: ConnectionPipe
        let task: Task<Void, Never>
    }

    let configuration: SyncConfiguration
    private let state: Mutex<State>
    private let transport: any Transport
    private let time: EngineTime

    init(_ configuration: SyncConfiguration, token: String?, transport: any Transport, seed: UInt64, time: EngineTime) {
        let machine = SyncMachine(configuration, token: token, seed: seed, now: time.now())
        state = Mutex(State(machine: machine))
        self.configuration = configuration
        self.transport = transport
        self.time = time
    }

    // MARK: Events

    func handle(_ event: SyncMachine.Event) { state.withLock { handle(event, &$0) } }

    /// Registers a receiver and handles its event in one step, so that no result of the event can be missed.
    func handle(_ event: SyncMachine.Event, registering register: (inout Receivers) -> Void) {
        state.withLock { state in
            register(&state.receivers)
            handle(event, &state)
        }
    }

    func withReceivers<Result>(_ body: (inout Receivers) -> sending Result) -> sending Result {
        state.withLock { body(&$0.receivers) }
    }

    /// Called when no task waits for this answer any longer.
    func cancel(_ id: CallID) {
        state.withLock { state in
            state.receivers.answer(id, .failure(.cancelled))
            handle(.cancel(id), &state)
        }
    }

    var token: String? { state.withLock { $0.machine.currentToken } }

    func setTokenSource(_ source: TokenSource?) {
        // Release the old source after the lock: objects that it holds can call this core when they are released.
        let old = state.withLock { state in
            let old = state.tokenSource
            state.tokenSource = source
            handle(.setCanRefreshToken(source != nil), &state)
            return old
        }
        _ = old
    }

    private func handle(_ event: SyncMachine.Event, _ state: inout State) {
        var events = [event][...]
        while let event = events.popFirst() {
            for action in state.machine.handle(event, at: time.now()) {
                if let consequence = perform(action, &state) { events.append(consequence) }
            }
        }
        armTimer(&state)
    }

    // MARK: Actions

    /// Performs the action. Returns an event if the action has an immediate result.
    private func perform(_ action: SyncMachine.Action, _ state: inout State) -> SyncMachine.Event? {
        switch action {
        case .connect(let id, let request): connect(id, request, &state)
        case .send(let id, let text): if state.connection?.id == id { state.connection?.pipe.append(text) }
        case .disconnect(let id, let code): if state.connection?.id == id { disconnect(code, &state) }
        case .setReading(let isReading): state.connection?.pipe.setReading(isReading)
        case .deliver(let subscriber, let piece):
            return state.receivers.deliver(piece, to: subscriber) ? .readerFellBehind(subscriber) : nil
        case .deliverValue(let subscriber, let value): state.receivers.deliver(value, to: subscriber)
        case .fail(let subscriber, let error): state.receivers.fail(subscriber, error)
        case .answer(let id, let outcome): state.receivers.answer(id, outcome)
        case .agent(let message): return state.receivers.deliver(message).map { .call($0, $1) }
        case .agentLost: state.receivers.agentLost()
        case .refreshToken: refreshToken(state.tokenSource)
        case .newTokenRefused: reportRefusal(state.tokenSource)
        case .state(let connectionState): state.receivers.changed(connectionState)
        }
        return nil
    }

    private func connect(_ id: ConnectionID, _ request: ConnectionRequest, _ state: inout State) {
        let pipe = ConnectionPipe(isReading: state.machine.isReading)
        let connection = ConnectionTask(id: id, request: request, transport: transport, pipe: pipe, core: self)
        state.connection = RunningConnection(
            id: id, pipe: pipe, task: Task(executorPreference: time.executor) { await connection.run() })
    }

    /// The longest time that a closing connection can take to send its remaining messages to the bridge.
    private static let farewell: Duration = .seconds(2)

    private func disconnect(_ code: UInt16, _ state: inout State) {
        guard let connection = state.connection else { return }
        state.connection = nil
        connection.pipe.finish(code: code)
        guard code == CloseReason.normal else { return connection.task.cancel() }
        let (time, deadline) = (time, time.now() + Self.farewell)
        Task(executorPreference: time.executor) {
            await time.sleep(deadline)
            connection.task.cancel()
        }
    }

    private func refreshToken(_ source: TokenSource?) {
        Task(executorPreference: time.executor) { self.handle(.tokenRefreshed(await source?.renew())) }
    }

    /// Calls the source outside the lock, because the source can call this core.
    private func reportRefusal(_ source: TokenSource?) {
        if let source { Task(executorPreference: time.executor) { source.onRefusal() } }
    }

    // MARK: Time

    /// Arms the timer for the machine's deadline. A timer that fires early costs only one check of the machine, so it
    /// is not moved to a later time.
    private func armTimer(_ state: inout State) {
        guard let deadline = state.machine.deadline else { return cancelTimer(&state) }
        if let timer = state.timer, timer.fires <= deadline { return }
        cancelTimer(&state)
        let task = Task(executorPreference: time.executor) { [weak self, time] in
            await time.sleep(deadline)
            if !Task.isCancelled { self?.timerFired() }
        }
        state.timer = (deadline, task)
    }

    private func cancelTimer(_ state: inout State) {
        state.timer?.task.cancel()
        state.timer = nil
    }

    private func timerFired() {
        state.withLock { state in
            state.timer = nil
            handle(.timerFired(lastHeard: state.connection?.pipe.lastHeard), &state)
        }
    }
}
