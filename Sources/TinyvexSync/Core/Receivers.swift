import ACPMethods
import JSONRPC
import JSONScan
import TinyvexMachine

/// The receivers of the machine's output: readers' mailboxes, and tasks that wait for an answer.
struct Receivers {
    typealias Answer = Result<JSONValue, TinyvexError>

    private var nextNumber = 1
    private var pieces: [SubscriberID: Mailbox<PieceQueue>] = [:]
    private var values: [SubscriberID: Mailbox<Newest<StreamValue>>] = [:]
    private var answers: [CallID: @Sendable (Answer) -> Void] = [:]
    private var watchers: [Int: Mailbox<Newest<ConnectionState>>] = [:]
    private var agent: Mailbox<AgentQueue>?
    private(set) var connectionState = ConnectionState.idle(because: nil)

    mutating func newNumber() -> Int {
        defer { nextNumber += 1 }
        return nextNumber
    }

    // MARK: Readers

    mutating func add(_ mailbox: Mailbox<PieceQueue>, _ subscriber: SubscriberID) { pieces[subscriber] = mailbox }

    mutating func add(_ mailbox: Mailbox<Newest<StreamValue>>, _ subscriber: SubscriberID) {
        values[subscriber] = mailbox
    }

    mutating func remove(_ subscriber: SubscriberID) {
        pieces[subscriber] = nil
        values[subscriber] = nil
    }

    /// Returns true if this piece took the reader over its limit.
    func deliver(_ piece: StreamPiece, to subscriber: SubscriberID) -> Bool { pieces[subscriber]?.add(piece) ?? false }

    func deliver(_ value: StreamValue, to subscriber: SubscriberID) { _ = values[subscriber]?.add(value) }

    mutating func fail(_ subscriber: SubscriberID, _ error: TinyvexError) {
        pieces.removeValue(forKey: subscriber)?.fail(error)
        values.removeValue(forKey: subscriber)?.fail(error)
    }

    // MARK: Callers

    mutating func await(_ id: CallID, _ answer: @escaping @Sendable (Answer) -> Void) { answers[id] = answer }

    mutating func answer(_ id: CallID, _ outcome: SyncMachine.Outcome) {
        guard let answer = answers.removeValue(forKey: id) else { return }
        switch outcome {
        case .result(let value): answer(.success(value))
        case .failure(let error): answer(.failure(error))
        }
    }

    // MARK: The connection's state

    /// The mailbox already contains the present state. No other state follows the last one, `closed`.
    mutating func watch(_ number: Int) -> Mailbox<Newest<ConnectionState>> {
        let mailbox = Mailbox(Newest(connectionState))
        if connectionState == .closed { mailbox.finish() } else { watchers[number] = mailbox }
        return mailbox
    }

    mutating func stopWatching(_ number: Int) { watchers[number] = nil }

    mutating func changed(_ state: ConnectionState) {
        guard state != connectionState else { return }
        connectionState = state
        for watcher in watchers.values {
            _ = watcher.add(state)
            if state == .closed { watcher.finish() }
        }
        if state == .closed { agent?.finish() }
    }

    // MARK: The agent

    /// Sends the agent's messages to this mailbox from now on. The previous mailbox is finished. After the end of the client, so is
    /// this one.
    mutating func serveAgent(with mailbox: Mailbox<AgentQueue>?) {
        agent?.finish()
        agent = mailbox
        if connectionState == .closed { mailbox?.finish() }
    }

    /// Delivers the message. Returns an error answer for the agent if no mailbox serves it, or if the mailbox has been
    /// full and is not empty yet.
    mutating func deliver(_ message: AgentMessage) -> (CallID, Call)? {
        let reason =
            agent == nil
            ? "this client does not serve \(message.method)"
            : "too many requests wait for this client; try again later"
        if let agent, message.isCancellation || !agent.hasBeenFull {
            _ = agent.add(.message(message))
            return nil
        }
        let code: ErrorCode = agent == nil ? .methodNotFound : .internalError
        return Call.answer(to: message, error: code, message: reason).map { (CallID(number: newNumber()), $0) }
    }

    func agentLost() { _ = agent?.add(.lost) }
}

extension AgentMessage {
    /// True if this message cancels one of the agent's requests.
    fileprivate var isCancellation: Bool { method == ACPMethod.cancelRequest.name }
}
