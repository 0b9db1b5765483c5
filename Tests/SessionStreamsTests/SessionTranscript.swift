import SQLite
import SessionRecords
import Tinyvex

@testable import SessionLog
@testable import SessionStreams

/// A session machine and its owner, which performs `submit` and `complete` at once and records all other actions as text.
struct SessionTranscript {
    private(set) var machine: SessionMachine
    private var actions: [SessionMachine.Action] = []

    init(unstoredLimitBytes: Int = 1_000, quotaBytes: Int? = nil) {
        machine = SessionMachine(unstoredLimitBytes: unstoredLimitBytes, quotaBytes: quotaBytes, at: 0)
    }

    /// A machine that has claimed session 7 and has no action left.
    static func claimed(head: Int64 = 0, unstoredLimitBytes: Int = 1_000, quotaBytes: Int? = nil) -> SessionTranscript {
        var transcript = SessionTranscript(unstoredLimitBytes: unstoredLimitBytes, quotaBytes: quotaBytes)
        transcript.perform { $0.claim(.fresh) }
        transcript.perform { $0.claimed(.of(sid: 7, head: head)) }
        transcript.perform { $0.described() }
        _ = transcript.taken()
        return transcript
    }

    mutating func perform(_ event: (inout SessionMachine) -> [SessionMachine.Action]) {
        for action in event(&machine) {
            switch action {
            case .submit: perform { $0.submit() }
            case .complete: perform { $0.completeIfDone() }
            default: actions.append(action)
            }
        }
    }

    mutating func edit(_ event: (inout SessionMachine) -> Void) { event(&machine) }

    mutating func line(_ text: String, at time: Int64 = 0, isReplay: Bool = false) {
        Array(text.utf8).withUnsafeBufferPointer { machine.receive($0.span, at: time, isReplay: isReplay) }
    }

    /// Returns the actions since the last call.
    mutating func taken() -> [String] {
        defer { actions = [] }
        return actions.map(\.text)
    }
}

extension Lease {
    static func of(sid: Int64, epoch: Int64 = 1, head: Int64, timelineHead: Int64? = nil) -> Lease {
        Lease(
            journal: Journal(logId: 1, sid: sid, epoch: epoch), oldest: 1, head: head,
            timelineHead: timelineHead ?? head, wasCreated: head == 0)
    }
}

extension LogError {
    /// A temporary failure.
    static let diskIsFull = LogError.full(SQLiteError(code: 13))
}

extension SessionMachine.Action {
    var text: String {
        switch self {
        case .request(let request): request.text
        case .notify(let notice): notice.text
        case .publish(let items, let first): "publish \(first): \(items.text)"
        case .scheduleRetry: "schedule retry"
        case .cancelRetry: "cancel retry"
        case .submit: "submit"
        case .complete: "complete"
        }
    }
}

extension SessionMachine.Request {
    fileprivate var text: String {
        switch self {
        case .claim(.fresh): "claim new"
        case .claim(.continueLatest): "claim latest"
        case .claim(.again(let sid)): "claim \(sid)"
        case .append(let sid, let epoch, let after, let items): "append \(sid)/\(epoch) after \(after): \(items.text)"
        case .describe(let sid): "describe \(sid)"
        case .sizes(let sid, let partBytes): "sizes of \(sid) in \(partBytes)"
        case .history(let sid, let after): "history of \(sid) after \(after)"
        case .trim(let sid, let last): "trim \(sid) through \(last)"
        }
    }
}

extension SessionMachine.Notice {
    fileprivate var text: String {
        switch self {
        case .claimed: "claimed"
        case .logWritten: "log written"
        case .logFailed: "log failed"
        case .failing: "failing"
        case .settled: "settled"
        case .drained: "drained"
        case .discarded(let lines): "discarded \(lines)"
        case .described: "described"
        case .completed: "completed"
        }
    }
}

extension [LogItem] {
    /// The lines, and the kinds of the entries in brackets.
    fileprivate var text: String { flatMap(\.texts).joined(separator: " ") }
}

extension LogItem {
    var texts: [String] {
        switch self {
        case .run(let lines, _, _): lines.split(separator: 0x0a).map { String(decoding: $0, as: UTF8.self) }
        case .entry(let kind, _, _): ["[\(kind)]"]
        }
    }
}
