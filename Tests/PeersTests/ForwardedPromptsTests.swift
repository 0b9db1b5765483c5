import SessionRecords
import Testing

@testable import Peers

struct ForwardedPromptsTests {
    private func waiting(_ ts: Int64, _ text: String?, isOwn: Bool = true) -> RemotePrompt {
        RemotePrompt(by: "token tk_9", queuedTs: ts, text: text, isOwn: isOwn)
    }

    private func senders(_ prompts: ForwardedPrompts, _ queue: [RemotePrompt], in sid: Int64 = 1) -> [String] {
        prompts.named(queue, in: sid).map(\.by)
    }

    @Test func aWaitingPromptHasTheNameOfTheClientThatHasSentIt() {
        var prompts = ForwardedPrompts()
        let first = prompts.add(in: 1, by: "anna", "test")
        _ = prompts.add(in: 1, by: "ben", "test")
        _ = prompts.add(in: 1, by: "cleo", nil)
        _ = prompts.add(in: 2, by: "dora", "other")
        let queue = [waiting(1, "test"), waiting(2, "test"), waiting(3, nil), waiting(4, "other")]
        #expect(senders(prompts, queue) == ["anna", "ben", "cleo", "token tk_9"])
        prompts.remove(first)
        #expect(senders(prompts, Array(queue.dropFirst())) == ["ben", "cleo", "token tk_9"])
    }

    @Test func aPromptOfAnotherSenderKeepsItsName() {
        var prompts = ForwardedPrompts()
        _ = prompts.add(in: 1, by: "anna", "test")
        #expect(senders(prompts, [waiting(1, "test", isOwn: false), waiting(2, "test")]) == ["token tk_9", "anna"])
    }

    @Test func aLongTextIsFoundByItsBeginning() {
        var prompts = ForwardedPrompts()
        let text = String(repeating: "é", count: 3_000)
        _ = prompts.add(in: 1, by: "anna", text)
        #expect(senders(prompts, [waiting(1, String(text.prefix(1_000)))]) == ["anna"])
    }
}
