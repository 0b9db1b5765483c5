import JSONRPC
import Testing

@testable import ACPRouting

@Suite struct PromptTurnsTests {
    private func turn(_ id: Int) -> PromptTurn { PromptTurn(request: RequestID(id), since: 0, by: nil) }

    /// Adds a prompt of the bridge's own. Returns whether the queue had room.
    private func add(_ number: Int, bytes: Int = 2, to turns: inout PromptTurns, _ session: String) -> Bool {
        let params = [UInt8](repeating: 0x20, count: bytes)
        return turns.enqueue(QueuedPrompt(asker: .bridge(number), params: params, by: "ann", since: 0), in: session)
    }

    /// Ends a turn. Returns the sender of the next prompt.
    private func end(_ id: Int, _ turns: inout PromptTurns, _ session: String) -> RequestRouter.Asker? {
        turns.end(RequestID(id), in: session)?.asker
    }

    @Test func theNextPromptIsSentAfterAllTurnsOfItsSessionHaveEnded() {
        var turns = PromptTurns()
        turns.begin(turn(1), in: "s")
        turns.begin(turn(2), in: "s")
        turns.begin(turn(3), in: "t")
        #expect(add(7, to: &turns, "s"))
        #expect(end(2, &turns, "s") == nil)
        #expect(turns.running(in: "s") == turn(1))
        #expect(end(1, &turns, "s") == .bridge(7))
        #expect(turns.isAnyRunning && turns.running(in: "s") == nil && turns.queues.isEmpty)
        #expect(end(3, &turns, "t") == nil)
        #expect(!turns.isAnyRunning)
    }

    @Test func aQueueIsLimitedInPromptsAndBytes() {
        var turns = PromptTurns()
        for number in 0..<PromptTurns.queueLimit { #expect(add(number, to: &turns, "s")) }
        #expect(!add(99, to: &turns, "s"))
        #expect(add(99, bytes: PromptTurns.queueLimitBytes, to: &turns, "t"))
        #expect(!add(99, bytes: 1, to: &turns, "t"))
    }

    /// The time identifies a prompt, also after it has left the queue.
    @Test func noTwoPromptsHaveTheSameTime() {
        var turns = PromptTurns()
        for number in 1...3 { #expect(add(number, to: &turns, number == 2 ? "t" : "s")) }
        #expect(turns.queues["s"]?.map(\.since) == [0, 2])
        #expect(turns.queues["t"]?.map(\.since) == [1])
        _ = turns.dequeue { _ in true }
        #expect(add(4, to: &turns, "s"))
        #expect(turns.queues["s"]?.map(\.since) == [3])
    }

    @Test(arguments: [
        (#"{"sessionId":"s","prompt":[{"type":"text"}]}"#, #"[{"type":"text"}]"#), (#"{"prompt":"text"}"#, "[]"),
        ("{}", "[]"), ("", "[]"),
    ])
    func theContentOfAPromptIsAnArray(params: String, content: String) {
        let prompt = QueuedPrompt(asker: .nobody, params: Array(params.utf8), by: "ann", since: 0)
        #expect(String(decoding: prompt.content, as: UTF8.self) == content)
    }

    @Test func onlyMatchingPromptsAreRemoved() {
        var turns = PromptTurns()
        for number in 1...3 { #expect(add(number, to: &turns, "s")) }
        #expect(add(2, to: &turns, "t"))
        let removed = turns.dequeue(in: "s") { $0.asker == .bridge(2) }
        #expect(removed.map(\.session) == ["s"] && removed.first?.prompts.count == 1)
        #expect(turns.queues["s"]?.map(\.asker) == [.bridge(1), .bridge(3)])
        #expect(turns.isWaiting(.bridge(2)))
        let others = turns.dequeue { _ in true }
        #expect(others.count == 2)
        #expect(turns.queues.isEmpty)
    }
}
