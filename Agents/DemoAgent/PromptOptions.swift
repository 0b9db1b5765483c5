/// How a turn goes, read from the prompt's own words. Letters' case does not matter; words that mean nothing here are
/// only the subject of the answer.
///
///     500 chunks · chunks=500        the answer has exactly 500 message chunks
///     200 words · words=200          the answer has 200 words; chunks win where both are said
///     size=300                       each chunk's text has exactly 300 bytes
///     20 thoughts · thoughts=20      so many thought chunks
///     20 ms apart · 0.5s apart       the time between chunks; pace=20ms, pace=0, and pace=20 in ms
///     no permission · ask permission edits without asking · asks whatever the mode (but yolo)
///     no plan, no thoughts, no tools, no reading, no edits, no commands
///     quiet                          message chunks and nothing else
///     flush=each                     one write for each line, also at pace 0
///     /help · /echo TEXT · /fail TEXT · /refuse   at the prompt's start
///
/// Numbers over their limit are cut to it; of several words for the same thing the last counts.
struct PromptOptions: Equatable, Sendable {
    /// What a turn has beside its answer.
    enum Part: CaseIterable, Sendable {
        case title, plan, thoughts, read, edit, execute, usage
    }

    enum Command: Equatable, Sendable {
        /// Answers with the grammar above.
        case help
        /// Answers with the text alone.
        case echo(String)
        /// The prompt ends in an error with that message.
        case fail(String)
        /// The prompt ends with stop reason `refusal`.
        case refuse
    }

    /// Ten million: hours of output for a benchmark; enough.
    static let chunkLimit = 10_000_000
    /// 1 MiB of text in one chunk, well below any reader's line limit.
    static let chunkSizeLimitBytes = 1 << 20
    static let paceLimit = Duration.seconds(3600)

    var command: Command?
    var chunkCount: Int?
    var wordCount: Int?
    var chunkSizeBytes: Int?
    var thoughtCount: Int?
    /// Nil: as the session's `pace` option says.
    var pace: Duration?
    /// Nil: as the session's mode says.
    var asksPermission: Bool?
    var parts = Set(Part.allCases)
    var flushesEachLine = false

    init() {}
}
