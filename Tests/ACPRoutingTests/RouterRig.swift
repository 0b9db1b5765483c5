import JSONRPC
import JSONScan

@testable import ACPRouting

/// A router with the agent's updates, as the owner of a router passes them on: updates of no interest pass unread.
struct RouterRig {
    var router: RequestRouter
    var now: Int64 = 0

    init(hasEditor: Bool = true) { router = RequestRouter(idPrefix: "b-", hasEditor: hasEditor) }

    /// A router, after its agent has answered `initialize` with this version.
    init(version: Int, hasEditor: Bool = true) throws {
        self.init(hasEditor: true)
        editor(#"{"id":"init","method":"initialize","params":{"protocolVersion":\#(version)}}"#)
        try agent(#"{"id":"init","result":{"protocolVersion":\#(version)}}"#)
        if !hasEditor { router.editorGone() }
    }

    @discardableResult mutating func editor(_ line: String) -> [RequestRouter.Event] {
        let line = Array(line.utf8)
        return router.editorWrote(line.span, at: now)
    }

    @discardableResult mutating func agent(_ line: String) throws -> [RequestRouter.Event] {
        let line = Array(line.utf8)
        let envelope = try scanEnvelope(line.span)
        guard envelope.isSessionUpdate(in: line.span) else {
            return router.agentWrote(line.span, envelope, at: now)
        }
        guard let kind = envelope.updateKind, router.updateInterest.includes(line.span.extracting(kind)) else {
            return []
        }
        return router.agentUpdated(line.span, envelope, at: now)
    }

    /// - Parameter update: The members of `update`, without the braces.
    @discardableResult mutating func update(_ session: String, _ update: String) throws -> [RequestRouter.Event] {
        try agent(#"{"method":"session/update","params":{"sessionId":"\#(session)","update":{\#(update)}}}"#)
    }

    /// - Parameter rest: More members of the update, each with a comma before it.
    @discardableResult mutating func state(
        _ session: String, _ state: String, _ rest: String = ""
    ) throws -> [RequestRouter.Event] {
        try update(session, #""sessionUpdate":"state_update","state":"\#(state)"\#(rest)"#)
    }

    /// Sends a prompt of the bridge's own. Returns the id under which the agent gets it, or nil if it waits.
    mutating func prompt(_ number: Int, _ session: String) throws -> String? {
        try promptEvents(number, session).promptsSent.first
    }

    /// Sends a prompt of the bridge's own. The agent gets `number` in the params.
    mutating func promptEvents(_ number: Int, _ session: String) throws -> [RequestRouter.Event] {
        let params = try JSONValue(
            validating: Array(#"{"sessionId":"\#(session)","prompt":[],"number":\#(number)}"#.utf8))
        return try router.bridgePrompts(number, session, params, by: "ann", queues: true, at: now)
    }
}

extension RequestRouter {
    /// True if nothing of a line from the editor reaches the agent.
    func withholdsLineFromAgent(_ line: Span<UInt8>) -> Bool { verdict(onEditorLine: line) == .withheld }

    /// True if nothing of a line from the agent reaches the editor.
    func withholdsLineFromEditor(_ line: Span<UInt8>) -> Bool { verdict(onAgentLine: line) == .withheld }

    func verdict(onEditorLine line: Span<UInt8>) -> LineVerdict {
        MessageArray.verdict(on: line) { withholdsFromAgent($0, $1) }
    }

    func verdict(onAgentLine line: Span<UInt8>) -> LineVerdict {
        MessageArray.verdict(on: line) { withholdsFromEditor($0, $1) }
    }
}

extension [RequestRouter.Event] {
    /// The ids of the prompts that the agent gets.
    var promptsSent: [String] {
        compactMap { event in
            guard case .delivery(.toAgent(let line)) = event, let message = try? JSONValue(validating: line),
                message["method"]?.stringValue == "session/prompt"
            else { return nil }
            return message["id"]?.stringValue
        }
    }

    /// The answers to the bridge's own requests, by number.
    var answers: [Int: String] {
        var answers: [Int: String] = [:]
        for case .delivery(.answered(let number, let reply)) in self {
            answers[number] = String(decoding: reply.result ?? reply.error ?? [], as: UTF8.self)
        }
        return answers
    }

    /// The lines for the agent.
    var toAgent: [String] {
        compactMap { if case .delivery(.toAgent(let line)) = $0 { String(decoding: line, as: UTF8.self) } else { nil } }
    }
}
