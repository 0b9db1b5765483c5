import Synchronization
import Testing

@testable import Tracing

/// Feeds a trace with a timeline, one line per item: `12 prompt {…}` or `12 update {…}`, with the time in milliseconds.
private struct Transcript {
    private final class Counter: Sendable {
        let value = Mutex(0)
    }

    private var trace: TurnTrace

    init(_ text: String, includesContent: Bool = false) {
        let counter = Counter()
        let ids = TraceIds { count in
            let number = counter.value.withLock { value in
                value += 1
                return value
            }
            let digits = String(number, radix: 16)
            return String(repeating: "0", count: 2 * count - digits.count) + digits
        }
        trace = TurnTrace(of: .init(agent: "codex", id: "s1"), includesContent: includesContent, ids: ids)
        for line in text.split(separator: "\n") {
            let parts = line.split(separator: " ", maxSplits: 2)
            let (ts, body) = (Int64(parts[0]) ?? 0, String(parts[2]))
            if parts[1] == "update" {
                let update =
                    #"{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s1","update":\#(body)}}"#
                trace.update(Array(update.utf8).span, at: ts)
            } else {
                trace.entry(String(parts[1]), Array(body.utf8), at: ts)
            }
        }
    }

    var isEnded: Bool { trace.isEnded }
    var spans: [TraceSpan] { trace.spans() }

    /// `execute_tool edit 20-30 in invoke_agent codex`
    var tree: [String] {
        let names = Dictionary(spans.map { ($0.spanId, $0.name) }) { first, _ in first }
        return spans.map { span in
            let parent = span.parentId.map { " in \(names[$0] ?? $0)" } ?? ""
            return "\(span.name) \(span.start)-\(span.end)\(parent)\(span.failure == nil ? "" : " failed")"
        }
    }

    func span(_ name: String) -> TraceSpan? { spans.first { $0.name == name } }
}

@Suite struct TurnTraceTests {
    private static let turn = """
        5 update {"sessionUpdate":"tool_call","toolCallId":"old","kind":"read"}
        10 prompt {"sessionId":"s1","prompt":[{"type":"text","text":"fix it"}]}
        12 update {"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"sure"}}
        20 update {"sessionUpdate":"tool_call","toolCallId":"t1","kind":"edit","title":"Edit a.txt","rawInput":{"path":"a.txt"}}
        21 permission_request {"requestId":7,"params":{"toolCall":{"toolCallId":"t1"},"options":[{"optionId":"y","kind":"allow_once"},{"optionId":"n","kind":"reject_once"}]}}
        25 permission_answer {"requestId":7,"result":{"outcome":{"outcome":"selected","optionId":"y"}}}
        30 update {"sessionUpdate":"tool_call_update","toolCallId":"t1","status":"completed"}
        31 update {"sessionUpdate":"tool_call","toolCallId":"t2","kind":"execute","status":"in_progress"}
        35 update {"sessionUpdate":"tool_call_update","toolCallId":"t2","status":"failed"}
        36 update {"sessionUpdate":"tool_call_update","toolCallId":"t2","status":"failed"}
        40 turn_end {"stopReason":"end_turn","usage":{"totalTokens":12,"inputTokens":10,"outputTokens":2}}
        50 prompt {"sessionId":"s1","prompt":[]}
        """

    @Test func aTurnIsASpanWithItsToolCallsAndTheirPermissions() {
        let transcript = Transcript(Self.turn)
        #expect(transcript.isEnded)
        #expect(
            transcript.tree == [
                "invoke_agent codex 10-40", "permission 21-25 in execute_tool edit",
                "execute_tool edit 20-30 in invoke_agent codex",
                "execute_tool execute 31-35 in invoke_agent codex failed",
            ])
        #expect(Set(transcript.spans.map(\.traceId)).count == 1)
    }

    @Test func attributesHaveTheNamesOfTheConventions() throws {
        let transcript = Transcript(Self.turn)
        let root = try #require(transcript.spans.first)
        #expect(root.kind == .client)
        #expect(root.attribute("gen_ai.operation.name") == .text("invoke_agent"))
        #expect(root.attribute("gen_ai.agent.name") == .text("codex"))
        #expect(root.attribute("gen_ai.conversation.id") == .text("s1"))
        #expect(root.attribute("gen_ai.usage.input_tokens") == .integer(10))
        #expect(root.attribute("gen_ai.usage.output_tokens") == .integer(2))
        #expect(root.attribute("gen_ai.response.finish_reasons") == .texts(["end_turn"]))
        let tool = try #require(transcript.span("execute_tool edit"))
        #expect(tool.attribute("gen_ai.tool.call.id") == .text("t1"))
        let permission = try #require(transcript.span("permission"))
        #expect(permission.attribute("acpbridge.permission.outcome") == .text("selected"))
        #expect(permission.attribute("acpbridge.permission.kind") == .text("allow_once"))
    }

    @Test func contentIsIncludedOnlyOnRequest() throws {
        let without = Transcript(Self.turn).spans.flatMap(\.attributes).map { "\($0.value)" }.joined()
        for text in ["fix it", "a.txt", "sure"] { #expect(!without.contains(text)) }
        let with = Transcript(Self.turn, includesContent: true)
        #expect(
            with.spans.first?.attribute("gen_ai.input.messages")
                == .text(#"[{"role":"user","parts":[{"type":"text","content":"fix it"}]}]"#))
        let tool = try #require(with.span("execute_tool edit"))
        #expect(tool.attribute("acpbridge.tool.title") == .text("Edit a.txt"))
        #expect(tool.attribute("gen_ai.tool.call.arguments") == .text(#"{"path":"a.txt"}"#))
    }

    @Test func theErrorOfATurnIsItsStatusWithoutItsText() {
        let text = """
            10 prompt {}
            11 turn_end {"error":{"code":-32000,"message":"the secret"}}
            """
        let root = Transcript(text).spans.first
        #expect(root?.failure == "")
        #expect(root?.attribute("error.type") == .text("-32000"))
        #expect(Transcript(text, includesContent: true).spans.first?.failure == "the secret")
    }

    @Test func theTraceparentOfThePromptIsTheParent() {
        let parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
        let spans = Transcript(
            #"""
            10 prompt {"_meta":{"traceparent":"\#(parent)","tracestate":"a=b"}}
            11 update {"sessionUpdate":"tool_call","toolCallId":"t1","kind":"read"}
            12 turn_end {"stopReason":"end_turn"}
            """#
        ).spans
        #expect(spans.map(\.traceId) == Array(repeating: "0af7651916cd43dd8448eb211c80319c", count: 2))
        #expect(spans.first?.parentId == "b7ad6b7169203331")
        #expect(spans.map(\.traceState) == ["a=b", "a=b"])
    }

    @Test func aPromptWhoseTraceIsNotSampledHasNoSpans() {
        let parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00"
        #expect(
            Transcript(
                #"""
                10 prompt {"_meta":{"traceparent":"\#(parent)"}}
                12 turn_end {"stopReason":"end_turn"}
                """#
            ).spans.isEmpty)
    }

    @Test func inVersion2TheStateEndsTheTurnAndAnAcceptedPromptDoesNot() {
        let transcript = Transcript(
            """
            10 prompt {}
            11 turn_end {"messageId":"u1"}
            12 update {"sessionUpdate":"state_update","state":"running"}
            13 update {"sessionUpdate":"tool_call_update","toolCallId":"t1","kind":"read","status":"in_progress"}
            20 update {"sessionUpdate":"state_update","state":"idle","stopReason":"end_turn"}
            30 update {"sessionUpdate":"state_update","state":"running"}
            """)
        #expect(transcript.isEnded)
        #expect(transcript.tree == ["invoke_agent codex 10-20", "execute_tool read 13-20 in invoke_agent codex"])
    }

    @Test func anAgentThatEndsFailsTheTurnAndEndsItsOpenSpans() {
        let transcript = Transcript(
            """
            10 prompt {}
            11 update {"sessionUpdate":"tool_call","toolCallId":"t1"}
            12 permission_request {"requestId":"a","params":{"toolCall":{"toolCallId":"t1"}}}
            20 agent_exit {"signal":9}
            """)
        #expect(
            transcript.tree == [
                "invoke_agent codex 10-20 failed", "execute_tool other 11-20 in invoke_agent codex",
                "permission 12-20 in execute_tool other",
            ])
    }

    @Test func aTurnThatIsCutEndsAtItsEnd() {
        var trace = TurnTrace(
            of: .init(agent: "codex", id: "s1"), includesContent: false,
            ids: TraceIds { String(repeating: "1", count: 2 * $0) })
        trace.entry("prompt", Array("{}".utf8), at: 10)
        trace.cut(at: 99)
        #expect(trace.isEnded && trace.spans().map(\.end) == [99])
    }

    @Test func itemsWithoutAPromptHaveNoSpans() {
        let transcript = Transcript(
            """
            11 update {"sessionUpdate":"tool_call","toolCallId":"t1"}
            12 turn_end {"stopReason":"end_turn"}
            """)
        #expect(transcript.spans.isEmpty && !transcript.isEnded)
    }

    @Test func badBodiesChangeNothing() {
        let transcript = Transcript(
            """
            10 prompt {}
            11 permission_request 5
            12 permission_request {"requestId":{}}
            13 permission_answer {"requestId":"unknown"}
            14 update {"sessionUpdate":"tool_call","toolCallId":[]}
            15 turn_end {"stopReason":{},"usage":7}
            """)
        #expect(transcript.tree == ["invoke_agent codex 10-15"])
    }

    @Test func spansAboveTheLimitAreCounted() {
        let calls = (0..<(TurnTrace.spanLimit + 3)).map {
            #"11 update {"sessionUpdate":"tool_call","toolCallId":"t\#($0)","status":"completed"}"#
        }
        let spans = Transcript(
            (["10 prompt {}"] + calls + [#"12 turn_end {"stopReason":"end_turn"}"#]).joined(separator: "\n")
        ).spans
        #expect(spans.count == TurnTrace.spanLimit + 1)
        #expect(spans.first?.attribute("acpbridge.omitted_spans") == .integer(3))
    }
}

@Suite struct TraceContextTests {
    @Test(arguments: [
        "", "00", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331",
        "ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
        "00-00000000000000000000000000000000-b7ad6b7169203331-01",
        "00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01",
        "00-0AF7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
        "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-x",
        "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-0g",
    ])
    func aWrongTraceparentIsIgnored(text: String) { #expect(TraceContext(parent: text) == nil) }

    @Test func aLaterVersionCanHaveMoreParts() {
        let context = TraceContext(parent: "01-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-more")
        #expect(context?.isSampled == true)
    }
}

@Suite struct SpanQueueTests {
    private static func spans(_ count: Int, bytes: Int = 10) -> [[UInt8]] {
        (0..<count).map { _ in [UInt8](repeating: 0x20, count: bytes) }
    }

    @Test func aBatchIsSentOnceUntilItIsAnswered() {
        var queue = SpanQueue()
        #expect(queue.due == nil && queue.next(at: 0) == nil)
        queue.add(Self.spans(SpanQueue.batchSpans + 1))
        #expect(queue.next(at: 0)?.count == SpanQueue.batchSpans)
        #expect(queue.next(at: 0) == nil && queue.due == nil)
        queue.finished(.delivered, at: 5)
        #expect(queue.next(at: 5)?.count == 1)
        queue.finished(.refused, at: 6)
        #expect(queue.deliveredSpans == Int64(SpanQueue.batchSpans) && queue.droppedSpans == 1)
    }

    @Test func anUnavailableCollectorGetsTheSameSpansLaterAndLater() {
        var queue = SpanQueue()
        queue.add(Self.spans(2))
        var pauses: [Int64] = []
        for _ in 0..<8 {
            let due = queue.due ?? 0
            #expect(queue.next(at: due - 1) == nil)
            #expect(queue.next(at: due)?.count == 2)
            queue.finished(.unavailable, at: due)
            pauses.append((queue.due ?? 0) - due)
        }
        #expect(pauses == [1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000])
        #expect(queue.droppedSpans == 0)
    }

    @Test func theOldestSpansAreDroppedAtTheLimits() {
        var queue = SpanQueue()
        queue.add(Self.spans(SpanQueue.limitSpans + 3))
        #expect(queue.droppedSpans == 3)
        queue.add(Self.spans(1, bytes: SpanQueue.limitBytes))
        #expect(queue.droppedSpans == Int64(SpanQueue.limitSpans + 3))
        queue.add(Self.spans(1, bytes: SpanQueue.limitBytes + 1))
        #expect(queue.due == nil)
    }

    @Test(arguments: [
        (200, SpanQueue.Outcome.delivered), (0, .unavailable), (429, .unavailable), (503, .unavailable),
        (400, .refused),
        (301, .refused), (500, .refused),
    ])
    func theStatusDecides(status: Int, outcome: SpanQueue.Outcome) {
        #expect(SpanQueue.Outcome(status: status) == outcome)
    }
}
