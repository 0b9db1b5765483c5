import ACP
import JSONCoding
import JSONScan
import TinyvexMachine
import TinyvexSync

// The lifecycle of the client's own agent, in ACP; the bridge passes the messages through.
extension BridgeClient {
    /// Starts an agent for this client: `agent`, or else the one that the endpoint names (`?agent=NAME`).
    ///
    /// The agent belongs to the connection. When the connection is lost, pending requests fail with
    /// `TinyvexError.outcomeUnknown`. The agent continues to run for a while; reattach to it with `initialize` and
    /// `session/load` or `session/resume`.
    ///
    /// - Throws: `.server` if the bridge has no such agent or cannot start it, or with the agent's own error; otherwise as
    ///   ``request(_:)``.
    @discardableResult
    public nonisolated(nonsending) func initialize(
        _ request: ACP.Agent.InitializeRequest, agent: String? = nil
    ) async throws(TinyvexError) -> ACP.Agent.InitializeResponse {
        var request = request
        if let agent { request.meta = Self.naming(agent, in: request.meta) }
        return try await self.request(request)
    }

    /// Starts an agent like ``initialize(_:agent:)``, in version 2 of ACP.
    ///
    /// Send the other messages of version 2 with ``request(_:)`` and ``notify(_:)``, for example
    /// `ACP.V2.Agent.SessionPromptRequest`. The answer to a prompt then only means that the message was inserted; the
    /// turn ends with an idle `state_update`. Read updates with
    /// ``subscribeVersionedUpdates(sessionId:agent:journal:version:from:policy:)``.
    ///
    /// - Throws: `.decoding` if the agent answers in the form of version 1; otherwise as ``initialize(_:agent:)``.
    @discardableResult
    public nonisolated(nonsending) func initialize(
        v2 request: ACP.V2.Agent.InitializeRequest, agent: String? = nil
    ) async throws(TinyvexError) -> ACP.V2.Agent.InitializeResponse {
        var request = request
        if let agent { request.meta = Self.naming(agent, in: request.meta) }
        return try await self.request(request)
    }

    /// Adds `{"tinyvex":{"agent":NAME}}` to the members that `_meta` already has.
    private static func naming(_ agent: String, in meta: RawJSON?) -> RawJSON {
        let others = (meta?.value.members ?? []).filter { $0.name != "tinyvex" }
        return RawJSON(
            others.map { (name: $0.name, value: RawJSON($0.value)) }
                + [(name: "tinyvex", value: ["agent": RawJSON(agent)])])
    }

    /// Creates a session of the client's agent. Call ``initialize(_:agent:)`` first.
    ///
    /// - Throws: As ``request(_:)``. An agent that needs a login answers `.server` with the code `-32000`.
    public nonisolated(nonsending) func sessionNew(
        _ request: ACP.Agent.SessionNewRequest
    ) async throws(TinyvexError) -> ACP.Agent.SessionNewResponse {
        try await self.request(request)
    }

    /// Sends a prompt to the client's own agent. Returns when the turn ends, which can take hours. During the turn, the agent's
    /// updates arrive through ``subscribeSessionUpdates(sessionId:agent:from:policy:)->SessionUpdates``.
    ///
    /// Cancelling the task ends only the wait; ``sessionCancel(sessionId:)`` ends the turn. For a session of another client's
    /// agent, use the action `sessions:prompt` with ``SessionPrompt``.
    ///
    /// - Throws: As ``request(_:)``. After `.outcomeUnknown`, the turn may still run.
    @discardableResult
    public nonisolated(nonsending) func sessionPrompt(
        _ request: ACP.Agent.SessionPromptRequest
    ) async throws(TinyvexError) -> ACP.Agent.SessionPromptResponse {
        try await self.request(request)
    }

    /// Asks the agent to end the turn; the turn ends with `cancelled`. Does nothing without a turn or a
    /// connection.
    public nonisolated(nonsending) func sessionCancel(sessionId: ACPSessionId) async {
        try? notify(ACP.Agent.SessionCancelNotification(sessionId: sessionId))
    }

    // MARK: Any method

    /// Sends a typed ACP request to the agent.
    ///
    /// - Throws: `.server` with the agent's error, whose code is JSON-RPC's number as text, or with that of the bridge;
    ///   `.outcomeUnknown` if the connection was lost before the response; `.unauthorized` if the token is missing or wrong;
    ///   `.decoding` if the response does not match ACP's schema; `.encoding`, `.overloaded` or `.tooLarge` if it cannot be sent;
    ///   `.transport` after the configuration's `attemptsLimit`; `.cancelled` and `.closed`.
    public nonisolated(nonsending) func request<Request: ACP.Request>(
        _ request: Request
    ) async throws(TinyvexError) -> Request.Response {
        try await self.request(Request.method, params: request, as: Request.Response.self)
    }

    /// Sends a request of any method, either of ACP or of the bridge.
    ///
    /// - Parameters:
    ///   - method: The name of the method.
    ///   - params: Any value that encodes to a JSON object.
    ///   - type: The type of the result.
    ///   - isIdempotent: The request changes nothing, or repeating it has no further effect. The client
    ///     then sends it again if the connection is lost before the response.
    /// - Throws: As ``request(_:)``.
    public nonisolated(nonsending) func request<Response: Decodable>(
        _ method: String, params: any Encodable = EmptyObject(), as type: Response.Type = Response.self,
        isIdempotent: Bool = false
    ) async throws(TinyvexError) -> Response {
        let call = Call.request(method, params: try ModelCoding.object(params), isIdempotent: isIdempotent)
        return try ModelCoding.value(type, from: try await engine.sync.call(call).rawText)
    }

    /// Sends a typed ACP notification to the agent. A notification has no response, and is lost if no agent is
    /// connected.
    ///
    /// - Throws: Only `TinyvexError.encoding`.
    public func notify(_ notification: some ACP.Notification) throws(TinyvexError) {
        try notify(type(of: notification).method, params: notification)
    }

    /// Sends a notification of any method.
    ///
    /// - Throws: Only `TinyvexError.encoding`.
    public func notify(_ method: String, params: any Encodable = EmptyObject()) throws(TinyvexError) {
        engine.sync.send(.notification(method, params: try ModelCoding.object(params)))
    }

    // MARK: Requests from the agent

    /// Handles the agent's requests of one type, such as permissions, files and terminals.
    ///
    ///     client.serve(ACP.Client.FsReadTextFileRequest.self) { request in
    ///         .init(content: try read(request.path))
    ///     }
    ///
    /// Each request runs in its own task, which is cancelled when the agent cancels the request or its connection
    /// is lost. A cancelled permission request or elicitation is answered as dismissed. A thrown error is sent to the
    /// agent: an ``AgentRequestError`` unchanged, any other error in general words. A request without a handler is
    /// answered with "method not found".
    public func serve<Request: ACP.Request>(
        _ type: Request.Type = Request.self, _ handler: @escaping @Sendable (Request) async throws -> Request.Response
    ) {
        serve(Request.method) { params in
            let request = try ModelCoding.agentValue(Request.self, from: params)
            return try RawJSON(validating: try ModelCoding.text(try await handler(request)))
        }
    }

    /// Handles the agent's requests of any method, as JSON.
    public func serve(_ method: String, _ handler: @escaping @Sendable (RawJSON?) async throws -> RawJSON) {
        engine.handlers.serve(method, handler)
    }

    /// Handles the agent's notifications of one type, one at a time and in the order in which the agent sent them.
    ///
    /// The agent's requests do not wait for these handlers, so a handler can send the agent a request and wait for its answer.
    /// While notifications of more than some 64 MiB wait, further ones are dropped.
    public func listen<Notification: ACP.Notification>(
        _ type: Notification.Type = Notification.self, _ handler: @escaping @Sendable (Notification) async -> Void
    ) {
        listen(Notification.method) { params in
            guard let value = try? ModelCoding.agentValue(Notification.self, from: params) else { return }
            await handler(value)
        }
    }

    /// Handles the agent's notifications of any method, as JSON.
    public func listen(_ method: String, _ handler: @escaping @Sendable (RawJSON?) async -> Void) {
        engine.handlers.listen(method, handler)
    }
}

extension ModelCoding {
    /// Decodes the params of an agent's message. Absent params are read as an empty object.
    fileprivate static func agentValue<Value: Decodable>(
        _ type: Value.Type, from params: RawJSON?
    ) throws(TinyvexError) -> Value {
        try value(type, from: params?.text ?? Array("{}".utf8)[...])
    }
}
