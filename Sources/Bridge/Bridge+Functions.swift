import EventLoop
import JSONScan
import Tinyvex

/// Named queries, mutations and actions: what each wire calls, with rights checked here and nowhere else.
///
/// `finish` is called once, now or later, with the value alone as JSON. What a completion has to do `afterwards` is to
/// be called once the answer is on its way.
extension Bridge {
    /// Computes the value of a query as it is now.
    func query(
        _ name: String, _ params: Parameters, for identity: Identity, then finish: @escaping Completing
    ) {
        do throws(Rejection) {
            guard let query = QueryName(rawValue: name) else { throw .unknownSubscription(name) }
            try require(.query, name, of: identity)
            let key = try QueryKey(query, params, tenant: identity.tenant)
            compute(key, params) { finish($0.map { Completion(result: $0) }) }
        } catch {
            finish(.failure(error))
        }
    }

    /// Runs a mutation when those before it are done, unless its `requestId` has been seen: then the first one's
    /// outcome is this one's.
    func mutate(_ call: CallRequest, for identity: Identity, then finish: @escaping Completing) {
        do throws(Rejection) {
            guard let mutation = MutationName(rawValue: call.name) else { throw .unknownFunction(.mutation, call.name) }
            try require(.mutation, call.name, of: identity)
            mutations.submit(call, by: identity) { [self] done in
                perform(mutation, call.arguments, for: identity, then: done)
            } then: { outcome in
                finish(outcome.map { Completion(result: $0) })
            }
        } catch {
            finish(.failure(error))
        }
    }

    func act(_ call: CallRequest, for identity: Identity, then finish: @escaping Completing) {
        do throws(Rejection) {
            guard let action = ActionName(rawValue: call.name) else { throw .unknownFunction(.action, call.name) }
            try require(.action, call.name, of: identity)
            try perform(action, call.arguments, for: identity, then: finish)
        } catch {
            finish(.failure(error))
        }
    }

    func require(
        _ kind: FunctionDescription.Kind, _ name: String, of identity: Identity
    ) throws(Rejection) {
        guard let function = Catalogue.function(kind, name) else { throw .unknownFunction(kind, name) }
        try identity.require(function.role)
    }

    // MARK: Each by its name

    /// Anew, for whoever may see what the key says; ``QueryHub`` computes what is watched through this.
    func compute(
        _ key: QueryKey, _ params: Parameters, then finish: @escaping @LoopActor (QueryOutcome) -> Void
    ) {
        switch key.name {
        case .sessionsList: listSessions(params, tenant: key.tenant, then: finish)
        case .sessionsGet: getSession(params, tenant: key.tenant, then: finish)
        case .agentsList: finish(Self.outcome { () throws(Rejection) in try agentsValue(params, tenant: key.tenant) })
        case .permissionsPending:
            finish(Self.outcome { () throws(Rejection) in try permissionsValue(params, tenant: key.tenant) })
        case .bridgeStatus:
            guard key.tenant == nil else { return finish(.failure(.notATenants)) }
            finish(.success(statusValue()))
        }
    }

    private static func outcome(_ value: () throws(Rejection) -> [UInt8]) -> QueryOutcome {
        do throws(Rejection) { return .success(try value()) } catch { return .failure(error) }
    }

    private func perform(
        _ action: ActionName, _ arguments: Parameters, for identity: Identity, then finish: @escaping Completing
    ) throws(Rejection) {
        switch action {
        case .sessionsPrompt: try prompt(arguments, by: identity, then: finish)
        case .sessionsCancel: finish(.success(try cancel(arguments, by: identity)))
        case .sessionsExport: export(try ExportRequest(arguments), for: identity, then: finish)
        case .agentsStop: finish(.success(try stopAgent(arguments, by: identity)))
        case .bridgeStop:
            let value = JSONWriter.object { $0.member("stopping", true) }
            audit.record(.stopped, by: identity)
            finish(.success(Completion(result: value) { [unowned self] in stop() }))
        case .bridgeReplace: try replace(arguments, by: identity, then: finish)
        case .tokensCreate: finish(.success(try issueToken(arguments, by: identity)))
        case .tokensList: finish(.success(Completion(result: tokensValue())))
        case .tokensRevoke: finish(.success(try revokeToken(arguments, by: identity)))
        }
    }
}

extension Rejection {
    fileprivate static let notATenants = Rejection(
        .readOnly, "this is about the whole bridge, which several share", rpcCode: .invalidRequest)
}
