import JSONRPC
import JSONScan
import Tinyvex

/// Working at a session without speaking ACP.
extension Bridge {
    /// `sessions:prompt`: finishes when the turn has ended, with the agent's own answer.
    func prompt(
        _ arguments: Parameters, by identity: Identity, then finish: @escaping Completing
    ) throws(Rejection) {
        let (run, session) = try running(arguments, for: identity)
        let params = try Self.promptParams(arguments, session)
        let queues = try arguments.optionalBool("queue") ?? false
        do throws(GuestRefusal) {
            try run.prompt(session: session, params: params, by: identity.who, queues: queues) { reply in
                finish(Self.completion(reply))
            }
        } catch {
            throw error.rejection
        }
        audit.record(.prompted(.init(agent: run.name, sessionId: session)), by: identity)
    }

    /// `sessions:cancel`: the agent is told; what it asks about the session is answered as cancelled.
    func cancel(_ arguments: Parameters, by identity: Identity) throws(Rejection) -> Completion {
        let (run, session) = try running(arguments, for: identity)
        run.sessions?.converse { $0.cancel(session, by: identity.who) }
        audit.record(.cancelled(.init(agent: run.name, sessionId: session)), by: identity)
        return Completion(result: JSONWriter.object { $0.member("cancelled", true) })
    }

    /// `agents:stop`: ends the agent that runs the session, or has the process id, as if nobody needed it any more.
    func stopAgent(_ arguments: Parameters, by identity: Identity) throws(Rejection) -> Completion {
        let run =
            if let pid = try arguments.optionalInteger("pid", in: 1...Int64(Int32.max)) {
                try running(pid, for: identity)
            } else {
                try running(arguments, for: identity).run
            }
        audit.record(.agentStopped(agent: run.name, pid: run.pid), by: identity)
        let value = JSONWriter.object { writer in
            writer.member("agent", run.name)
            writer.member("pid", run.pid)
        }
        return Completion(result: value) { run.end() }
    }

    /// `permissions:answer`: the first valid answer is the agent's, and any other is told so.
    func answerPermission(_ arguments: Parameters, by identity: Identity) throws(Rejection) -> [UInt8] {
        let (run, session) = try running(arguments, for: identity)
        guard let id = arguments.value("requestId").flatMap(RequestID.init) else {
            throw .invalidParams("requestId: the request's id as permissions:pending has it")
        }
        guard let outcome = arguments.value("outcome") else {
            throw .invalidParams(#"outcome: {"outcome":"selected","optionId":…} or {"outcome":"cancelled"}"#)
        }
        let reply = Reply(result: JSONWriter.object { $0.member("outcome", raw: outcome.rawText) })
        do throws(PermissionFault) {
            try run.sessions?.converse { (exchange) throws(PermissionFault) in
                try exchange.answerPermission(session, id, reply, by: identity.who)
            }
        } catch {
            throw error.rejection
        }
        recordAnswer(to: id, outcome, .init(agent: run.name, sessionId: session), by: identity)
        return JSONWriter.object { $0.member("answered", true) }
    }

    func recordAnswer(
        to id: RequestID, _ outcome: JSONValue?, _ session: AuditEvent.SessionName, by identity: Identity
    ) {
        let choice = outcome?["optionId"]?.stringValue ?? "cancelled"
        audit.record(
            .answered(session, requestId: String(decoding: id.rawText, as: UTF8.self), choice: choice), by: identity)
    }

    // MARK: Parts

    private func running(_ pid: Int64, for identity: Identity) throws(Rejection) -> AgentRun {
        let run = runs.first { Int64($0.pid) == pid && identity.maySee(tenant: $0.tenant) }
        guard let run else { throw .invalidParams("pid: no agent runs under \(pid); agents:list names those that do") }
        return run
    }

    private func running(
        _ arguments: Parameters, for identity: Identity
    ) throws(Rejection) -> (run: AgentRun, session: String) {
        let reference = try SessionReference(arguments)
        let found = runs.filter { run in
            identity.maySee(tenant: run.tenant) && reference.agent.map { $0 == run.name } != false
                && run.sessions?.sessions[reference.sessionId]?.isLive == true
        }
        guard let run = found.first else {
            throw Rejection(.sessionNotFound, "no agent runs the session \(quoted(reference.sessionId))")
        }
        guard found.count == 1 else {
            var rejection = Rejection(.sessionAmbiguous, "several agents run it; name one with \"agent\"")
            rejection.candidates = found.map { "\($0.name):\(reference.sessionId)" }
            throw rejection
        }
        return (run, reference.sessionId)
    }

    /// `text`, or ACP's content blocks in `prompt`.
    private static func promptParams(_ arguments: Parameters, _ session: String) throws(Rejection) -> JSONValue {
        let blocks: [UInt8]
        if let given = arguments.value("prompt"), given.kind == .array {
            blocks = Array(given.rawText)
        } else if let text = try arguments.optionalString("text"), !text.isEmpty {
            blocks = JSONWriter.array { writer in
                writer.object { writer in
                    writer.member("type", "text")
                    writer.member("text", text)
                }
            }
        } else {
            throw .invalidParams("text or prompt: what is asked of the agent, as text or as ACP's content blocks")
        }
        let params = JSONWriter.object { writer in
            writer.member("sessionId", session)
            writer.member("prompt", raw: blocks)
        }
        guard let value = try? JSONValue(validating: params) else { throw .invalidParams("prompt: too deeply nested") }
        return value
    }

    private static func completion(_ reply: Reply) -> Result<Completion, Rejection> {
        if let result = reply.result { return .success(Completion(result: result)) }
        let error = reply.error.flatMap { try? JSONValue(validating: $0) }.flatMap(ErrorObject.init)
        return .failure(
            Rejection(error?.code ?? .internalError, error?.message ?? "the agent answered with no result"))
    }
}

extension GuestRefusal {
    var rejection: Rejection {
        switch reason {
        case .turnIsRunning, .queueIsFull, .tooManyRequests:
            Rejection(.limitExceeded, message, rpcCode: .invalidRequest)
        case .idInUse, .idTooLong: Rejection(.invalidRequest, message)
        case .notYourAgent: Rejection(.readOnly, message, rpcCode: .invalidRequest)
        }
    }
}
