import Access
import EventLoop
import Functions
import JSONScan
import Tinyvex

/// Answers the requests of clients on `/tinyvex`.
@LoopActor struct ConnectionRequests {
    let functions: Functions
    let subscribing: Subscribing
    let authenticator: Authenticator
    let audit: AuditLog
    let time: any TimeSource
    /// The bridge's version, for the answer to `tinyvex/connect`.
    let version: String
    /// Called with the new identity after a connection has changed its token.
    let changed: @LoopActor (Identity) -> Void

    /// Answers one request of a client, either at once or after the log has answered.
    ///
    /// - Parameter placed: called if the next request can be handled before this one has its answer: see
    ///   ``Functions/act(_:for:placed:then:)``.
    func answer(
        _ request: ClientRequest, for connection: ClientConnection, placed: @escaping @LoopActor () -> Void,
        then finish: @escaping CompletionHandler
    ) {
        do throws(Rejection) {
            try request.checkRights(connection.identity)
        } catch {
            return finish(.failure(error))
        }
        switch request {
        case .connect(let client):
            connection.takesChunks = client.takesChunks
            let result = ConnectResult(
                serverVersion: version, nowTs: time.dateMilliseconds, connectionId: connection.id,
                chunks: client.takesChunks, role: connection.identity.role)
            finish(.success(FunctionResponse(result: result.json())))
        case .ping(let t):
            let result = JSONWriter.object { writer in
                if let t { writer.member("t", raw: t.rawText) }
            }
            finish(.success(FunctionResponse(result: result)))
        case .setToken(let token): finish(setToken(token, of: connection))
        case .unsubscribe(let subId): finish(unsubscribe(subId, connection))
        case .subscribe(let request): subscribing.subscribe(request, connection, finish)
        case .recentSessions(let request):
            guard connection.identity.session == nil else { return finish(.failure(SharedSession.refusal)) }
            functions.sessions.recentSessions(request, of: connection.identity.tenant, finish)
        case .sessionUpdates(let request): functions.sessions.sessionUpdates(request, for: connection.identity, finish)
        case .mutation(let call):
            functions.mutate(call, for: connection.identity) { result in finish(Self.wrapped(result, call.requestId)) }
        case .action(let call):
            functions.act(call, for: connection.identity, placed: placed) { result in
                finish(Self.wrapped(result, call.requestId))
            }
        }
    }

    private func unsubscribe(_ subId: String, _ connection: ClientConnection) -> Result<FunctionResponse, Rejection> {
        guard connection.streams.remove(subId) else {
            var rejection = Rejection(.subscriptionNotFound, "no subscription \(quoted(subId)) on this connection")
            rejection.subId = subId
            return .failure(rejection)
        }
        return .success(FunctionResponse(result: JSONWriter.object { $0.member("ok", true) }))
    }

    /// `{"requestId":"7","value":…}`
    private static func wrapped(
        _ result: Result<FunctionResponse, Rejection>, _ requestId: String?
    ) -> Result<FunctionResponse, Rejection> {
        switch result {
        case .success(let response):
            let json = JSONWriter.object { writer in
                writer.member("requestId", ifPresent: requestId)
                writer.member("value", raw: response.result)
            }
            return .success(FunctionResponse(result: json, afterwards: response.afterwards))
        case .failure(var rejection):
            rejection.requestId = requestId
            return .failure(rejection)
        }
    }

    // MARK: Rights

    /// Replaces the connection's identity with the one of this token. A nil token gives up all rights.
    func setToken(_ token: String?, of connection: ClientConnection) -> Result<FunctionResponse, Rejection> {
        let identity: Identity
        switch token.map({ authenticator.check($0) }) ?? .known(.nobody) {
        case .known(let known): identity = known
        case .unsettled:
            return .failure(
                Rejection(
                    .limitExceeded, "the keys of the token's issuer are being fetched; try again in a second",
                    rpcCode: .invalidRequest))
        case .unknown:
            return .failure(
                Rejection(
                    .unauthorized,
                    "the token is unknown, revoked or expired; the connection keeps its rights",
                    rpcCode: .invalidRequest))
        }
        let result = JSONWriter.object { $0.member("ok", true) }
        return .success(
            FunctionResponse(result: result) {
                connection.replaceIdentity(with: identity)
                audit.record(.rightsChanged, by: identity, connection: connection.id)
                changed(identity)
            })
    }
}
