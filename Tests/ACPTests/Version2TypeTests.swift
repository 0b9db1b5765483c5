import ACP
import JSONCoding
import JSONScan
import Testing

/// Properties of the types of version 2 that programs rely on.
@Suite struct Version2TypeTests {
    private func decode<Value: Decodable>(_ text: String, as type: Value.Type) throws -> Value {
        try JSONTextDecoder().decode(type, from: Array(text.utf8))
    }

    private func text(_ value: some Encodable) throws -> String {
        String(decoding: try JSONTextEncoder().encode(value), as: UTF8.self)
    }

    private func update(_ text: String) throws -> ACP.V2.SessionUpdate {
        try decode(text, as: ACP.V2.SessionUpdate.self)
    }

    // MARK: Unknown kinds

    struct Unknown: CustomTestStringConvertible {
        let type: any (Codable & Hashable & Sendable).Type
        let text: String

        var testDescription: String { "\(type) \(text)" }
    }

    static let unknowns = [
        Unknown(type: ACP.V2.SessionUpdate.self, text: #"{"sessionUpdate":"_new","content":[1.0]}"#),
        Unknown(type: ACP.V2.SessionUpdate.self, text: #"{"sessionUpdate":"state_update","state":"_new","error":7}"#),
        Unknown(type: ACP.V2.StateUpdate.self, text: #"{"state":"asleep","background":7}"#),
        Unknown(type: ACP.V2.BackgroundWork.self, text: #"{"type":"timer","at":1.50}"#),
        Unknown(type: ACP.V2.BackgroundWork.self, text: #"{"type":"terminal","id":"t1"}"#),
        Unknown(type: ACP.V2.BackgroundWork.self, text: #"{"tool":"c1"}"#),
        Unknown(type: ACP.V2.ToolCallContent.self, text: #"{"type":"chart","content":7}"#),
        Unknown(type: ACP.V2.DiffChange.self, text: #"{"operation":"_chmod","path":7}"#),
        Unknown(type: ACP.V2.PlanUpdateContent.self, text: #"{"type":"_tree","planId":"p","entries":{}}"#),
        Unknown(type: ACP.V2.RequestPermissionSubject.self, text: #"{"type":"_network","command":7}"#),
        Unknown(type: ACP.V2.RequestPermissionOutcome.self, text: #"{"outcome":"_later","optionId":7}"#),
        Unknown(type: ACP.V2.ReplayFrom.self, text: #"{"type":"message","messageId":"m"}"#),
        Unknown(type: ACP.V2.McpServer.self, text: #"{"type":"acp","name":"a","serverId":"s"}"#),
        Unknown(type: ACP.V2.McpServer.self, text: #"{"name":"no type","command":"/a","args":[],"env":[]}"#),
        Unknown(type: ACP.V2.AuthMethod.self, text: #"{"type":"_card","methodId":7}"#),
        Unknown(type: ACP.V2.AvailableCommandInput.self, text: #"{"type":"_file","hint":7}"#),
        Unknown(type: ACP.SubagentState.self, text: #"{"state":"_new","error":7}"#),
    ]

    @Test(arguments: unknowns)
    func unknownKindsAreKeptWithTheirSpelling(unknown: Unknown) throws {
        let value = try RawJSON(validating: unknown.text).decode(as: unknown.type)
        #expect(try text(value) == unknown.text)
    }

    @Test func valuesOfUnknownTypesAreKept() throws {
        let written = #"{"sessionId":"s","configId":"c","type":"_range","value":{"from":1.0}}"#
        let request = try decode(written, as: ACP.V2.Agent.SessionSetConfigOptionRequest.self)
        #expect(request.value == .unknown(type: "_range", try RawJSON(validating: #"{"from":1.0}"#)))
        #expect(try text(request) == written)
        let option = #"{"type":"_range","configId":"c","name":"C","max":9}"#
        let decoded = try decode(option, as: ACP.V2.SessionConfigOption.self)
        #expect(decoded.kind == .unknown(type: "_range") && decoded.otherMembers["max"] == 9)
    }

    @Test func aKnownKindWithoutItsIdIsRejected() {
        #expect(throws: JSONCodingError.self) { try update(#"{"sessionUpdate":"agent_message","content":[]}"#) }
        #expect(throws: JSONCodingError.self) { try update(#"{"sessionUpdate":"terminal_output_chunk","data":""}"#) }
    }

    // MARK: Changes

    @Test func aToolCallUpdateDistinguishesNullFromAbsence() throws {
        let written = #"{"toolCallId":"c","title":null,"content":[],"rawOutput":null}"#
        let call = try decode(written, as: ACP.V2.ToolCallUpdate.self)
        #expect(call.title == .cleared && call.status == .unchanged && call.content == .set([]))
        #expect(call.rawInput == .unchanged && call.rawOutput == .cleared)
        #expect(try text(call) == written)
    }

    @Test func invalidElementsOfAnArrayAreDropped() throws {
        let text = #"{"messageId":"m","content":[{"type":"text"},{"type":"text","text":"a"},7]}"#
        let message = try decode(text, as: ACP.V2.MessageUpdate.self)
        #expect(message.content == .set(["a"]))
        let null = try decode(#"{"messageId":"m","content":null}"#, as: ACP.V2.MessageUpdate.self)
        #expect(null.content == .cleared)
        #expect(try decode(#"{"messageId":"m"}"#, as: ACP.V2.MessageUpdate.self).content == .unchanged)
    }

    @Test func clearedMetadataIsEncodedAsNull() throws {
        let cleared = try decode(#"{"messageId":"m","_meta":null}"#, as: ACP.V2.MessageUpdate.self)
        #expect(cleared.otherMembers["_meta"] == .null && cleared.meta == nil)
        #expect(try text(cleared) == #"{"messageId":"m","_meta":null}"#)
    }

    // MARK: States

    @Test func anAbsentBackgroundDiffersFromAnEmptyOne() throws {
        guard case .stateUpdate(.idle(let silent)) = try update(#"{"sessionUpdate":"state_update","state":"idle"}"#),
            case .stateUpdate(.running(let empty)) = try update(
                #"{"sessionUpdate":"state_update","state":"running","background":[]}"#)
        else {
            Issue.record("not states")
            return
        }
        #expect(silent.background == nil && silent.stopReason == nil && empty.background == [])
    }

    @Test func aFailedTurnHasItsError() throws {
        let written =
            #"{"sessionUpdate":"state_update","state":"idle","stopReason":"error","error":{"code":-32603,"message":"x"}}"#
        let idle = ACP.V2.IdleStateUpdate(
            stopReason: .error, error: ACP.ErrorObject(code: .internalError, message: "x"))
        #expect(try update(written) == .stateUpdate(.idle(idle)))
        #expect(try text(ACP.V2.SessionUpdate.stateUpdate(.idle(idle))) == written)
    }

    // MARK: Writing

    @Test func requestsCanBeCreatedInOneExpression() throws {
        let prompt = ACP.V2.Agent.SessionPromptRequest(sessionId: "s", prompt: ["hi"], idempotencyKey: "k")
        #expect(
            try text(prompt)
                == #"{"sessionId":"s","prompt":[{"type":"text","text":"hi"}],"idempotencyKey":"k"}"#)
        let resume = ACP.V2.Agent.SessionResumeRequest(sessionId: "s", cwd: "/w", replayFrom: .start(.init()))
        #expect(try text(resume) == #"{"sessionId":"s","cwd":"/w","replayFrom":{"type":"start"}}"#)
        let first = ACP.V2.Agent.InitializeRequest(info: ACP.Implementation(name: "ed", version: "1"))
        #expect(try text(first) == #"{"protocolVersion":2,"info":{"name":"ed","version":"1"}}"#)
    }

    @Test func onlyAnObjectIsDecodedAsSupport() throws {
        let capabilities = try decode(
            #"{"image":{},"audio":null,"embeddedContext":true}"#, as: ACP.V2.PromptCapabilities.self)
        #expect(capabilities.image == .supported && capabilities.audio == nil && capabilities.embeddedContext == nil)
    }

    @Test func aLineCanBeReadInVersion2() throws {
        let line =
            #"{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"replay_complete"}}}"#
        let wire = try ACP.Client.SessionNotificationWire(line: RawJSON(validating: line))
        #expect(try wire.version2Notification().update == .replayComplete(ACP.V2.ReplayComplete()))
    }

    @Test func anAnswerInVersion1IsRejectedInVersion2() {
        #expect(throws: JSONCodingError.self) {
            try decode(#"{"protocolVersion":1,"agentCapabilities":{}}"#, as: ACP.V2.Agent.InitializeResponse.self)
        }
    }

    @Test(arguments: [(-32022, ACP.ErrorCode.unsupportedProtocolVersion), (-32800, .requestCancelled)])
    func errorCodesHaveTheirNumbers(number: Int, code: ACP.ErrorCode) throws {
        let error = try decode(#"{"code":\#(number),"message":"x"}"#, as: ACP.ErrorObject.self)
        #expect(error.code == code)
    }
}
