import ACP
import JSONCoding
import Testing

/// Child sessions in version 1, which are newer than schema 1.21.0.
@Suite struct ChildSessionTests {
    private func decode<Value: Decodable>(_ text: String, as type: Value.Type) throws -> Value {
        try JSONTextDecoder().decode(type, from: Array(text.utf8))
    }

    private func text(_ value: some Encodable) throws -> String {
        String(decoding: try JSONTextEncoder().encode(value), as: UTF8.self)
    }

    @Test(
        arguments: [
            #"{"sessionUpdate":"subagent_update","sessionId":"s.a","title":"Explorer","capabilities":{"cancel":{}}}"#,
            #"{"sessionUpdate":"subagent_update","sessionId":"s.a","title":null,"state":{"state":"running","x":1.0}}"#,
            #"{"sessionUpdate":"subagent_update","sessionId":"s.a","state":{"state":"unknown"},"_meta":null}"#,
            #"{"sessionUpdate":"session_message","messageId":"m","senderSessionId":"s","content":[],"x":1.0}"#,
            #"{"sessionUpdate":"session_message_chunk","messageId":"m","recipientSessionId":"s","content":{"type":"text","text":"a"}}"#,
        ])
    func childSessionUpdatesAreDecodedAndEncodedUnchanged(written: String) throws {
        let update = try decode(written, as: ACP.SessionUpdate.self)
        if case .unknown = update { Issue.record("an unknown update") }
        #expect(try text(update) == written)
    }

    @Test func aFailedChildHasItsError() throws {
        let text =
            #"{"sessionId":"s.a","state":{"state":"idle","stopReason":"error","error":{"code":-32603,"message":"x"}}}"#
        let update = try decode(text, as: ACP.SubagentUpdate.self)
        let error = ACP.ErrorObject(code: .internalError, message: "x")
        #expect(update.state == .set(.idle(ACP.SubagentIdleState(stopReason: .error, error: error))))
        #expect(update.title == .unchanged && update.capabilities == .unchanged)
    }

    @Test func sessionMembersOfAToolCallAreKept() throws {
        let written = #"{"type":"session","sessionId":"s.a","x":1.0}"#
        let content = try decode(written, as: ACP.ToolCallContent.self)
        guard case .session(let session) = content else {
            Issue.record("not a session")
            return
        }
        #expect(session.otherMembers["sessionId"] == "s.a")
        #expect(try text(content) == written)
    }

    @Test func childSessionSupportIsAMemberOfTheClientsCapabilities() throws {
        let capabilities = try decode(#"{"subagents":{}}"#, as: ACP.ClientCapabilities.self)
        #expect(capabilities.subagents != nil && capabilities.otherMembers.isEmpty)
        #expect(ACP.ClientCapabilities().subagents == nil)
    }
}
