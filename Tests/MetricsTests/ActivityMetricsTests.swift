import Testing

@testable import Metrics

/// Feeds the metrics with entries, in seconds of a clock.
private struct Parts {
    private final class Session {}

    var metrics = ActivityMetrics()
    private let sessions = [Session(), Session()]

    mutating func note(_ kind: String, _ body: String, session: Int = 0, agent: String = "demo", at second: Int64 = 0) {
        metrics.noted(kind, Array(body.utf8), of: key(session), agent: agent, at: second * 1_000_000_000)
    }

    mutating func changed(_ session: Int = 0, isRunning: Bool, at second: Int64) {
        metrics.changed(key(session), isRunning: isRunning, at: second * 1_000_000_000)
    }

    func key(_ session: Int) -> ObjectIdentifier { ObjectIdentifier(sessions[session]) }

    /// The lines of `/metrics` that begin with `prefix`.
    func lines(_ prefix: String) -> [String] {
        var text = MetricsText()
        metrics.write(to: &text)
        return text.text.split(separator: "\n").map(String.init).filter { $0.hasPrefix(prefix) }
    }
}

@Suite struct ActivityMetricsTests {
    @Test func turnsAreCountedByTheirOutcome() {
        var parts = Parts()
        for body in [
            #"{"stopReason":"end_turn"}"#, #"{"stopReason":"cancelled"}"#, #"{"error":{"code":-32000}}"#,
            #"{"stopReason":"anything else"}"#, #"{"stopReason":7}"#, "{}", #"{"messageId":"u1"}"#, "no JSON",
        ] { parts.note("turn_end", body) }
        #expect(
            parts.lines("acpbridge_agent_turns_total") == [
                #"acpbridge_agent_turns_total{agent="demo",outcome="cancelled"} 1"#,
                #"acpbridge_agent_turns_total{agent="demo",outcome="end_turn"} 1"#,
                #"acpbridge_agent_turns_total{agent="demo",outcome="error"} 1"#,
                #"acpbridge_agent_turns_total{agent="demo",outcome="other"} 4"#,
            ])
    }

    @Test(arguments: [
        (#"{"stopReason":"end_turn","usage":{}}"#, "end_turn"),
        (#"{"stopReason":"error","error":{"code":1}}"#, "error"),
        (#"{"stopReason":"error"}"#, "error"), ("{}", "other"),
    ])
    func aTurnOfVersion2IsCountedByTheAgentsReport(outcome: String, label: String) {
        var parts = Parts()
        // The answer to the prompt only accepts it.
        parts.note("turn_end", #"{"messageId":"u1"}"#)
        parts.metrics.turnEnded(Array(outcome.utf8), agent: "demo")
        #expect(
            parts.lines("acpbridge_agent_turns_total") == [
                #"acpbridge_agent_turns_total{agent="demo",outcome="\#(label)"} 1"#
            ])
    }

    @Test func tokensAndCostsAreCountedOnceEach() {
        var parts = Parts()
        func consume(_ input: Int64, _ amount: Double, session: Int = 0, isAdopted: Bool = false) {
            parts.metrics.consumed(
                .init(tokens: ["input": input], cost: (amount, "USD")), in: parts.key(session), agent: "demo",
                isAdopted: isAdopted)
        }
        consume(10, 0.5)
        consume(10, 0.5)
        consume(25, 0.75)
        consume(100, 4, session: 1, isAdopted: true)
        consume(101, 4.25, session: 1)
        #expect(
            parts.lines("acpbridge_agent_tokens_total") == [
                #"acpbridge_agent_tokens_total{agent="demo",kind="input"} 26"#
            ])
        #expect(
            parts.lines("acpbridge_agent_cost_total") == [
                #"acpbridge_agent_cost_total{agent="demo",currency="USD"} 1.0"#
            ])
        // Another start of the agent counts from 0.
        parts.metrics.ended(parts.key(0))
        consume(5, 0.25)
        #expect(parts.lines("acpbridge_agent_tokens_total").first?.hasSuffix(" 31") == true)
    }

    @Test func aNumberThatFallsOrDisappearsIsNotCountedAgain() {
        var parts = Parts()
        func consume(_ input: Int64, _ amount: Double?) {
            parts.metrics.consumed(
                .init(tokens: ["input": input], cost: amount.map { ($0, "USD") }), in: parts.key(0), agent: "demo")
        }
        consume(20, 5)
        consume(10, nil)
        consume(21, 5.25)
        #expect(parts.lines("acpbridge_agent_tokens_total").first?.hasSuffix(" 21") == true)
        #expect(parts.lines("acpbridge_agent_cost_total").first?.hasSuffix(" 5.25") == true)
    }

    @Test func agentsAboveTheLimitAreCountedTogether() {
        var parts = Parts()
        for index in 0..<(ActivityMetrics.agentLimit + 5) { parts.note("prompt", "{}", agent: "agent\(index)") }
        parts.note("prompt", "{}", agent: "agent0")
        let lines = parts.lines("acpbridge_agent_prompts_total")
        #expect(lines.count == ActivityMetrics.agentLimit + 1)
        #expect(lines.contains(#"acpbridge_agent_prompts_total{agent="_other"} 5"#))
        #expect(lines.contains(#"acpbridge_agent_prompts_total{agent="agent0"} 2"#))
    }

    @Test func aPermissionsWaitEndsWithTheAnswerToTheSameRequestOfTheSameSession() {
        var parts = Parts()
        parts.note("permission_request", #"{"requestId":5,"params":{}}"#, at: 10)
        parts.note("permission_answer", #"{"requestId":5,"result":{}}"#, session: 1, at: 11)
        parts.note("permission_answer", #"{"requestId":"5","result":{}}"#, at: 12)
        #expect(parts.lines("acpbridge_permission_wait_seconds_count") == ["acpbridge_permission_wait_seconds_count 0"])
        parts.note("permission_answer", #"{"requestId":5,"result":{}}"#, at: 13)
        parts.note("permission_answer", #"{"requestId":5,"result":{}}"#, at: 14)
        #expect(parts.lines("acpbridge_permission_wait_seconds_sum") == ["acpbridge_permission_wait_seconds_sum 3"])
        #expect(parts.lines("acpbridge_permission_wait_seconds_count") == ["acpbridge_permission_wait_seconds_count 1"])
    }

    @Test func aTurnsDurationIsTheTimeForWhichTheSessionRan() {
        var parts = Parts()
        parts.changed(isRunning: true, at: 10)
        parts.changed(isRunning: true, at: 12)
        parts.changed(1, isRunning: false, at: 13)
        parts.changed(isRunning: false, at: 17)
        parts.changed(isRunning: false, at: 20)
        #expect(parts.lines("acpbridge_turn_duration_seconds_sum") == ["acpbridge_turn_duration_seconds_sum 7"])
        #expect(parts.lines("acpbridge_turn_duration_seconds_count") == ["acpbridge_turn_duration_seconds_count 1"])
    }

    @Test func turnsOfUnknownDurationAreNotObserved() {
        var parts = Parts()
        parts.metrics.adopt(parts.key(0))
        parts.changed(isRunning: true, at: 10)
        parts.changed(isRunning: false, at: 17)
        parts.changed(1, isRunning: true, at: 17)
        parts.metrics.ended(parts.key(1))
        parts.changed(1, isRunning: false, at: 18)
        #expect(parts.lines("acpbridge_turn_duration_seconds_count") == ["acpbridge_turn_duration_seconds_count 0"])
    }
}
