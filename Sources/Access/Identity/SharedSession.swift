import JSONScan
import Tinyvex

/// The one session that a token opens. Pure.
///
/// A token for one session can call only the functions that ``Identity/narrowed(_:_:)`` lists, and each call is made to
/// name this session. So a function that is added later is closed to such tokens until it is listed.
package struct SharedSession: Sendable, Hashable, Codable {
    package let agent: String
    package let sessionId: String
    /// The journal of one claim. It names the incarnation, so a later session with the same id is another one.
    package let journal: String

    package init(agent: String, sessionId: String, journal: String) {
        self.agent = agent
        self.sessionId = sessionId
        self.journal = journal
    }

    /// `{"agent":"codex","sessionId":"s1","journal":"9f03c2aa-16-1"}`
    package func write(to writer: inout JSONWriter) {
        writer.member("agent", agent)
        writer.member("sessionId", sessionId)
        writer.member("journal", journal)
    }

    init?(_ value: JSONValue) {
        guard let agent = value["agent"]?.stringValue, let sessionId = value["sessionId"]?.stringValue,
            let journal = value["journal"]?.stringValue
        else { return nil }
        self.init(agent: agent, sessionId: sessionId, journal: journal)
    }

    /// The functions that such a token can call, as far as its role allows.
    private static let functions: Set<String> = [
        QueryName.sessionsList.rawValue, QueryName.sessionsGet.rawValue, QueryName.sessionsSearch.rawValue,
        QueryName.permissionsPending.rawValue, QueryName.elicitationsPending.rawValue,
        MutationName.permissionsAnswer.rawValue, MutationName.elicitationsAnswer.rawValue,
        ActionName.sessionsPrompt.rawValue, ActionName.sessionsCancel.rawValue, ActionName.sessionsUnqueue.rawValue,
        ActionName.sessionsExport.rawValue, ActionName.sessionsView.rawValue,
    ]

    fileprivate func narrowed(_ function: String, _ params: Parameters) throws(Rejection) -> Parameters {
        guard Self.functions.contains(function) else { throw Self.refusal }
        try check(params)
        let text = JSONWriter.object { writer in
            write(to: &writer)
            for (name, value) in params.members where !SessionReference.memberNames.contains(name) {
                writer.member(name, raw: value.rawText)
            }
        }
        guard let value = try? JSONValue(validating: text) else { throw .invalidParams("too deeply nested") }
        return Parameters(value)
    }

    /// Another session is reported as one that does not exist.
    private func check(_ params: Parameters) throws(Rejection) {
        guard params.value("sessionId") != nil || params.value("session_id") != nil else { return }
        try check(try SessionReference(params))
    }

    fileprivate func check(_ reference: SessionReference) throws(Rejection) {
        guard reference.sessionId == sessionId, reference.agent == nil || reference.agent == agent else {
            throw Rejection(.sessionNotFound, "no session \(quoted(reference.sessionId)) is known here")
        }
    }

    package static let refusal = Rejection(
        .readOnly, "this token opens one session only, and this request concerns others", rpcCode: .invalidRequest)
}

extension Identity {
    /// Returns the params of a function as this identity can use them: for a token that opens one session, they name
    /// that session.
    ///
    /// - Throws: TVX008 if they name another session, TVX011 if such a token cannot call the function.
    package func narrowed(_ function: String, _ params: Parameters) throws(Rejection) -> Parameters {
        try session.map { (session) throws(Rejection) in try session.narrowed(function, params) } ?? params
    }

    /// Returns a session's name as this identity can use it.
    package func narrowed(_ reference: SessionReference) throws(Rejection) -> SessionReference {
        guard let session else { return reference }
        try session.check(reference)
        return SessionReference(sessionId: session.sessionId, agent: session.agent, journal: session.journal)
    }
}
