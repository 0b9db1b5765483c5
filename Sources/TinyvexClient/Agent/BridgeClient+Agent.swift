import ACP
import JSONCoding
import JSONScan
import TinyvexSync

// The lifecycle of an agent of one's own: ACP, passed through by the bridge.
extension BridgeClient {
    /// Starts an agent of one's own: the one that the endpoint names (`?agent=NAME`), or `agent`.
    ///
    /// The agent belongs to the connection. When that is lost, requests that wait fail with
    /// `TinyvexError.outcomeUnknown`; the agent goes on for a while, and is had again by `initialize` and
    /// `session/load` or `session/resume`.
    @discardableResult
    public nonisolated(nonsending) func initialize(
        _ request: ACP.Agent.InitializeRequest, agent: String? = nil
    ) async throws(TinyvexError) -> ACP.Agent.InitializeResponse {
        var request = request
        if let agent { request.meta = Self.naming(agent, in: request.meta) }
        return try await self.request(request)
    }

    /// `{"tinyvex":{"agent":NAME}}` beside what stands there already.
    private static func naming(_ agent: String, in meta: RawJSON?) -> RawJSON {
        let others = (meta?.value.members ?? []).filter { $0.name != "tinyvex" }
        return RawJSON(
            others.map { (name: $0.name, value: RawJSON($0.value)) }
                + [(name: "tinyvex", value: ["agent": RawJSON(agent)])])
    }

    public nonisolated(nonsending) func sessionNew(
        _ request: ACP.Agent.SessionNewRequest
    ) async throws(TinyvexError) -> ACP.Agent.SessionNewResponse {
        try await self.request(request)
    }

    /// Ends when the turn does, which may take hours; what the agent says meanwhile comes by
    /// ``subscribeSessionUpdates(sessionId:from:)``.
    @discardableResult
    public nonisolated(nonsending) func sessionPrompt(
        _ request: ACP.Agent.SessionPromptRequest
    ) async throws(TinyvexError) -> ACP.Agent.SessionPromptResponse {
        try await self.request(request)
    }

    /// Asks the agent to end the turn; it ends with `cancelled`. Where there is no turn, or no connection, nothing happens.
    public nonisolated(nonsending) func sessionCancel(sessionId: ACPSessionId) async {
        try? notify(ACP.Agent.SessionCancelNotification(sessionId: sessionId))
    }

    // MARK: Any method

    /// Any request that agents know.
    public nonisolated(nonsending) func request<Request: ACP.Request>(
        _ request: Request
    ) async throws(TinyvexError) -> Request.Response {
        try await self.request(Request.method, params: request, as: Request.Response.self)
    }

    /// A request of any method, ACP's or the bridge's.
    ///
    /// - Parameter isIdempotent: it changes nothing, or doing it twice is as doing it once, so it is asked again when the
    ///   connection is lost before the answer.
    public nonisolated(nonsending) func request<Response: Decodable>(
        _ method: String, params: any Encodable = EmptyObject(), as type: Response.Type = Response.self,
        isIdempotent: Bool = false
    ) async throws(TinyvexError) -> Response {
        let call = Call.request(method, params: try ModelCoding.object(params), isIdempotent: isIdempotent)
        return try ModelCoding.value(type, from: try await engine.sync.call(call).rawText)
    }

    /// Any notification that agents know. Nothing answers it, and without a connection to an agent it is lost.
    ///
    /// - Throws: only `TinyvexError.encoding`.
    public func notify(_ notification: some ACP.Notification) throws(TinyvexError) {
        try notify(type(of: notification).method, params: notification)
    }

    /// A notification of any method.
    public func notify(_ method: String, params: any Encodable = EmptyObject()) throws(TinyvexError) {
        engine.sync.send(.notification(method, params: try ModelCoding.object(params)))
    }

    // MARK: What the agent asks

    /// Answers what the agent asks: permissions, files, terminals.
    ///
    ///     client.serve(ACP.Client.FsReadTextFileRequest.self) { request in
    ///         .init(content: try read(request.path))
    ///     }
    ///
    /// Each request has a task of its own, which is cancelled when the agent takes it back or its connection is lost. What is
    /// thrown goes to the agent as an error: an ``AgentRequestError`` as it is, anything else in general words. A
    /// request that nothing serves is answered with "method not found".
    public func serve<Request: ACP.Request>(
        _ type: Request.Type = Request.self, _ answer: @escaping @Sendable (Request) async throws -> Request.Response
    ) {
        serve(Request.method) { params in
            let request = try ModelCoding.agentValue(Request.self, from: params)
            return try RawJSON(validating: try ModelCoding.text(try await answer(request)))
        }
    }

    /// Answers requests of any method, as JSON.
    public func serve(_ method: String, _ answer: @escaping @Sendable (RawJSON?) async throws -> RawJSON) {
        engine.handlers.serve(method, answer)
    }

    /// Hears what the agent tells. One after another, in its order.
    public func listen<Notification: ACP.Notification>(
        _ type: Notification.Type = Notification.self, _ hear: @escaping @Sendable (Notification) async -> Void
    ) {
        listen(Notification.method) { params in
            guard let value = try? ModelCoding.agentValue(Notification.self, from: params) else { return }
            await hear(value)
        }
    }

    /// Hears notifications of any method, as JSON.
    public func listen(_ method: String, _ hear: @escaping @Sendable (RawJSON?) async -> Void) {
        engine.handlers.listen(method, hear)
    }
}

/// What the agent is told in place of what it asked for.
public struct AgentRequestError: Error, Sendable {
    /// JSON-RPC's or ACP's; -32603, an internal error, unless told otherwise.
    public let code: Int
    /// One sentence, for the agent and for people.
    public let message: String

    public init(code: Int = -32603, message: String) {
        self.code = code
        self.message = message
    }
}
