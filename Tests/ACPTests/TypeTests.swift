import ACP
import Foundation
import JSONCoding
import Testing

/// Properties that users of the types rely on, in addition to the schema.
@Suite struct TypeTests {
    private func decode<Value: Decodable>(_ text: String, as type: Value.Type) throws -> Value {
        try JSONTextDecoder().decode(type, from: Array(text.utf8))
    }

    private func text(_ value: some Encodable) throws -> String {
        String(decoding: try JSONTextEncoder().encode(value), as: UTF8.self)
    }

    // MARK: Writing

    @Test func aPromptCanBeCreatedInOneExpression() throws {
        let prompt = ACP.Agent.SessionPromptRequest(sessionId: "s-1", prompt: ["hello/"])
        #expect(try text(prompt) == #"{"sessionId":"s-1","prompt":[{"type":"text","text":"hello/"}]}"#)
    }

    @Test func absentMembersAreNotEncoded() throws {
        #expect(try text(ACP.Agent.InitializeRequest(protocolVersion: .v1)) == #"{"protocolVersion":1}"#)
        #expect(try text(ACP.Agent.SessionNewRequest(cwd: "/a")) == #"{"cwd":"/a","mcpServers":[]}"#)
        let call = ACP.ToolCall(toolCallId: "t", title: "Dig")
        #expect(
            try text(ACP.SessionUpdate.toolCall(call))
                == #"{"sessionUpdate":"tool_call","toolCallId":"t","title":"Dig"}"#)
    }

    @Test func metaIsASeparateProperty() throws {
        var cancel = ACP.Agent.SessionCancelNotification(sessionId: "s", meta: ["why": "rain"])
        #expect(try text(cancel) == #"{"sessionId":"s","_meta":{"why":"rain"}}"#)
        #expect(cancel.meta?["why"] == "rain")
        cancel.meta = nil
        #expect(try text(cancel) == #"{"sessionId":"s"}"#)
        let odd = try decode(#"{"sessionId":"s","_meta":7}"#, as: ACP.Agent.SessionCancelNotification.self)
        #expect(odd.meta == nil && odd.otherMembers["_meta"] == 7)
    }

    // MARK: Reading

    @Test func absentCapabilitiesAreNotSupported() throws {
        let answer = try decode(#"{"protocolVersion":1}"#, as: ACP.Agent.InitializeResponse.self)
        #expect(answer.agentCapabilities == ACP.AgentCapabilities())
        #expect(!answer.agentCapabilities.loadSession && !answer.agentCapabilities.promptCapabilities.image)
        #expect(answer.agentCapabilities.sessionCapabilities.list == nil && answer.authMethods.isEmpty)
    }

    @Test func membersOfOldVersionsAreKept() throws {
        let text = #"{"sessionId":"s","models":{"currentModelId":"m"}}"#
        let session = try decode(text, as: ACP.Agent.SessionNewResponse.self)
        #expect(session.otherMembers["models"]?["currentModelId"] == "m")
    }

    @Test(arguments: ["null", "{}", #"{"_meta":{}}"#])
    func emptyResultsCanBeNull(text: String) throws {
        _ = try decode(text, as: ACP.Agent.SessionLoadResponse.self)
        _ = try decode(text, as: ACP.Client.FsWriteTextFileResponse.self)
        _ = try decode(text, as: ACP.Agent.AuthenticateResponse.self)
    }

    @Test func resultsWithMembersCannotBeNull() {
        #expect(throws: JSONCodingError.self) { try decode("null", as: ACP.Agent.SessionNewResponse.self) }
        #expect(throws: JSONCodingError.self) { try decode("null", as: ACP.Client.TerminalCreateResponse.self) }
    }

    @Test(
        arguments: [
            (
                #"{"sessionId":"s","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text"}}}"#,
                "expected String at update.content.text, found nothing"
            ),
            (
                #"{"sessionId":"s","update":{"sessionUpdate":"tool_call","title":"x"}}"#,
                "expected ToolCallId at update.toolCallId, found nothing"
            ),
            (#"{"sessionId":7,"update":{}}"#, "expected String at sessionId, found number 7"),
        ])
    func decodingErrorsHaveThePath(text: String, message: String) {
        let error = #expect(throws: JSONCodingError.self) {
            try decode(text, as: ACP.Client.SessionNotification.self)
        }
        #expect(error?.description == message)
    }

    @Test func aPatchDistinguishesNullFromAbsence() throws {
        let update = try decode(#"{"title":null}"#, as: ACP.SessionInfoUpdate.self)
        #expect(update.title == .cleared && update.updatedAt == .unchanged)
        #expect(try text(update) == #"{"title":null}"#)
    }

    @Test func aStdioServerCanHaveAType() throws {
        let written = #"{"name":"a","command":"/a","args":[],"env":[],"type":"stdio"}"#
        let server = try decode(written, as: ACP.McpServer.self)
        guard case .stdio(let stdio) = server else {
            Issue.record("not stdio")
            return
        }
        #expect(stdio.command == "/a")
        #expect(try text(server) == written)
    }

    @Test func theFieldsOfAFormKeepTheirOrder() throws {
        let schema = try decode(
            #"{"properties":{"z":{"type":"boolean"},"a":{"type":"string"},"m":{"type":"number"}}}"#,
            as: ACP.ElicitationSchema.self)
        #expect(schema.properties?.map(\.name) == ["z", "a", "m"])
    }

    @Test func theMembersOfAnUnknownModeAreKeptInTheRequest() throws {
        let request = try decode(
            #"{"mode":"voice","message":"Say","requestId":1,"tone":"soft"}"#,
            as: ACP.Client.ElicitationCreateRequest.self)
        #expect(request.mode == .unknown(mode: "voice") && request.otherMembers["tone"] == "soft")
        #expect(request.scope == .request(ACP.ElicitationRequestScope(requestId: ACP.RequestId(1))))
    }

    @Test func requestIdsKeepTheirKind() throws {
        for id in [#""1""#, "1", "null", "1.0"] {
            let cancel = try decode(#"{"requestId":\#(id)}"#, as: ACP.CancelRequestNotification.self)
            #expect(try text(cancel) == #"{"requestId":\#(id)}"#)
        }
        #expect(throws: JSONCodingError.self) {
            try decode(#"{"requestId":[]}"#, as: ACP.CancelRequestNotification.self)
        }
    }

    // MARK: The line of an update

    private static let line =
        #"{ "params":{"update":{"sessionUpdate":"plan","entries":[]},"sessionId":"s-1"},"method":"session\/update","jsonrpc":"2.0"}"#

    @Test func anUpdateKeepsItsLine() throws {
        let wire = try ACP.Client.SessionNotificationWire(line: RawJSON(validating: Self.line))
        #expect(wire.sessionId == "s-1" && wire.update == .plan(ACP.Plan()))
        #expect(wire.line.description == Self.line)
        #expect(try text([wire]) == "[\(Self.line)]")
        #expect(try decode("[\(Self.line)]", as: [ACP.Client.SessionNotificationWire].self) == [wire])
    }

    @Test(
        arguments: [
            #"{"method":"session/cancel","params":{"sessionId":"s"}}"#, #"{"method":"session/update"}"#,
            #"{"jsonrpc":"2.0","id":1,"result":{}}"#, "[]",
        ])
    func anUpdateCannotBeReadFromAnotherMessage(text: String) throws {
        let line = try RawJSON(validating: text)
        #expect(throws: JSONCodingError.self) { try ACP.Client.SessionNotificationWire(line: line) }
    }

    // MARK: Other coders

    @Test func foundationsCodersCanReadAndWriteTheTypes() throws {
        let prompt = ACP.Agent.SessionPromptRequest(
            sessionId: "s", prompt: ["a", .image(ACP.ImageContent(data: "AA", mimeType: "image/png"))])
        #expect(
            try JSONDecoder().decode(ACP.Agent.SessionPromptRequest.self, from: JSONEncoder().encode(prompt)) == prompt)
        let unknown = #"{"sessionUpdate":"new","b":[1,2.5]}"#
        let update = try JSONDecoder().decode(ACP.SessionUpdate.self, from: Data(unknown.utf8))
        #expect(try text(update) == #"{"b":[1,2.5],"sessionUpdate":"new"}"#)
    }
}
