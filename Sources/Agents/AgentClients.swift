import ACPRouting
import AgentProcess
import EventLoop
import SessionStreams

/// A client that exchanges whole lines with an agent.
@LoopActor package protocol AgentClient: AnyObject {
    /// False for a client that can only watch. It does not keep the agent.
    var canControl: Bool { get }
    /// Receives a child session of a session that the client follows. The client must send the child's updates after the
    /// updates of `parent` that came before.
    ///
    /// - Parameter isNew: False if the agent announced the child before the client came. The client then gets only the
    ///   child's further updates.
    func childOpened(_ child: Session, of parent: Session, isNew: Bool)
    /// Receives a line from the agent. The remote client must send it after the updates of `session` that came before
    /// it.
    func agentSent(_ line: [UInt8], after session: Session?, of run: AgentRun)
    /// Receives the params of a prompt that another client or the editor has sent, if the agent does not send it as an update.
    func othersPrompted(_ params: [UInt8], in session: Session)
    /// Receives bytes of the agent's standard error, if the client is the agent's primary. The bytes are valid only
    /// during the call.
    func agentWroteError(_ text: UnsafeRawBufferPointer, of run: AgentRun)
    /// Receives the agent's end. The agent will not answer the requests that are still open.
    func agentEnded(_ run: AgentRun, _ status: TerminationStatus)
}

extension AgentClient {
    package func othersPrompted(_ params: [UInt8], in session: Session) {}
    package func agentWroteError(_ text: UnsafeRawBufferPointer, of run: AgentRun) {}
}

/// The remote clients of one agent, and the callbacks for the answers to the bridge's own requests.
@LoopActor struct AgentClients {
    typealias AnswerHandler = @LoopActor (Reply) -> Void

    private(set) var all: [RequestRouter.ClientNumber: any AgentClient] = [:]
    /// The number of clients admitted so far. The latest one has this number.
    private(set) var admittedCount: Int
    private var answerHandlers: [Int: AnswerHandler] = [:]
    /// The number of the bridge's own requests so far. The latest one has this number.
    private(set) var requestCount: Int

    /// - Parameters:
    ///   - admittedCount: The number of clients that the previous program had admitted at the hand-over.
    ///   - requestCount: The number of requests that the previous program had sent at the hand-over.
    init(admittedCount: Int = 0, requestCount: Int = 0) {
        self.admittedCount = admittedCount
        self.requestCount = requestCount
    }

    // MARK: Remote clients

    mutating func admit(_ client: any AgentClient) -> RequestRouter.ClientNumber {
        admittedCount += 1
        all[admittedCount] = client
        return admittedCount
    }

    /// Sets a remote client that the previous program admitted under this number.
    mutating func readmit(_ client: any AgentClient, as number: RequestRouter.ClientNumber) { all[number] = client }

    /// Returns false if the client was not admitted.
    mutating func remove(_ number: RequestRouter.ClientNumber) -> Bool { all.removeValue(forKey: number) != nil }

    mutating func removeAll() { all = [:] }

    /// True if another client than this one can control the agent.
    func hasOthers(than number: RequestRouter.ClientNumber?) -> Bool {
        all.contains { $0.key != number && $0.value.canControl }
    }

    // MARK: The bridge's own requests

    /// Returns the number of a new request.
    mutating func addRequest(_ handler: @escaping AnswerHandler) -> Int {
        requestCount += 1
        answerHandlers[requestCount] = handler
        return requestCount
    }

    mutating func takeAnswerHandler(_ number: Int) -> AnswerHandler? { answerHandlers.removeValue(forKey: number) }
}
