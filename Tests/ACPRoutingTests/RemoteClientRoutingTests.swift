import JSONRPC
import JSONScan
import Testing

@testable import ACPRouting

/// Transcripts of messages between remote clients, an editor and an agent.
@Suite struct RemoteClientRoutingTests {
    private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

    private func agent(_ router: inout RequestRouter, _ line: String) throws -> [RequestRouter.Event] {
        try router.agentWrote(bytes(line).span, scanEnvelope(bytes(line).span))
    }

    private func editor(_ router: inout RequestRouter, _ line: [UInt8]) -> [RequestRouter.Event] {
        router.editorWrote(line.span)
    }

    private func isWithheld(_ line: String, fromEditorBy router: RequestRouter) -> Bool {
        let line = bytes(line)
        return router.withholdsLineFromEditor(line.span)
    }

    private func isWithheld(_ line: [UInt8], fromAgentBy router: RequestRouter) -> Bool {
        router.withholdsLineFromAgent(line.span)
    }

    private func params(_ text: String) throws -> JSONValue { try JSONValue(validating: bytes(text)) }

    private func withRemoteClients(_ names: String..., editor: Bool = true) -> RequestRouter {
        var router = RequestRouter(idPrefix: "b-", hasEditor: editor)
        for (index, name) in names.enumerated() { router.clientAttached(index + 1, name: name) }
        return router
    }

    private static let permission =
        #"{"id":5,"method":"session/request_permission","params":{"sessionId":"s","options":[{"optionId":"yes"}]}}"#
    private static let yes = Reply(result: Array(#"{"outcome":{"outcome":"selected","optionId":"yes"}}"#.utf8))

    @Test func anArrayIsWithheldOnlyAsAWhole() throws {
        var router = withRemoteClients("ann")
        _ = try router.clientRequested(
            1, RequestID(7), "session/set_mode", params(#"{"sessionId":"s","modeId":"ask"}"#), at: 0)
        let answer = #"{"id":"b-1","result":{}}"#
        #expect(isWithheld("[\(answer)]", fromEditorBy: router))
        #expect(isWithheld("[\(answer),\(answer)]", fromEditorBy: router))
        for other in ["[\(answer),{\"id\":1,\"result\":{}}]", "[]", "[\(answer),5]", "[[\(answer)]]"] {
            #expect(!isWithheld(other, fromEditorBy: router), "\(other)")
        }
    }

    /// In version 2 a prompt is answered before its turn ends.
    @Test(arguments: [1, 2]) func theRefusalOfASecondPromptNamesNoEditorThatHasLeft(version: Int) throws {
        var rig = try RouterRig(version: version)
        rig.router.clientAttached(1, name: "ann")
        rig.editor(#"{"id":1,"method":"session/prompt","params":{"sessionId":"s","prompt":[]}}"#)
        if version == 2 { try rig.agent(#"{"id":1,"result":{"messageId":"m"}}"#) }
        let params = try params(#"{"sessionId":"s","prompt":[]}"#)
        func refusal() -> String? {
            do throws(ClientRefusal) {
                _ = try rig.router.bridgePrompts(1, "s", params, by: "ann", queues: false, at: 0)
                return nil
            } catch {
                return error.message
            }
        }
        #expect(refusal()?.hasPrefix("a turn of the editor is running;") == true)
        rig.router.editorGone()
        #expect(refusal()?.hasPrefix("a turn of a client that has left is running;") == true)
        let request = #"{"sessionId":"s","title":"x","options":[]}"#
        try rig.agent(#"{"id":1,"method":"session/request_permission","params":\#(request)}"#)
        #expect(refusal()?.contains("is running, and waits for an answer (`acpbridge answer` gives it);") == true)
    }

    @Test func aRemoteClientsRequestReachesTheAgentUnderANewId() throws {
        var router = withRemoteClients("ann")
        let sent = try router.clientRequested(
            1, RequestID(7), "session/set_mode", params(#"{"sessionId":"s","modeId":"ask"}"#), at: 0)
        #expect(
            sent == [
                .delivery(
                    .toAgent(
                        bytes(
                            #"{"jsonrpc":"2.0","id":"b-1","method":"session/set_mode","params":{"sessionId":"s","modeId":"ask"}}"#
                        )))
            ])
        let answer = #"{"jsonrpc":"2.0","id":"b-1","result":{"x": 1.0}}"#
        #expect(router.judgesAgent)
        #expect(isWithheld(answer, fromEditorBy: router))
        #expect(
            try agent(&router, answer) == [
                .fact(.modeSet(id: "s", mode: "ask")),
                .delivery(.toClient(1, bytes(#"{"jsonrpc":"2.0","id":7,"result":{"x": 1.0}}"#), session: "s")),
            ])
        #expect(!router.judgesAgent)
    }

    @Test func theFirstAnswerIsUsedAndTheRequestIsWithdrawnFromOtherClients() throws {
        var router = withRemoteClients("ann", "bob")
        _ = router.clientJoined(1, session: "s")
        _ = router.clientJoined(2, session: "s")
        let asked = try agent(&router, Self.permission)
        #expect(
            asked.dropFirst() == [
                .delivery(.toClient(1, bytes(Self.permission), session: "s")),
                .delivery(.toClient(2, bytes(Self.permission), session: "s")),
            ])
        let cancelling = bytes(#"{"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":5}}"#)
        let won = try router.clientAnswered(2, RequestID(5), Self.yes)
        #expect(
            won == [
                .delivery(.toAgent(Self.yes.text(id: RequestID(5)))),
                .fact(
                    .permissionAnswered(
                        id: "s",
                        answer: bytes(
                            #"{"requestId":5,"result":{"outcome":{"outcome":"selected","optionId":"yes"}},"by":"bob"}"#)
                    )),
                .delivery(.toEditor(cancelling)), .delivery(.toClient(1, cancelling, session: "s")),
            ])
        #expect(throws: PermissionFault.notPending) { try router.clientAnswered(1, RequestID(5), Self.yes) }
        // The editor's response comes too late. It is discarded, once.
        let late = bytes(#"{"id":5,"result":{"outcome":{"outcome":"cancelled"}}}"#)
        #expect(isWithheld(late, fromAgentBy: router))
        #expect(editor(&router, late) == [])
        #expect(!router.judgesEditor)
    }

    @Test func theEditorsAnswerWithdrawsTheRequestFromRemoteClients() throws {
        var router = withRemoteClients("ann")
        _ = router.clientJoined(1, session: "s")
        _ = try agent(&router, Self.permission)
        let events = router.editorWrote(bytes(#"{"id":5,"result":{"outcome":{"outcome":"cancelled"}}}"#).span)
        #expect(
            events.last
                == .delivery(
                    .toClient(
                        1, bytes(#"{"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":5}}"#),
                        session: "s")))
        #expect(!router.judgesEditor)
    }

    @Test(arguments: [
        (#"{"outcome":{"outcome":"selected","optionId":"no"}}"#, PermissionFault.optionNotOffered("no")),
        (#"{"outcome":{"outcome":"selected"}}"#, .malformed), (#"{"outcome":"yes"}"#, .malformed), ("{}", .malformed),
        (#"{"outcome":{"outcome":"perhaps"}}"#, .malformed),
    ])
    func anInvalidAnswerLeavesTheRequestOpen(answer: String, fault: PermissionFault) throws {
        var router = withRemoteClients("ann")
        _ = router.clientJoined(1, session: "s")
        _ = try agent(&router, Self.permission)
        #expect(throws: fault) { try router.clientAnswered(1, RequestID(5), Reply(result: bytes(answer))) }
        #expect(router.pendingPermissions.count == 1)
        _ = try router.clientAnswered(1, RequestID(5), Self.yes)
        #expect(router.pendingPermissions.isEmpty)
    }

    @Test(arguments: ["authenticate", "logout", "auth/login", "auth/logout"])
    func aControllersLoginIsRefusedWithASentenceOfItsOwn(method: String) throws {
        var router = withRemoteClients("ann", "bob", editor: false)
        _ = router.clientTookOver(1)
        let login = try params(#"{"methodId":"m"}"#)
        do throws(ClientRefusal) {
            _ = try router.clientRequested(2, RequestID(7), method, login, at: 0)
            Issue.record("the login was forwarded")
        } catch {
            #expect(error.reason == .notYourAgent && error.message.contains("\(method) changes the login"))
        }
        #expect(try router.clientRequested(1, RequestID(7), method, login, at: 0).count == 1)
    }

    @Test func aClientThatJoinsLaterReceivesOpenRequestsOnce() throws {
        var router = withRemoteClients("ann", editor: false)
        _ = try agent(&router, Self.permission)
        #expect(router.clientJoined(1, session: "s") == [.delivery(.toClient(1, bytes(Self.permission), session: "s"))])
        #expect(router.clientJoined(1, session: "s") == [])
    }

    @Test func aRemoteClientsCancelAnswersAllOpenPermissions() throws {
        var router = withRemoteClients("ann")
        _ = try agent(&router, Self.permission)
        let events = router.clientNotified(1, "session/cancel", try params(#"{"sessionId":"s"}"#), at: 0)
        #expect(
            events.first
                == .delivery(
                    .toAgent(
                        bytes(#"{"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":"s"}}"#))))
        #expect(
            events.contains(
                .delivery(.toAgent(bytes(#"{"jsonrpc":"2.0","id":5,"result":{"outcome":{"outcome":"cancelled"}}}"#)))))
        #expect(router.pendingPermissions.isEmpty)
    }

    /// An earlier fault: the client that cancels got a `$/cancel_request` for its own request.
    @Test func theClientThatCancelsIsNotNotifiedOfItsOwnRequests() throws {
        var router = withRemoteClients("ann", "bob")
        for client in 1...2 { _ = router.clientJoined(client, session: "s") }
        _ = try agent(&router, Self.permission)
        let events = router.clientNotified(1, "session/cancel", try params(#"{"sessionId":"s"}"#), at: 0)
        let cancelling = bytes(#"{"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":5}}"#)
        #expect(!events.contains(.delivery(.toClient(1, cancelling, session: "s"))))
        #expect(events.contains(.delivery(.toClient(2, cancelling, session: "s"))))
        #expect(events.contains(.delivery(.toEditor(cancelling))))
    }

    /// An earlier fault: Toad's error for the bridge's notification reached the agent.
    @Test func anErrorWithoutAnIdForTheBridgesNotificationIsWithheldFromTheAgent() throws {
        let rejection = bytes(#"{"jsonrpc":"2.0","id":null,"error":{"code":-32601,"message":"Method not found"}}"#)
        var router = withRemoteClients("ann")
        _ = router.clientJoined(1, session: "s")
        _ = try agent(&router, Self.permission)
        #expect(!isWithheld(rejection, fromAgentBy: router), "no notification was sent")
        _ = try router.clientAnswered(1, RequestID(5), Self.yes)
        #expect(router.judgesEditor && isWithheld(rejection, fromAgentBy: router))
        #expect(!isWithheld(bytes(#"{"id":null,"result":{}}"#), fromAgentBy: router))
        _ = try agent(&router, #"{"id":null,"method":"fs/read_text_file","params":{"sessionId":"s"}}"#)
        #expect(!isWithheld(rejection, fromAgentBy: router), "it answers the agent's own request")
    }

    /// An earlier fault: the editor has its answer to `initialize`, and the agent's is withheld.
    @Test func theAnswerToARepeatedRequestIsWithheldFromTheEditor() throws {
        var router = RequestRouter(idPrefix: "b-")
        #expect(router.editorRepeated(bytes(#"{"id":0,"method":"initialize","params":{}}"#).span) == [])
        let answer = #"{"id":0,"result":{"protocolVersion":1}}"#
        #expect(router.judgesAgent && isWithheld(answer, fromEditorBy: router))
        #expect(try agent(&router, answer) == [.fact(.initialized(result: bytes(#"{"protocolVersion":1}"#)))])
        #expect(!router.judgesAgent && router.isIdle)
    }

    /// An earlier fault: the editor got the whole array, with messages for another client.
    @Test func theEditorGetsOnlyItsMessagesOfAnArray() throws {
        var router = withRemoteClients("ann", editor: true)
        _ = router.clientTookOver(1)
        _ = try router.clientRequested(1, RequestID("n"), "session/new", params(#"{"cwd":"/"}"#), at: 0)
        let read = #"{"id": 1,"method":"fs/read_text_file","params":{"sessionId":"s","path":"/x"}}"#
        let asked = #"{"id":2,"method":"elicitation/create","params":{"requestId":"b-1","mode":"url","message":"m"}}"#
        let answer = #"{"id":"b-1","result":{"sessionId":"t"}}"#
        let update = #"{"method":"_x","params":{"a":[1, 2]}}"#
        let line = bytes("[\(read), \(asked),\(answer) ,\(update)]")
        #expect(router.verdict(onAgentLine: line.span) == .replaced(by: bytes("[\(read),\(update)]")))
        #expect(router.verdict(onAgentLine: bytes("[\(read),\(update)]").span) == .forwarded)
        #expect(router.verdict(onAgentLine: bytes("[\(asked),\(answer)]").span) == .withheld)
        #expect(router.verdict(onAgentLine: bytes("[\(asked),5]").span) == .forwarded, "it is not read")
    }

    /// An earlier fault: the agent got a second answer to a request if the editor sent it in an array with others.
    @Test func theAgentGetsAnEditorsArrayWithoutLateAnswers() throws {
        var router = withRemoteClients("ann")
        _ = router.clientJoined(1, session: "s")
        _ = try agent(&router, Self.permission)
        _ = try router.clientAnswered(1, RequestID(5), Self.yes)
        let late = #"{"id":5,"result":{"outcome":{"outcome":"cancelled"}}}"#
        let other = #"{"id":6,"result":{"content":"x"}}"#
        #expect(router.verdict(onEditorLine: bytes("[\(late),\(other)]").span) == .replaced(by: bytes("[\(other)]")))
        _ = editor(&router, bytes("[\(late),\(other)]"))
        #expect(router.verdict(onEditorLine: bytes("[\(late),\(other)]").span) == .forwarded)
    }

    @Test func anExpiredPermissionIsCancelledOnlyWithoutAPrimary() throws {
        var router = withRemoteClients("ann", editor: true)
        _ = router.clientJoined(1, session: "s")
        let ask = #"{"id":5,"method":"session/request_permission","params":{"sessionId":"s","options":[]}}"#
        _ = try router.agentWrote(bytes(ask).span, scanEnvelope(bytes(ask).span), at: 100)
        #expect(router.permissionLapsed(RequestID(5), since: 100) == [])
        router.editorGone()
        #expect(router.permissionLapsed(RequestID(5), since: 99) == [], "an earlier request with that id")
        let cancelled = #""result":{"outcome":{"outcome":"cancelled"}}"#
        #expect(
            router.permissionLapsed(RequestID(5), since: 100) == [
                .delivery(.toAgent(bytes(#"{"jsonrpc":"2.0","id":5,\#(cancelled)}"#))),
                .fact(.permissionAnswered(id: "s", answer: bytes(#"{"requestId":5,\#(cancelled),"by":"time limit"}"#))),
                .delivery(
                    .toClient(
                        1, bytes(#"{"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":5}}"#),
                        session: "s")),
            ])
        #expect(!router.isUnattended)
    }

    @Test func aLateAnswerToAReusedIdIsDiscardedOnce() throws {
        var router = withRemoteClients("ann")
        _ = router.clientJoined(1, session: "s")
        _ = try agent(&router, Self.permission)
        _ = try router.clientAnswered(1, RequestID(5), Self.yes)
        _ = try agent(&router, Self.permission)
        let stale = bytes(#"{"id":5,"result":{"outcome":{"outcome":"cancelled"}}}"#)
        #expect(isWithheld(stale, fromAgentBy: router))
        #expect(editor(&router, stale) == [])
        #expect(!isWithheld(stale, fromAgentBy: router))
        #expect(editor(&router, stale).count == 2)
    }

    @Test func anElicitationAboutARequestIsSentOnlyToItsSender() throws {
        var router = withRemoteClients("ann", editor: false)
        _ = router.clientTookOver(1)
        _ = try router.clientRequested(1, RequestID("n"), "session/new", params(#"{"cwd":"/"}"#), at: 0)
        let events = try agent(
            &router,
            #"{"id":9,"method":"elicitation/create","params":{"requestId":"b-1","mode":"url","message":"m"}}"#)
        #expect(
            events == [
                .delivery(
                    .toClient(
                        1,
                        bytes(
                            #"{"jsonrpc":"2.0","id":9,"method":"elicitation/create","params":{"requestId":"n","mode":"url","message":"m"}}"#
                        ),
                        session: nil))
            ])
    }

    @Test func anElicitationForAClientIsRefusedWhileTheRequestsAreFull() throws {
        var router = withRemoteClients("ann")
        _ = router.clientTookOver(1)
        _ = try router.clientRequested(1, RequestID("n"), "session/new", params(#"{"cwd":"/"}"#), at: 0)
        for id in 0..<RequestRouter.openRequestsLimit {
            _ = try agent(&router, #"{"id":\#(id),"method":"fs/read_text_file","params":{"path":"/x"}}"#)
        }
        let events = try agent(
            &router, #"{"id":"e","method":"elicitation/create","params":{"requestId":"b-1","mode":"url"}}"#)
        let refusal = Reply(error: .internalError, "too many requests wait for a client")
        #expect(events == [.delivery(.toAgent(refusal.text(id: RequestID("e"))))])
    }

    @Test func keptElicitationsAreLimited() throws {
        var router = withRemoteClients("ann", editor: false)
        _ = router.clientTookOver(1)
        _ = try router.clientRequested(1, RequestID("n"), "session/new", params(#"{"cwd":"/"}"#), at: 0)
        for id in 0..<RequestRouter.openRequestsLimit + 10 {
            _ = try agent(
                &router, #"{"id":\#(id),"method":"elicitation/create","params":{"requestId":"b-1","mode":"url"}}"#)
        }
        #expect(router.pending.count == RequestRouter.openRequestsLimit)
    }

    @Test func aRequestReservedForThePrimaryIsRefusedToAController() throws {
        var router = withRemoteClients("ann")
        #expect(throws: ClientRefusal.self) {
            try router.clientRequested(1, RequestID(1), "session/close", params(#"{"sessionId":"s"}"#), at: 0)
        }
    }

    @Test func queuedPromptsAreSentOneAtATime() throws {
        var router = withRemoteClients("ann")
        _ = router.editorWrote(bytes(#"{"id":1,"method":"session/prompt","params":{"sessionId":"s"}}"#).span, at: 40)
        let prompt = try params(#"{"sessionId":"s","prompt":[]}"#)
        #expect(throws: ClientRefusal.self) {
            try router.clientRequested(1, RequestID(1), "session/prompt", prompt, at: 50)
        }
        let waiting = try params(#"{"sessionId":"s","prompt":[],"_meta":{"tinyvex":{"queue":true}}}"#)
        #expect(
            try router.clientRequested(1, RequestID(2), "session/prompt", waiting, at: 60) == [
                .fact(.queueChanged(id: "s"))
            ])
        #expect(
            try router.clientRequested(1, RequestID(3), "session/prompt", waiting, at: 61) == [
                .fact(.queueChanged(id: "s"))
            ])
        let next = try agent(&router, #"{"id":1,"result":{"stopReason":"end_turn"}}"#)
        #expect(next.contains { if case .delivery(.toAgent) = $0 { true } else { false } })
        #expect(router.queues["s"]?.count == 1)
        let dropped = router.clientNotified(1, "$/cancel_request", try params(#"{"requestId":3}"#), at: 70)
        #expect(dropped.count == 2)
        #expect(router.queues.isEmpty)
    }

    @Test func theAnswerForAClientThatHasLeftIsNotDelivered() throws {
        var router = withRemoteClients("ann")
        _ = try router.clientRequested(
            1, RequestID(7), "session/set_mode", params(#"{"sessionId":"s","modeId":"ask"}"#), at: 0)
        _ = router.clientLeft(1)
        let answer = #"{"id":"b-1","result":{}}"#
        #expect(isWithheld(answer, fromEditorBy: router))
        #expect(try agent(&router, answer) == [.fact(.modeSet(id: "s", mode: "ask"))])
    }

    private static let allCapabilities =
        #"{"fs":{"readTextFile":true,"writeTextFile":true},"terminal":true,"elicitation":{"form":{},"url":{}}}"#

    /// A router, after an editor with all capabilities has left.
    private func initializedWithAll() throws -> RequestRouter {
        var router = withRemoteClients("ann", "bob")
        let hello = #"{"protocolVersion":1,"clientCapabilities":\#(Self.allCapabilities)}"#
        _ = editor(&router, bytes(#"{"id":0,"method":"initialize","params":\#(hello)}"#))
        _ = try agent(&router, #"{"id":0,"result":{"protocolVersion":1}}"#)
        router.editorGone()
        return router
    }

    private func announced(_ capabilities: String) throws -> Set<ClientCapability> {
        ClientCapability.announced(in: try params(#"{"clientCapabilities":\#(capabilities)}"#))
    }

    @Test(arguments: [
        (#"{"id":2,"method":"fs/read_text_file","params":{"sessionId":"s"}}"#, "fs.readTextFile"),
        (#"{"id":2,"method":"fs/write_text_file","params":{"sessionId":"s"}}"#, "fs.writeTextFile"),
        (#"{"id":2,"method":"terminal/create","params":{"sessionId":"s"}}"#, "terminal"),
        (#"{"id":2,"method":"elicitation/create","params":{"sessionId":"s","mode":"form"}}"#, "elicitation.form"),
        (#"{"id":2,"method":"elicitation/create","params":{"sessionId":"s","mode":"url"}}"#, "elicitation.url"),
        (#"{"id":2,"method":"elicitation/create","params":{"requestId":9,"mode":"url"}}"#, "elicitation.url"),
    ])
    func aRequestThatTheNewPrimaryCannotServeIsAnsweredAtOnce(line: String, capability: String) throws {
        let error = #""code":-32601"#
        for isOpenBefore in [true, false] {
            var router = try initializedWithAll()
            if isOpenBefore { _ = try agent(&router, line) }
            var events = try router.clientTookOver(1, announcing: announced("{}"))
            #expect(router.missingCapabilities.count == 5 && events.last == .fact(.capabilitiesChanged))
            if !isOpenBefore { events += try agent(&router, line) }
            let sent = events.toAgent
            #expect(sent.count == 1 && sent.first?.contains(error) == true && sent.first?.contains(capability) == true)
            #expect(!events.contains { if case .delivery(.toClient) = $0 { true } else { false } })
            #expect(router.pending.isEmpty)
        }
        // A client with the capability gets the request.
        var router = try initializedWithAll()
        #expect(try router.clientTookOver(1, announcing: announced(Self.allCapabilities)).isEmpty)
        #expect(
            try agent(&router, line).contains(
                .delivery(.toClient(1, bytes(line), session: router.pending.first(under: RequestID(2))?.session))))
    }

    @Test func anElicitationWaitsForAnotherClientIfThePrimaryCannotShowIt() throws {
        var router = try initializedWithAll()
        _ = try router.clientTookOver(1, announcing: announced("{}"))
        _ = router.clientJoined(2, session: "s")
        let url = #"{"id":2,"method":"elicitation/create","params":{"sessionId":"s","mode":"url"}}"#
        let events = try agent(&router, url)
        #expect(events.dropFirst() == [.delivery(.toClient(2, bytes(url), session: "s"))])
        #expect(router.pendingElicitations.count == 1)
        // Nobody can answer after the other client has left.
        #expect(router.clientLeft(2).toAgent.first?.contains("elicitation.url") == true)
        #expect(router.pendingElicitations.isEmpty)
    }

    @Test func theClientThatInitializedTheAgentGetsAllRequests() throws {
        var router = withRemoteClients("ann", editor: false)
        _ = router.clientTookOver(1)
        _ = try router.clientRequested(
            1, RequestID(0), "initialize", params(#"{"protocolVersion":1,"clientCapabilities":{}}"#), at: 0)
        let read = #"{"id":2,"method":"fs/read_text_file","params":{"sessionId":"s"}}"#
        #expect(try agent(&router, read) == [.delivery(.toClient(1, bytes(read), session: "s"))])
    }

    @Test func theMissingCapabilitiesAreHandedOverAndEndWithThePrimary() throws {
        var router = try initializedWithAll()
        _ = try router.clientTookOver(1, announcing: announced(#"{"fs":{"readTextFile":true},"terminal":true}"#))
        var next = try HandOverFormatTests.handedOver(router)
        #expect(next.missingCapabilities == [.writeTextFile, .formElicitation, .urlElicitation])
        #expect(next.clientLeft(1) == [.fact(.capabilitiesChanged)])
        #expect(next.missingCapabilities.isEmpty)
    }

    @Test func aRequestForThePrimaryWaitsForTheNextPrimary() throws {
        var router = withRemoteClients("ann", editor: true)
        let read = #"{"id":2,"method":"fs/read_text_file","params":{"sessionId":"s","path":"/x"}}"#
        _ = try agent(&router, read)
        router.editorGone()
        #expect(router.clientTookOver(1) == [.delivery(.toClient(1, bytes(read), session: "s"))])
        _ = router.clientLeft(1)
        #expect(
            router.refuseUnservable("no primary client") == [
                .delivery(.toAgent(Reply(error: .internalError, "no primary client").text(id: RequestID(2))))
            ])
    }
}
