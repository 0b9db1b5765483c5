/// The options of a turn, read from the words of the prompt. Case is ignored. All other words are only the subject
/// of the answer.
///
///     500 chunks · chunks=500        the answer has exactly 500 message chunks
///     200 words · words=200          the answer has 200 words; chunks take precedence over words
///     size=300                       the text of each chunk has exactly 300 bytes
///     20 thoughts · thoughts=20      the number of thought chunks
///     20 ms apart · 0.5s apart       the time between chunks; also pace=20ms, pace=0, and pace=20 in ms
///     no permission · ask permission edits without asking · asks in every mode except yolo
///     no plan, no thoughts, no tools, no reading, no edits, no commands
///     quiet                          only message chunks
///     flush=each                     one write per line, even at pace 0
///     /help · /echo TEXT · /fail TEXT · /error TEXT · /refuse   at the beginning of the prompt
///
/// `PromptExtras` has the words for work beyond text and tools, and `PromptHelp` the description of all words.
/// Numbers above their limit are reduced to it. Of several words for one option, the last one is used.
package struct TurnOptions: Equatable, Sendable {
    /// A part of a turn in addition to its answer.
    package enum Part: CaseIterable, Sendable {
        case title, plan, thoughts, read, edit, execute, usage
    }

    package enum Command: Equatable, Sendable {
        /// Answers with a description of the options.
        case help
        /// Answers with only the text.
        case echo(String)
        /// The prompt fails with this message. In version 2, it is not inserted into the conversation.
        case fail(String)
        /// The turn ends with this error. Version 1 has only one kind of failure.
        case error(String)
        /// The prompt ends with stop reason `refusal`.
        case refuse
    }

    /// Ten million chunks: hours of output, which is enough for a benchmark.
    package static let chunkLimit = 10_000_000
    /// 1 MiB of text in one chunk, well below every reader's line limit.
    package static let chunkSizeLimitBytes = 1 << 20
    package static let paceLimit = Duration.seconds(3600)

    package var command: Command?
    package var chunkCount: Int?
    package var wordCount: Int?
    package var chunkSizeBytes: Int?
    package var thoughtCount: Int?
    /// The time between chunks; nil uses the session's `pace` option.
    package var pace: Duration?
    /// Whether edits need permission; nil uses the session's mode.
    package var asksPermission: Bool?
    package var parts = Set(Part.allCases)
    package var flushesEachLine = false
    package var extras = PromptExtras()

    package init() {}
}
