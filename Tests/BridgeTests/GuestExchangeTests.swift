import JSONRPC
import JSONScan
import Testing

@testable import ACPRouting
@testable import Bridge

/// Transcripts of messages between remote clients, an editor and an agent.
@Suite struct GuestExchangeTests {
    private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

    private func agent(_ exchange: inout Exchange, _ line: String) throws -> [Exchange.Event] {
        try exchange.agentWrote(bytes(line).span, scanEnvelope(bytes(line).span))
    }

    private func editor(_ exchange: inout Exchange, _ line: [UInt8]) -> [Exchange.Event] {
        exchange.editorWrote(line.span)
    }

    private func isWithheld(_ line: String, fromEditorBy exchange: Exchange) -> Bool {
        let line = bytes(line)
        return exchange.withholdsFromEditor(line.span)
    }

    private func isWithheld(_ line: [UInt8], fromAgentBy exchange: Exchange) -> Bool {
        exchange.withholdsFromAgent(line.span)
    }

    private func params(_ text: String) throws -> JSONValue { try JSONValue(validating: bytes(text)) }

    private func withGuests(_ names: String..., editor: Bool = true) -> Exchange {
        var exchange = Exchange(idPrefix: "b-", hasEditor: editor)
        for (index, name) in names.enumerated() { exchange.guestCame(index + 1, name: name) }
        return exchange
    }

    private static let permission =
        #"{"id":5,"method":"session/request_permission","params":{"sessionId":"s","options":[{"optionId":"yes"}]}}"#
    private static let yes = Reply(result: Array(#"{"outcome":{"outcome":"selected","optionId":"yes"}}"#.utf8))

    @Test func aGuestsRequestHasAnIdOfItsOwnForTheAgent() throws {
        var exchange = withGuests("ann")
        let sent = try exchange.guestAsked(
            1, RequestID(7), "session/set_mode", params(#"{"sessionId":"s","modeId":"ask"}"#), at: 0)
        #expect(
            sent == [
                .toAgent(
                    bytes(
                        #"{"jsonrpc":"2.0","id":"b-1","method":"session/set_mode","params":{"sessionId":"s","modeId":"ask"}}"#
                    ))
            ])
        let answer = #"{"jsonrpc":"2.0","id":"b-1","result":{"x": 1.0}}"#
        #expect(exchange.judgesAgent)
        #expect(isWithheld(answer, fromEditorBy: exchange))
        #expect(
            try agent(&exchange, answer) == [
                .modeSet(id: "s", mode: "ask"),
                .toGuest(1, bytes(#"{"jsonrpc":"2.0","id":7,"result":{"x": 1.0}}"#), session: "s"),
            ])
        #expect(!exchange.judgesAgent)
    }

    @Test func theFirstAnswerWinsAndTheOthersAreTold() throws {
        var exchange = withGuests("ann", "bob")
        _ = exchange.guestJoined(1, session: "s")
        _ = exchange.guestJoined(2, session: "s")
        let asked = try agent(&exchange, Self.permission)
        #expect(
            asked.dropFirst() == [
                .toGuest(1, bytes(Self.permission), session: "s"), .toGuest(2, bytes(Self.permission), session: "s"),
            ])
        let cancelling = bytes(#"{"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":5}}"#)
        let won = try exchange.guestAnswered(2, RequestID(5), Self.yes)
        #expect(
            won == [
                .toAgent(Self.yes.text(id: RequestID(5))),
                .permissionAnswered(
                    id: "s",
                    answer: bytes(
                        #"{"requestId":5,"result":{"outcome":{"outcome":"selected","optionId":"yes"}},"by":"bob"}"#)),
                .toEditor(cancelling), .toGuest(1, cancelling, session: "s"),
            ])
        #expect(throws: PermissionFault.notPending) { try exchange.guestAnswered(1, RequestID(5), Self.yes) }
        // The editor's response comes too late. It is left out, once.
        let late = bytes(#"{"id":5,"result":{"outcome":{"outcome":"cancelled"}}}"#)
        #expect(isWithheld(late, fromAgentBy: exchange))
        #expect(editor(&exchange, late) == [])
        #expect(!exchange.judgesEditor)
    }

    @Test func theEditorsAnswerEndsTheGuestsDialogs() throws {
        var exchange = withGuests("ann")
        _ = exchange.guestJoined(1, session: "s")
        _ = try agent(&exchange, Self.permission)
        let events = exchange.editorWrote(bytes(#"{"id":5,"result":{"outcome":{"outcome":"cancelled"}}}"#).span)
        #expect(
            events.last
                == .toGuest(
                    1, bytes(#"{"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":5}}"#), session: "s"))
        #expect(!exchange.judgesEditor)
    }

    @Test(arguments: [
        (#"{"outcome":{"outcome":"selected","optionId":"no"}}"#, PermissionFault.optionNotOffered("no")),
        (#"{"outcome":{"outcome":"selected"}}"#, .malformed), (#"{"outcome":"yes"}"#, .malformed), ("{}", .malformed),
        (#"{"outcome":{"outcome":"perhaps"}}"#, .malformed),
    ])
    func anAnswerThatWasNotOfferedLeavesTheRequestOpen(answer: String, fault: PermissionFault) throws {
        var exchange = withGuests("ann")
        _ = exchange.guestJoined(1, session: "s")
        _ = try agent(&exchange, Self.permission)
        #expect(throws: fault) { try exchange.guestAnswered(1, RequestID(5), Reply(result: bytes(answer))) }
        #expect(exchange.pendingPermissions.count == 1)
        _ = try exchange.guestAnswered(1, RequestID(5), Self.yes)
        #expect(exchange.pendingPermissions.isEmpty)
    }

    @Test func whoComesLaterIsAskedWhatIsOpen() throws {
        var exchange = withGuests("ann", editor: false)
        _ = try agent(&exchange, Self.permission)
        #expect(exchange.guestJoined(1, session: "s") == [.toGuest(1, bytes(Self.permission), session: "s")])
        #expect(exchange.guestJoined(1, session: "s") == [])
    }

    @Test func aGuestsCancelAnswersAllThatIsAsked() throws {
        var exchange = withGuests("ann")
        _ = try agent(&exchange, Self.permission)
        let events = exchange.guestNotified(1, "session/cancel", try params(#"{"sessionId":"s"}"#), at: 0)
        #expect(
            events.first
                == .toAgent(
                    bytes(#"{"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":"s"}}"#)))
        #expect(
            events.contains(.toAgent(bytes(#"{"jsonrpc":"2.0","id":5,"result":{"outcome":{"outcome":"cancelled"}}}"#))))
        #expect(exchange.pendingPermissions.isEmpty)
    }

    @Test func whatNobodyAnswersInTimeIsCancelledUnlessSomeoneHasTheAgent() throws {
        var exchange = withGuests("ann", editor: true)
        _ = exchange.guestJoined(1, session: "s")
        let ask = #"{"id":5,"method":"session/request_permission","params":{"sessionId":"s","options":[]}}"#
        _ = try exchange.agentWrote(bytes(ask).span, scanEnvelope(bytes(ask).span), at: 100)
        #expect(exchange.permissionLapsed(RequestID(5), since: 100) == [])
        exchange.editorGone()
        #expect(exchange.permissionLapsed(RequestID(5), since: 99) == [], "an earlier request of that id")
        let cancelled = #""result":{"outcome":{"outcome":"cancelled"}}"#
        #expect(
            exchange.permissionLapsed(RequestID(5), since: 100) == [
                .toAgent(bytes(#"{"jsonrpc":"2.0","id":5,\#(cancelled)}"#)),
                .permissionAnswered(id: "s", answer: bytes(#"{"requestId":5,\#(cancelled),"by":"time limit"}"#)),
                .toGuest(
                    1, bytes(#"{"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":5}}"#), session: "s"),
            ])
        #expect(!exchange.isUnattended)
    }

    @Test func anIdThatIsUsedAgainIsAnotherRequest() throws {
        var exchange = withGuests("ann")
        _ = exchange.guestJoined(1, session: "s")
        _ = try agent(&exchange, Self.permission)
        _ = try exchange.guestAnswered(1, RequestID(5), Self.yes)
        _ = try agent(&exchange, Self.permission)
        let stale = bytes(#"{"id":5,"result":{"outcome":{"outcome":"cancelled"}}}"#)
        #expect(isWithheld(stale, fromAgentBy: exchange))
        #expect(editor(&exchange, stale) == [])
        #expect(!isWithheld(stale, fromAgentBy: exchange))
        #expect(editor(&exchange, stale).count == 2)
    }

    @Test func anElicitationAboutAGuestsRequestIsItsAlone() throws {
        var exchange = withGuests("ann", editor: false)
        _ = exchange.guestTookOver(1)
        _ = try exchange.guestAsked(1, RequestID("n"), "session/new", params(#"{"cwd":"/"}"#), at: 0)
        let events = try agent(
            &exchange,
            #"{"id":9,"method":"elicitation/create","params":{"requestId":"b-1","mode":"url","message":"m"}}"#)
        #expect(
            events == [
                .toGuest(
                    1,
                    bytes(
                        #"{"jsonrpc":"2.0","id":9,"method":"elicitation/create","params":{"requestId":"n","mode":"url","message":"m"}}"#
                    ),
                    session: nil)
            ])
    }

    @Test func elicitationsThatAreKeptHaveALimit() throws {
        var exchange = withGuests("ann", editor: false)
        _ = exchange.guestTookOver(1)
        _ = try exchange.guestAsked(1, RequestID("n"), "session/new", params(#"{"cwd":"/"}"#), at: 0)
        for id in 0..<Exchange.openRequestsLimit + 10 {
            _ = try agent(
                &exchange, #"{"id":\#(id),"method":"elicitation/create","params":{"requestId":"b-1","mode":"url"}}"#)
        }
        #expect(exchange.asked.count == Exchange.openRequestsLimit)
    }

    @Test func aControllerMayNotAskForWhatIsThePrimarys() throws {
        var exchange = withGuests("ann")
        #expect(throws: GuestRefusal.self) {
            try exchange.guestAsked(1, RequestID(1), "session/close", params(#"{"sessionId":"s"}"#), at: 0)
        }
    }

    @Test func promptsThatWaitAreSentOneAfterAnother() throws {
        var exchange = withGuests("ann")
        _ = exchange.editorWrote(bytes(#"{"id":1,"method":"session/prompt","params":{"sessionId":"s"}}"#).span, at: 40)
        let prompt = try params(#"{"sessionId":"s","prompt":[]}"#)
        #expect(throws: GuestRefusal.self) {
            try exchange.guestAsked(1, RequestID(1), "session/prompt", prompt, at: 50)
        }
        let waiting = try params(#"{"sessionId":"s","prompt":[],"_meta":{"tinyvex":{"queue":true}}}"#)
        #expect(try exchange.guestAsked(1, RequestID(2), "session/prompt", waiting, at: 60) == [.queueChanged(id: "s")])
        #expect(try exchange.guestAsked(1, RequestID(3), "session/prompt", waiting, at: 61) == [.queueChanged(id: "s")])
        let next = try agent(&exchange, #"{"id":1,"result":{"stopReason":"end_turn"}}"#)
        #expect(next.contains { if case .toAgent = $0 { true } else { false } })
        #expect(exchange.queues["s"]?.count == 1)
        let dropped = exchange.guestNotified(1, "$/cancel_request", try params(#"{"requestId":3}"#), at: 70)
        #expect(dropped.count == 2)
        #expect(exchange.queues.isEmpty)
    }

    @Test func whatAGuestHasAskedIsNobodysWhenItHasGone() throws {
        var exchange = withGuests("ann")
        _ = try exchange.guestAsked(
            1, RequestID(7), "session/set_mode", params(#"{"sessionId":"s","modeId":"ask"}"#), at: 0)
        _ = exchange.guestLeft(1)
        let answer = #"{"id":"b-1","result":{}}"#
        #expect(isWithheld(answer, fromEditorBy: exchange))
        #expect(try agent(&exchange, answer) == [.modeSet(id: "s", mode: "ask")])
    }

    @Test func whatAsksAPrimaryWaitsForTheNextOne() throws {
        var exchange = withGuests("ann", editor: true)
        let read = #"{"id":2,"method":"fs/read_text_file","params":{"sessionId":"s","path":"/x"}}"#
        _ = try agent(&exchange, read)
        exchange.editorGone()
        #expect(exchange.guestTookOver(1) == [.toGuest(1, bytes(read), session: "s")])
        _ = exchange.guestLeft(1)
        #expect(
            exchange.refuseUnservable("nobody is there") == [
                .toAgent(Reply(error: .internalError, "nobody is there").text(id: RequestID(2)))
            ])
    }
}
