import JSONRPC
import JSONScan

/// The scripts of a session and the prompts that wait for them.
struct SessionWork {
    /// More prompts in flight than a demonstration needs; a further one is rejected.
    static let queueLimit = 100
    /// The number of idempotency keys that a session remembers. The oldest are forgotten first.
    static let keyLimit = 1000

    /// In order of their numbers.
    private(set) var activities: [Activity] = []
    var queue: [QueuedTurn] = []
    /// The state that was sent last.
    var state = WorkState.idle(nil)
    var children: [ChildSession] = []
    /// Whether the states list the background work.
    var listsBackground = true
    /// The last list of background work was not empty, so that an empty one must follow.
    var hasListedBackground = false
    /// The session behaves like an agent of an older draft of version 2.
    var isOlder = false
    private var activityCount = 0
    private var messageIDs: [String: String] = [:]
    private var keys: [String] = []

    var turn: Activity? { activities.first { $0.role == .turn } }

    var background: [BackgroundItem] {
        activities.compactMap { if case .background(let item) = $0.role { item } else { nil } }
    }

    mutating func add(_ script: Script, _ role: Activity.Role, launcher: Int?, at time: Duration) -> Int {
        activityCount += 1
        activities.append(
            Activity(number: activityCount, role: role, launcher: launcher, script: script, wait: .time(time)))
        return activityCount
    }

    /// Moves an activity out, so that it is not copied while it runs.
    mutating func take(_ number: Int) -> Activity? {
        activities.firstIndex { $0.number == number }.map { activities.remove(at: $0) }
    }

    mutating func put(_ activity: Activity) {
        let index = activities.firstIndex { $0.number > activity.number } ?? activities.endIndex
        activities.insert(activity, at: index)
    }

    /// The foreground scripts that an activity launched, with theirs; the innermost come first.
    func children(of number: Int) -> [Int] {
        activities.filter { $0.launcher == number && $0.role == .child }
            .flatMap { children(of: $0.number) + [$0.number] }
    }

    /// The scripts of a child session and its descendants; the innermost come first.
    func activities(ofChild id: String) -> [Int] {
        activities.filter { $0.script.sessionID == id || $0.script.sessionID.hasPrefix(id + ".") }
            .sorted { $0.script.sessionID.utf8.count > $1.script.sessionID.utf8.count }.map(\.number)
    }

    /// Continues the activity that waited for its last child.
    mutating func release(_ launcher: Int, at time: Duration) {
        guard children(of: launcher).isEmpty,
            let index = activities.firstIndex(where: { $0.number == launcher && $0.wait == .children })
        else { return }
        activities[index].wait = .time(time)
    }

    /// A child that was not known before is added.
    mutating func setState(_ state: WorkState, ofChild id: String) {
        if let index = children.firstIndex(where: { $0.id == id }) {
            children[index].state = state
        } else {
            children.append(ChildSession(id: id, state: state))
        }
    }

    // MARK: Idempotency

    func messageID(forKey key: String?) -> String? { key.flatMap { messageIDs[$0] } }

    mutating func remember(_ messageID: String, forKey key: String?) {
        guard let key else { return }
        messageIDs[key] = messageID
        keys.append(key)
        if keys.count > Self.keyLimit { messageIDs[keys.removeFirst()] = nil }
    }
}

/// A turn that has not begun.
struct QueuedTurn {
    /// The prompt requests to answer: one, and its retries with the same key. Empty for a turn that the agent
    /// begins by itself.
    var requestIDs: [RequestID]
    var key: String?
    let text: String
    /// The content blocks of the prompt.
    let content: [[UInt8]]
}

/// A session that another session started.
struct ChildSession: Equatable {
    let id: String
    var state = WorkState.unknown

    /// False for a child that has ended, or that belongs to an earlier process.
    var isLive: Bool { state != .unknown && !state.isIdle }
}
