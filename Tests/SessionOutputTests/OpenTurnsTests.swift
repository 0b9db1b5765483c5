import Testing

@testable import SessionOutput

@Suite struct OpenTurnsTests {
    private enum Step {
        case prompt, answer(String), state(String), child(String), exit
    }

    private func entry(_ step: Step) throws -> TimelineValue {
        func state(_ state: String, _ session: String) -> String {
            #"{"kind":"update","notification":{"params":{"sessionId":"\#(session)","#
                + #""update":{"sessionUpdate":"state_update","state":"\#(state)"}}}"#
        }
        let members =
            switch step {
            case .prompt: #"{"kind":"prompt","data":{}"#
            case .answer(let data): #"{"kind":"turn_end","data":\#(data)"#
            case .state(let name): state(name, "s")
            case .child(let name): state(name, "s.a")
            case .exit: #"{"kind":"agent_exit","data":{}"#
            }
        return try #require(TimelineValue(Array(#"\#(members),"seq":1,"ts":2}"#.utf8)[...]))
    }

    /// Whether the session is idle after each step: `i` or `.`.
    private func idleness(_ steps: [Step], isRunning: Bool = false) throws -> String {
        var turns = OpenTurns(session: "s", isRunning: isRunning)
        return try steps.map { step in
            _ = turns.note(try entry(step))
            return turns.isIdle ? "i" : "."
        }.joined()
    }

    private static let inserted = Step.answer(#"{"messageId":"u"}"#)
    private static let ended = Step.answer(#"{"stopReason":"end_turn"}"#)

    @Test func inVersion1ATurnIsAPromptAndItsAnswer() throws {
        #expect(try idleness([.prompt, Self.ended, .prompt, .prompt, Self.ended, Self.ended]) == ".i...i")
        #expect(try idleness([.prompt, .answer(#"{"error":{"message":"no"}}"#)]) == ".i")
        #expect(try idleness([.prompt, .answer("{}")]) == ".i")
        #expect(try idleness([Self.ended], isRunning: true) == "i")
    }

    @Test func inVersion2ATurnEndsWhenTheAgentIsIdle() throws {
        #expect(try idleness([.prompt, .state("running"), Self.inserted, .state("idle"), .state("idle")]) == "...ii")
        #expect(try idleness([.prompt, Self.inserted, .state("running"), .state("requires_action")]) == "....")
        // The answer is the last line of the turn.
        #expect(try idleness([.prompt, .state("running"), .state("idle"), Self.inserted]) == "...i")
        #expect(try idleness([.state("idle")], isRunning: true) == "i")
    }

    @Test func anIdleBeforeTheTurnDoesNotEndIt() throws {
        #expect(try idleness([.prompt, Self.inserted, .state("idle"), .state("running"), .state("idle")]) == "....i")
    }

    @Test func aPromptThatIsNotInsertedEnds() throws {
        #expect(try idleness([.prompt, .answer(#"{"error":{"code":-32800}}"#)]) == ".i")
    }

    @Test func anAgentWithoutStatesEndsItsTurnWithAnEmptyObject() throws {
        #expect(try idleness([.prompt, Self.inserted, .answer("{}")]) == "..i")
    }

    @Test func theAgentBeginsTurnsByItself() throws {
        #expect(try idleness([.state("running"), .state("idle")]) == ".i")
    }

    @Test func subagentsAreNotTheSession() throws {
        #expect(try idleness([.child("running"), .prompt, .child("idle")]) == "i..")
    }

    @Test func theEndOfTheAgentEndsItsTurns() throws {
        #expect(try idleness([.prompt, .state("running"), .exit]) == "..i")
    }
}
