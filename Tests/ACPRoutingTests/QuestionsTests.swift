import JSONRPC
import JSONScan
import Testing

@testable import ACPRouting

/// Requests of an agent that wait for a person: elicitations, withdrawn requests, and the rules of `session/cancel`.
@Suite struct QuestionsTests {
    private static let permission =
        #"{"id":0,"method":"session/request_permission","params":{"sessionId":"s","title":"Edit?","subject":"#
        + #"{"type":"tool_call","toolCall":{"toolCallId":"c"}},"options":[{"optionId":"y"}]}}"#
    private static let form =
        #"{"id":0,"method":"elicitation/create","params":{"sessionId":"s","mode":"form","message":"Name?","requestedSchema":"#
        + #"{"type":"object","properties":{"name":{"type":"string"}},"required":["name"]}}}"#
    private static let url =
        #"{"id":0,"method":"elicitation/create","params":{"sessionId":"s","mode":"url","message":"Log in","url":"https://x"}}"#
    private static let withdrawal = #"{"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":0}}"#
    private static let cancelled = #"{"jsonrpc":"2.0","id":0,"result":{"outcome":{"outcome":"cancelled"}}}"#

    private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }
    private func reply(_ text: String) -> Reply { Reply(result: bytes(text)) }

    /// A router with two clients; the first has joined the session.
    private func rig(version: Int, hasEditor: Bool = false) throws -> RouterRig {
        var rig = try RouterRig(version: version, hasEditor: hasEditor)
        for client in 1...2 { rig.router.clientAttached(client, name: "c\(client)") }
        _ = rig.router.clientJoined(1, session: "s")
        return rig
    }

    // MARK: Elicitations

    @Test(arguments: [1, 2], [form, url])
    func anElicitationReachesTheSessionsClientsAndThoseThatJoinLater(version: Int, line: String) throws {
        var rig = try rig(version: version)
        let events = try rig.agent(line)
        let params = try #require(try JSONValue(validating: bytes(line))["params"]).rawString
        #expect(
            events == [
                .fact(.elicitationAsked(id: "s", request: bytes(#"{"requestId":0,"params":\#(params)}"#))),
                .delivery(.toClient(1, bytes(line), session: "s")),
            ])
        #expect(rig.router.pendingElicitations.map(\.params) == [bytes(params)])
        #expect(rig.router.pendingPermissions.isEmpty)
        #expect(rig.router.clientJoined(2, session: "s") == [.delivery(.toClient(2, bytes(line), session: "s"))])
    }

    @Test func theFirstValidAnswerToAnElicitationIsUsed() throws {
        var rig = try rig(version: 2, hasEditor: true)
        try rig.agent(Self.form)
        let accepted = #"{"action":"accept","content":{"name":"x"}}"#
        #expect(
            try rig.router.answerElicitation("s", RequestID(0), reply(accepted), by: "ann") == [
                .delivery(.toAgent(bytes(#"{"jsonrpc":"2.0","id":0,"result":\#(accepted)}"#))),
                .fact(
                    .elicitationAnswered(id: "s", answer: bytes(#"{"requestId":0,"result":\#(accepted),"by":"ann"}"#))),
                .delivery(.toEditor(bytes(Self.withdrawal))),
                .delivery(.toClient(1, bytes(Self.withdrawal), session: "s")),
            ])
        #expect(throws: PermissionFault.notPending) {
            try rig.router.clientAnswered(1, RequestID(0), reply(accepted))
        }
        #expect(rig.editor(#"{"id":0,"result":{"action":"cancel"}}"#) == [], "the editor's answer comes too late")
        #expect(rig.router.pendingElicitations.isEmpty)
    }

    @Test(arguments: [
        "{}", #"{"action":"perhaps"}"#, #"{"action":"accept"}"#, #"{"action":"accept","content":[]}"#,
        #"{"action":"accept","content":{"other":1}}"#, #"{"outcome":{"outcome":"cancelled"}}"#,
    ])
    func anInvalidAnswerLeavesTheElicitationOpen(answer: String) throws {
        var rig = try rig(version: 2)
        try rig.agent(Self.form)
        #expect(throws: PermissionFault.self) { try rig.router.clientAnswered(1, RequestID(0), reply(answer)) }
        #expect(throws: PermissionFault.self) {
            try rig.router.answerElicitation("s", RequestID(0), reply(answer), by: "ann")
        }
        #expect(throws: PermissionFault.notPending) {
            try rig.router.answerPermission("s", RequestID(0), reply(answer), by: "ann")
        }
        #expect(rig.router.pendingElicitations.count == 1)
    }

    @Test(arguments: [#"{"action":"decline"}"#, #"{"action":"cancel"}"#])
    func aFormCanBeDeclinedWithoutFields(answer: String) throws {
        var rig = try rig(version: 1)
        try rig.agent(Self.form)
        #expect(try rig.router.clientAnswered(1, RequestID(0), reply(answer)).toAgent.count == 1)
    }

    // MARK: Elicitations about requests

    private static let login =
        #"{"id":0,"method":"elicitation/create","params":{"requestId":"a","mode":"url","message":"AB-12","url":"https://x"}}"#

    @Test func anElicitationAboutTheEditorsRequestCanBeAnsweredByOthers() throws {
        var rig = try rig(version: 2, hasEditor: true)
        rig.editor(#"{"id":"a","method":"auth/login","params":{"methodId":"m"}}"#)
        #expect(try rig.agent(Self.login) == [], "the editor has it")
        #expect(rig.router.pendingElicitations.map(\.session) == [nil])
        #expect(throws: PermissionFault.self) {
            try rig.router.answerElicitation(nil, RequestID(0), reply("{}"), by: "ann")
        }
        let accepted = #"{"action":"accept"}"#
        #expect(
            try rig.router.answerElicitation(nil, RequestID(0), reply(accepted), by: "ann") == [
                .delivery(.toAgent(bytes(#"{"jsonrpc":"2.0","id":0,"result":\#(accepted)}"#))),
                .delivery(.toEditor(bytes(Self.withdrawal))),
            ])
        let late = bytes(#"{"id":0,"result":{"action":"cancel"}}"#)
        let isWithheld = rig.router.withholdsLineFromAgent(late.span)
        #expect(isWithheld)
        #expect(rig.router.pendingElicitations.isEmpty)
    }

    @Test func anElicitationAboutAClientsRequestIsListedAndDoesNotReachTheEditor() throws {
        var rig = try rig(version: 2, hasEditor: true)
        let option = try JSONValue(validating: bytes(#"{"sessionId":"s","configId":"c","value":"v"}"#))
        let sent = try rig.router.clientRequested(1, RequestID(4), "session/set_config_option", option, at: 0).toAgent
        let line = try #require(sent.first)
        let id = try #require(try JSONValue(validating: bytes(line))["id"]?.stringValue)
        try rig.agent(Self.login.replacing(#""requestId":"a""#, with: #""requestId":"\#(id)""#))
        let params = try JSONValue(validating: #require(rig.router.pendingElicitations.first).params)
        #expect(params["requestId"]?.int64Value == 4 && params["url"]?.stringValue == "https://x")
        let events = try rig.router.answerElicitation(nil, RequestID(0), reply(#"{"action":"decline"}"#), by: "ann")
        #expect(events.count == 2 && events.last == .delivery(.toClient(1, bytes(Self.withdrawal), session: nil)))
        #expect(!rig.router.judgesEditor)
    }

    @Test func longElicitationParamsAreShortened() throws {
        var rig = try rig(version: 2)
        let message = String(repeating: "m", count: 70_000)
        try rig.agent(
            #"{"id":1,"method":"elicitation/create","params":{"sessionId":"s","mode":"url","url":"https://x","message":"\#(message)"}}"#
        )
        let params = try JSONValue(validating: #require(rig.router.pendingElicitations.first).params)
        #expect(params["url"]?.stringValue == "https://x" && params["message"]?.stringValue?.count == 1_000)
        #expect(params["omittedBytes"]?.int64Value ?? 0 > 70_000)
    }

    // MARK: Withdrawn requests

    @Test(arguments: [permission, form])
    func aRequestThatTheAgentWithdrawsIsNoLongerPending(line: String) throws {
        var rig = try rig(version: 2, hasEditor: true)
        try rig.agent(line)
        let error = #"{"code":-32800,"message":"the agent withdrew the request"}"#
        let answer = bytes(#"{"requestId":0,"error":\#(error),"by":"agent"}"#)
        let isPermission = line == Self.permission
        #expect(
            try rig.agent(Self.withdrawal) == [
                .fact(
                    isPermission
                        ? .permissionAnswered(id: "s", answer: answer) : .elicitationAnswered(id: "s", answer: answer)),
                .delivery(.toClient(1, bytes(Self.withdrawal), session: "s")),
            ])
        #expect(rig.router.pendingPermissions.isEmpty && rig.router.pendingElicitations.isEmpty)
        #expect(throws: PermissionFault.notPending) {
            try rig.router.clientAnswered(1, RequestID(0), reply(#"{"action":"cancel"}"#))
        }
        #expect(rig.router.clientJoined(2, session: "s") == [])
        #expect(try rig.agent(Self.withdrawal) == [], "a second withdrawal changes nothing")
        // The editor answers it, as ACP requires.
        #expect(rig.editor(#"{"id":0,"result":{"outcome":{"outcome":"cancelled"}}}"#) == [])
        #expect(!rig.router.judgesEditor && !rig.router.hasRunningTurn)
    }

    @Test func aWithdrawnRequestIsAnsweredIfNoClientHasTo() throws {
        var rig = try rig(version: 2)
        try rig.agent(Self.permission)
        #expect(try rig.agent(Self.withdrawal).toAgent == [Self.cancelled])
        #expect(!rig.router.hasRunningTurn)
        rig = try self.rig(version: 2, hasEditor: true)
        try rig.agent(Self.permission)
        try rig.agent(Self.withdrawal)
        rig.router.editorGone()
        #expect(rig.router.hasLimitsInTime)
        #expect(rig.router.expire(at: 0).toAgent == [Self.cancelled])
        #expect(!rig.router.hasLimitsInTime)
    }

    @Test func aNewPrimaryDoesNotGetWithdrawnRequests() throws {
        var rig = try rig(version: 2, hasEditor: true)
        try rig.agent(Self.permission)
        try rig.agent(Self.withdrawal)
        rig.router.editorGone()
        #expect(rig.router.clientTookOver(2) == [.delivery(.toAgent(bytes(Self.cancelled)))])
    }

    @Test func aControllerThatBecomesThePrimaryAnswersAWithdrawnRequestItself() throws {
        var rig = try rig(version: 2, hasEditor: true)
        _ = rig.router.clientJoined(2, session: "s")
        try rig.agent(Self.permission)
        try rig.agent(Self.withdrawal)
        rig.router.editorGone()
        #expect(rig.router.clientTookOver(2) == [], "the client has the request, and owes its answer now")
        #expect(
            try rig.router.clientAnswered(2, RequestID(0), reply(#"{"outcome":{"outcome":"cancelled"}}"#)).toAgent == [
                Self.cancelled
            ])
    }

    @Test func thePrimaryAnswersAWithdrawnRequestItself() throws {
        var rig = try rig(version: 2)
        _ = rig.router.clientTookOver(2)
        try rig.agent(Self.permission)
        #expect(try rig.agent(Self.withdrawal).toAgent == [])
        #expect(
            try rig.router.clientAnswered(2, RequestID(0), reply(#"{"outcome":{"outcome":"cancelled"}}"#)) == [
                .delivery(.toAgent(bytes(Self.cancelled)))
            ])
    }

    // MARK: session/cancel

    @Test func inVersion1ACancelAnswersAllQuestionsOfTheSession() throws {
        var rig = try rig(version: 1)
        try rig.agent(Self.permission)
        try rig.agent(Self.form.replacing(#""id":0"#, with: #""id":1"#))
        try rig.agent(Self.permission.replacing(#""id":0"#, with: #""id":2"#).replacing(#""s""#, with: #""t""#))
        let sent = try rig.router.cancel("s", by: "ann", at: 0).toAgent
        #expect(
            sent == [
                #"{"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":"s"}}"#, Self.cancelled,
                #"{"jsonrpc":"2.0","id":1,"result":{"action":"cancel"}}"#,
            ])
        #expect(rig.router.pendingPermissions.map(\.session) == ["t"])
    }

    @Test func inVersion2TheAgentWithdrawsTheQuestionsOfCancelledWork() throws {
        var rig = try rig(version: 2)
        try rig.state("s", "running")
        try rig.agent(Self.permission)
        #expect(try rig.router.cancel("s", by: "ann", at: 100).toAgent.count == 1)
        #expect(rig.router.pendingPermissions.count == 1 && rig.router.hasLimitsInTime)
        // The turn ends and the request stays: it belongs to background work.
        try rig.state("s", "idle", #","stopReason":"cancelled""#)
        #expect(rig.router.expire(at: 100_000) == [])
        #expect(rig.router.pendingPermissions.count == 1 && !rig.router.hasLimitsInTime)
    }

    @Test func anAgentThatWaitsForAnswersAfterACancelGetsThemLater() throws {
        var rig = try rig(version: 2)
        try rig.state("s", "running")
        try rig.agent(Self.permission)
        _ = try rig.router.cancel("s", by: "ann", at: 100)
        #expect(rig.router.expire(at: 5_099) == [])
        let events = rig.router.expire(at: 5_100)
        #expect(events.toAgent == [Self.cancelled])
        #expect(events.contains(.delivery(.toClient(1, bytes(Self.withdrawal), session: "s"))))
    }

    // MARK: Sessions that end

    /// An earlier fault: the dialogs of other clients stayed open, and the agent got no answer.
    @Test(arguments: [1, 2]) func aSessionThatIsClosedOnRequestClosesItsDialogs(version: Int) throws {
        var rig = try rig(version: version, hasEditor: true)
        try rig.agent(Self.permission)
        let session = try JSONValue(validating: bytes(#"{"sessionId":"s"}"#))
        let sent = rig.router.bridgeRequests(1, "session/close", session, by: "ann", at: 0).toAgent
        let id = try #require(try sent.first.map { try JSONValue(validating: bytes($0)) }?["id"]).rawString
        let answer = #"{"requestId":0,"result":{"outcome":{"outcome":"cancelled"}},"by":"agent"}"#
        #expect(
            try rig.agent(#"{"id":\#(id),"result":{}}"#).prefix(4) == [
                .delivery(.toAgent(bytes(Self.cancelled))),
                .fact(.permissionAnswered(id: "s", answer: bytes(answer))),
                .delivery(.toEditor(bytes(Self.withdrawal))),
                .delivery(.toClient(1, bytes(Self.withdrawal), session: "s")),
            ])
        let late = bytes(#"{"id":0,"result":{"outcome":{"outcome":"cancelled"}}}"#)
        let isWithheld = rig.router.withholdsLineFromAgent(late.span)
        #expect(isWithheld && rig.router.pendingPermissions.isEmpty)
    }

    /// An agent that waits for the answers before it closes the session would otherwise wait for ever.
    @Test func aClientThatClosesASessionOfVersion1CancelsItsRequests() throws {
        var rig = try rig(version: 1, hasEditor: false)
        try rig.agent(
            #"{"method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"subagent_update","#
                + #""sessionId":"c","state":{"state":"running"}}}}"#)
        try learnClosing(&rig)
        _ = rig.router.clientTookOver(2)
        try rig.agent(Self.permission)
        try rig.agent(#"{"id":1,"method":"session/request_permission","params":{"sessionId":"c","options":[]}}"#)
        let events = try rig.router.clientRequested(
            2, RequestID("c"), "session/close", JSONValue(validating: bytes(#"{"sessionId":"s"}"#)), at: 0)
        #expect(events.toAgent.first?.contains(#""method":"session/close""#) == true)
        #expect(
            Set(events.toAgent.dropFirst()) == [
                Self.cancelled, #"{"jsonrpc":"2.0","id":1,"result":{"outcome":{"outcome":"cancelled"}}}"#,
            ])
        #expect(events.contains(.delivery(.toClient(1, bytes(Self.withdrawal), session: "s"))))
        #expect(!events.contains(.delivery(.toClient(2, bytes(Self.withdrawal), session: "s"))), "it has closed it")
        #expect(rig.router.pendingPermissions.isEmpty)
    }

    /// Its answer would otherwise cancel work that continues.
    @Test func anAgentThatOffersNoClosingKeepsItsRequests() throws {
        var rig = try rig(version: 1, hasEditor: false)
        _ = rig.router.clientTookOver(2)
        try rig.agent(Self.permission)
        let events = try rig.router.clientRequested(
            2, RequestID("c"), "session/close", JSONValue(validating: bytes(#"{"sessionId":"s"}"#)), at: 0)
        #expect(events.toAgent.count == 1 && rig.router.pendingPermissions.count == 1)
    }

    private func learnClosing(_ rig: inout RouterRig) throws {
        rig.router.learnVersion(
            from: bytes(#"{"protocolVersion":1,"agentCapabilities":{"sessionCapabilities":{"close":{}}}}"#))
    }

    @Test func anEditorThatClosesASessionAnswersItsRequestsItself() throws {
        var rig = try rig(version: 1, hasEditor: true)
        try rig.agent(Self.form)
        rig.editor(#"{"id":"c","method":"session/close","params":{"sessionId":"s"}}"#)
        let events = try rig.agent(#"{"id":"c","result":{}}"#)
        #expect(events.toAgent == [] && !events.contains(.delivery(.toEditor(bytes(Self.withdrawal)))))
        #expect(events.contains(.delivery(.toClient(1, bytes(Self.withdrawal), session: "s"))))
        let late = bytes(#"{"id":0,"result":{"action":"cancel"}}"#)
        let isWithheld = rig.router.withholdsLineFromAgent(late.span)
        #expect(!isWithheld && rig.router.pendingElicitations.isEmpty)
    }

    @Test func aRefusalToCloseASessionChangesNothing() throws {
        var rig = try rig(version: 1, hasEditor: true)
        try rig.agent(Self.form)
        rig.editor(#"{"id":"c","method":"session/close","params":{"sessionId":"s"}}"#)
        #expect(try rig.agent(#"{"id":"c","error":{"code":-32603,"message":"no"}}"#) == [])
        #expect(rig.router.pendingElicitations.count == 1)
    }

    @Test func theDialogsOfAnAgentThatEndsClose() throws {
        var rig = try rig(version: 1)
        _ = rig.router.clientTookOver(2)
        try rig.agent(Self.permission)
        let events = rig.router.agentEnded("it crashed")
        #expect(events.toAgent == [])
        #expect(
            events == [1, 2].map { .delivery(.toClient($0, bytes(Self.withdrawal), session: "s")) })
    }

    @Test func longPermissionParamsOfVersion2KeepTheirTitle() throws {
        let text = String(repeating: "x", count: 70_000)
        let params =
            #"{"sessionId":"s","title":"T","description":"\#(text)","subject":{"type":"command","toolCallId":"c"}}"#
        let bounded = try JSONValue(validating: PermissionParams.bounded(bytes(params)))
        #expect(bounded["title"]?.stringValue == "T" && bounded["toolCall"]?["toolCallId"]?.stringValue == "c")
    }
}
