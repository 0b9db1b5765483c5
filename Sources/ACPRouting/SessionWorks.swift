import JSONScan

/// The work of all sessions of an agent of ACP version 2, with the counts that decide on the agent's lifetime. A session
/// without work has no entry.
struct SessionWorks: Codable {
    private var works: [String: SessionWork] = [:]
    /// The number of turns that have begun in all sessions.
    private(set) var turnCount = 0
    /// The number of sessions with running foreground work.
    private(set) var activeCount = 0
    /// The number of sessions with background work, an unknown state or an expected turn, and no foreground work.
    private(set) var restingCount = 0
    /// The number of sessions that wait for the turn of an inserted prompt.
    private(set) var waitingCount = 0
    /// The number of sessions with background work.
    private(set) var backgroundCount = 0

    /// More sessions than one agent can have. The work of further sessions is not recorded.
    private static let limit = 10_000

    private enum CodingKeys: String, CodingKey { case works, turnCount }

    init() {}

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        turnCount = try container.decode(Int.self, forKey: .turnCount)
        for (session, work) in try container.decode([String: SessionWork].self, forKey: .works) {
            works[session] = work
            count(work, 1)
        }
    }

    /// True if nothing was ever recorded.
    var isUnused: Bool { turnCount == 0 && works.isEmpty }

    /// The sessions with work, in no order.
    var sessions: some Collection<String> { works.keys }

    subscript(_ session: String) -> SessionWork { works[session] ?? SessionWork() }

    /// Changes a session's work.
    mutating func change<Result>(_ session: String, _ body: (inout SessionWork) -> Result) -> Result {
        let old = works[session]
        var work = old ?? SessionWork()
        let result = body(&work)
        if let old { count(old, -1) }
        if work.isBlank || (old == nil && works.count >= Self.limit) {
            works[session] = nil
        } else {
            works[session] = work
            count(work, 1)
        }
        return result
    }

    /// Handles the state that the agent reports for a session.
    mutating func reported(
        _ update: JSONValue, in session: String, isReplay: Bool, at now: Int64
    ) -> SessionWork.TurnEnd? {
        let number = turnCount + 1
        let (end, latest) = change(session) { work in
            (work.reported(update, turn: number, isReplay: isReplay, at: now), work.turnNumber)
        }
        if latest == number { turnCount = number }
        return end
    }

    /// Removes a closed session. Returns its prompts without an end.
    mutating func remove(_ session: String) -> [SessionWork.InsertedPrompt] {
        guard let work = works.removeValue(forKey: session) else { return [] }
        count(work, -1)
        return work.prompts
    }

    private mutating func count(_ work: SessionWork, _ step: Int) {
        if work.isActive { activeCount += step }
        if work.isResting { restingCount += step }
        if work.isWaiting { waitingCount += step }
        if !work.background.isEmpty { backgroundCount += step }
    }
}
