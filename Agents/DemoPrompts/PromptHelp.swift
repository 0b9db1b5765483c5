/// The description of a prompt's words, for `/help` and `--help`.
package enum PromptHelp {
    package struct Word: Sendable {
        package let words: String
        package let effect: String
    }

    /// The words that both versions of ACP know.
    package static let common: [Word] = [
        Word(words: "500 chunks, chunks=500", effect: "the answer has 500 message chunks"),
        Word(words: "200 words, words=200", effect: "the answer has 200 words"),
        Word(words: "size=300", effect: "each chunk has 300 bytes of text"),
        Word(words: "20 thoughts, thoughts=20", effect: "20 thought chunks come before the answer"),
        Word(words: "20 ms apart, pace=20ms, pace=0", effect: "the time between chunks"),
        Word(words: "no permission, ask permission", effect: "works without asking, or asks in every mode except yolo"),
        Word(words: "withdraw permission", effect: "the agent withdraws its permission requests after 10 paces"),
        Word(words: "no plan, no thoughts, no tools, no reading, no edits, no commands", effect: "omits these parts"),
        Word(words: "quiet", effect: "only message chunks"),
        Word(words: "flush=each", effect: "one write per line, even at pace 0"),
        Word(
            words: "2 subagents, nested subagents", effect: "child sessions (version 1: for clients that accept them)"),
        Word(words: "ask form, ask url", effect: "asks for input by a form or a web page, if the client offers it"),
        Word(words: "/help, /echo TEXT, /fail TEXT, /error TEXT, /refuse", effect: "commands, as the first word"),
    ]

    /// The words that only version 2 of ACP knows.
    package static let versionTwo: [Word] = [
        Word(words: "background terminal, background=2", effect: "terminals that run after the turn"),
        Word(words: "background call", effect: "a tool call that pauses and ends after the turn"),
        Word(words: "background approval", effect: "a tool call that asks for permission after the turn"),
        Word(words: "background subagent", effect: "a child session that works after the turn"),
        Word(
            words: "lasting=10s, lasting=forever", effect: "the length of each background terminal or call (default 3s)"
        ),
        Word(words: "unlisted background", effect: "the states do not list the background work"),
        Word(words: "split=5", effect: "terminal output in chunks of 5 bytes, which split UTF-8 (default 7)"),
        Word(words: "wake=2s", effect: "the agent begins a turn of its own 2 seconds after this one"),
        Word(words: "3 snapshots", effect: "repeats the idle state three times after the turn"),
        Word(words: "unknown state, custom state, custom update, a notice", effect: "sends these during the turn"),
        Word(words: "answer first", effect: "answers the prompt before its user_message"),
        Word(
            words: "older agent",
            effect: "from now on, withdraws no requests on cancel, and marks neither replay nor state on resume"),
    ]

    /// The answer to `/help`.
    package static let answer = """
        I am a demo agent without model, network or key. My answers consist of words of your prompt. The prompt also \
        sets options: \(list(common)). In version 2 of ACP also: \(list(versionTwo)).
        """

    private static func list(_ words: [Word]) -> String {
        words.map { "\($0.words) (\($0.effect))" }.joined(separator: "; ")
    }
}
