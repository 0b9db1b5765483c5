import JSONRPC
import JSONScan
import Testing

@testable import ACPRouting

/// One conversation of ACP version 2 between an editor and an agent, with a viewer: turns, background work, a withdrawn
/// permission request and a child. Each line can be followed by the state that the bridge must then conclude.
@Suite struct Version2ConversationTests {
    private enum Step {
        case editor(String)
        case agent(String)
        /// An update of the session `S1`: the members of `update`.
        case update(String)
        case childUpdate(String)
        /// `A` while foreground work or an open request keeps the agent, `B` while background work keeps it, `R` if `S1`
        /// is ready for a prompt, `P` if a permission request waits for a person.
        case state(String)
    }

    private static let steps: [Step] = [
        .editor(
            #"{"id":0,"method":"initialize","params":{"protocolVersion":2,"info":{"name":"ed","version":"1"},"capabilities":{}}}"#
        ),
        .agent(
            #"{"id":0,"result":{"protocolVersion":2,"info":{"name":"ag","version":"2"},"capabilities":{"session":{}}}}"#
        ),
        .editor(#"{"id":1,"method":"session/new","params":{"cwd":"/w"}}"#),
        .agent(#"{"id":1,"result":{"sessionId":"S1","configOptions":[]}}"#),
        .state("R"),
        .editor(
            #"{"id":2,"method":"session/prompt","params":{"sessionId":"S1","prompt":[{"type":"text","text":"run the tests"}],"idempotencyKey":"k-1"}}"#
        ),
        .state("A"),
        .update(#""sessionUpdate":"user_message","messageId":"u1","content":[{"type":"text","text":"run the tests"}]"#),
        .update(#""sessionUpdate":"state_update","state":"running""#),
        .agent(#"{"id":2,"result":{"messageId":"u1"}}"#),
        .state("A"),
        .update(
            #""sessionUpdate":"agent_message_chunk","messageId":"m1","content":{"type":"text","text":"I run "}"#),
        .update(#""sessionUpdate":"terminal_update","terminalId":"t1","command":"make test","cwd":"/w""#),
        .update(#""sessionUpdate":"tool_call_update","toolCallId":"c1","title":"make test","status":"pending""#),
        .update(#""sessionUpdate":"state_update","state":"requires_action""#),
        .agent(
            #"{"id":0,"method":"session/request_permission","params":{"sessionId":"S1","title":"Run make test?","subject":{"type":"command","command":"make test","cwd":"/w"},"options":[{"optionId":"y","name":"Yes","kind":"allow_once"}]}}"#
        ),
        .state("AP"),
        .editor(#"{"id":0,"result":{"outcome":{"outcome":"selected","optionId":"y"}}}"#),
        .state("A"),
        .update(#""sessionUpdate":"state_update","state":"running""#),
        .update(#""sessionUpdate":"terminal_output_chunk","terminalId":"t1","data":"cnVubmluZw0K""#),
        .update(#""sessionUpdate":"terminal_update","terminalId":"t1","exitStatus":{"exitCode":0}"#),
        .update(#""sessionUpdate":"tool_call_update","toolCallId":"c1","status":"completed""#),
        .update(
            #""sessionUpdate":"terminal_update","terminalId":"t2","command":"make serve","capabilities":{"cancel":{}}"#),
        .update(
            #""sessionUpdate":"state_update","state":"idle","stopReason":"end_turn","background":[{"type":"terminal","terminalId":"t2"}]"#
        ),
        .state("BR"),
        .update(#""sessionUpdate":"terminal_output_chunk","terminalId":"t2","data":"bGlzdGVuaW5nCg==""#),
        .editor(#"{"id":3,"method":"session/prompt","params":{"sessionId":"S1","prompt":[]}}"#),
        .state("AB"),
        .update(#""sessionUpdate":"user_message","messageId":"u2","content":[]"#),
        .update(
            #""sessionUpdate":"state_update","state":"running","background":[{"type":"terminal","terminalId":"t2"}]"#),
        .agent(#"{"id":3,"result":{"messageId":"u2"}}"#),
        .agent(
            #"{"id":1,"method":"session/request_permission","params":{"sessionId":"S1","title":"Edit a.c?","subject":{"type":"tool_call","toolCall":{"toolCallId":"c2"}},"options":[{"optionId":"y","name":"Yes","kind":"allow_once"}]}}"#
        ),
        .state("AP"),
        .editor(#"{"method":"session/cancel","params":{"sessionId":"S1"}}"#),
        .state("AP"),
        .agent(#"{"method":"$/cancel_request","params":{"requestId":1}}"#),
        .state("A"),
        .editor(#"{"id":1,"result":{"outcome":{"outcome":"cancelled"}}}"#),
        .update(#""sessionUpdate":"tool_call_update","toolCallId":"c2","status":"cancelled","title":null"#),
        .update(
            #""sessionUpdate":"state_update","state":"idle","stopReason":"cancelled","background":[{"type":"terminal","terminalId":"t2"}]"#
        ),
        .state("BR"),
        .editor(#"{"id":4,"method":"terminal/cancel","params":{"sessionId":"S1","terminalId":"t2"}}"#),
        .agent(#"{"id":4,"result":{}}"#),
        .state("BR"),
        .update(
            #""sessionUpdate":"terminal_update","terminalId":"t2","exitStatus":{"signal":"SIGTERM"},"capabilities":null"#
        ),
        .state("R"),
        .update(#""sessionUpdate":"state_update","state":"idle","background":[]"#),
        .state("R"),
        .update(
            #""sessionUpdate":"subagent_update","sessionId":"S1.a","title":"Explorer","capabilities":{"cancel":{}}"#),
        .childUpdate(
            #""sessionUpdate":"session_message","messageId":"p1","senderSessionId":"S1","recipientSessionId":"S1.a","content":[]"#
        ),
        .childUpdate(#""sessionUpdate":"state_update","state":"running""#),
        .state("AR"),
        .agent(
            #"{"id":2,"method":"session/request_permission","params":{"sessionId":"S1.a","title":"Read /etc?","options":[{"optionId":"n","name":"No","kind":"reject_once"}]}}"#
        ),
        .state("APR"),
        .editor(#"{"id":2,"result":{"outcome":{"outcome":"selected","optionId":"n"}}}"#),
        .childUpdate(#""sessionUpdate":"state_update","state":"idle","stopReason":"end_turn""#),
        .state("R"),
    ]

    private func state(of router: RequestRouter) -> String {
        (router.hasRunningTurn ? "A" : "") + (router.hasRestingWork ? "B" : "")
            + (router.pendingPermissions.isEmpty ? "" : "P") + (router.isReady("S1") ? "R" : "")
    }

    /// Performs the steps. Returns all events, and the states that differ from the expected ones.
    private func perform(_ steps: [Step], _ rig: inout RouterRig) throws -> ([RequestRouter.Event], [String]) {
        var events: [RequestRouter.Event] = []
        var differences: [String] = []
        for (index, step) in steps.enumerated() {
            switch step {
            case .editor(let line): events += rig.editor(line)
            case .agent(let line): events += try rig.agent(line)
            case .update(let update): events += try rig.update("S1", update)
            case .childUpdate(let update): events += try rig.update("S1.a", update)
            case .state(let expected):
                let found = state(of: rig.router)
                if found != expected { differences.append("step \(index): \(found) instead of \(expected)") }
            }
        }
        return (events, differences)
    }

    @Test func theBridgeConcludesTheStateOfEachMoment() throws {
        var rig = RouterRig()
        let (events, differences) = try perform(Self.steps, &rig)
        #expect(differences == [])
        #expect(events.toAgent == [] && events.answers.isEmpty, "the bridge adds nothing to this conversation")
        #expect(events.contains(.fact(.childAnnounced(id: "S1.a", parent: "S1"))))
    }

    @Test func theConclusionsAreTheSameAfterAHandOverAtAnyMoment() throws {
        for moment in Self.steps.indices {
            var rig = RouterRig()
            _ = try perform(Array(Self.steps[..<moment]), &rig)
            rig.router = try HandOverFormatTests.handedOver(rig.router)
            #expect(try perform(Array(Self.steps[moment...]), &rig).1 == [], "handed over before step \(moment)")
        }
    }

    @Test func aViewerGetsTheQuestionsOfTheSessionAndItsChild() throws {
        var rig = RouterRig()
        rig.router.clientAttached(1, name: "ann")
        _ = rig.router.clientJoined(1, session: "S1")
        let events = try perform(Self.steps, &rig).0
        let methods = events.compactMap { event -> String? in
            guard case .delivery(.toClient(1, let line, _)) = event else { return nil }
            return (try? JSONValue(validating: line))?["method"]?.stringValue
        }
        // Each dialog is closed: two by the editor's answers, one by the agent's withdrawal.
        #expect(
            methods == Array(repeating: ["session/request_permission", "$/cancel_request"], count: 3).flatMap(\.self))
    }
}
