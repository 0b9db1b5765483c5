import BridgeRequests
import Synchronization
import TerminalIO
import TerminalText

/// A command after Ctrl-X in a terminal that continues a session.
enum SessionCommand: Character, CaseIterable {
    case list = "s"
    case next = "n"
    case previous = "p"
    case last = "l"
    case waiting = "w"
    case exit = "d"

    static var keys: Set<Unicode.Scalar> { Set(allCases.flatMap { $0.rawValue.unicodeScalars }) }

    /// At most 60 columns.
    static let help: TerminalText = "s list  n next  p previous  l last  w waiting  d exit"

    /// The message if there is no such session.
    ///
    /// - Parameter hasPrevious: The person has come from another session.
    func absence(hasPrevious: Bool) -> TerminalText {
        switch self {
        case .waiting: "acpbridge: no other session waits for you"
        case .last where hasPrevious:
            "acpbridge: the last session has ended; `acpbridge run --resume ID` continues it"
        case .last: "acpbridge: you have not switched from another session"
        default: "acpbridge: no other session is running; `acpbridge run` begins one"
        }
    }
}

/// The sessions that wait for the person, for which the bell has rung or which the person has seen.
final class KnownWaiting: Sendable {
    private let keys = Mutex<Set<String>>([])

    /// Returns whether one of the sessions is new.
    ///
    /// - Parameter seen: The session that the person sees.
    func note(_ waiting: [ListedSession], seen: ListedSession) -> Bool {
        let waiting = Set(waiting.map(\.key))
        return keys.withLock { keys in
            defer { keys = waiting.union([seen.key]) }
            return !waiting.isSubset(of: keys)
        }
    }
}

/// Finds the sessions to which a person switches from a session, and watches for those that wait for the person.
struct SessionSwitching: Sendable {
    private let client: CommandClient
    private let session: ListedSession
    private let previous: ListedSession?
    private let known: KnownWaiting

    /// - Parameter previous: The session from which the person came.
    init(_ client: CommandClient, _ session: ListedSession, previous: ListedSession?, known: KnownWaiting) {
        (self.client, self.session, self.previous, self.known) = (client, session, previous, known)
    }

    var hasPrevious: Bool { previous != nil }

    private func ring() async throws -> SessionRing {
        SessionRing(try await client.runningSessions(limit: SessionRing.limit))
    }

    /// Returns nil if there is none.
    func session(for command: SessionCommand) async throws -> ListedSession? {
        let ring = try await ring()
        switch command {
        case .next: return ring.session(1, after: session)
        case .previous: return ring.session(-1, after: session)
        case .last: return previous.flatMap { $0.key == session.key ? nil : ring.session($0.key) }
        case .waiting: return try await ring.waiting(PendingCounts(client), after: session).first
        case .list, .exit: return nil
        }
    }

    // MARK: Sessions that wait

    /// Calls `show` with the names of the other sessions that wait for the person; empty if none does. Rings the bell for a
    /// new one. Never returns before the task is cancelled.
    func watchWaiting(_ show: @escaping @Sendable (TerminalText) throws -> Void) async throws {
        let (changes, change) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let requests = WaitingRequests(client)
        let watch = Task(executorPreference: client.loop) { await requests.follow { change.yield() } }
        defer { watch.cancel() }
        for await _ in changes {
            // If the sessions cannot be listed, the next change tries again.
            guard let waiting = try? await ring().waiting(requests.counts, after: session) else { continue }
            try show(Self.text(waiting))
            if known.note(waiting, seen: session) { try Console.show("\u{07}") }
        }
    }

    /// The names come last, because a narrow terminal cuts the end.
    static func text(_ waiting: [ListedSession]) -> TerminalText {
        guard !waiting.isEmpty else { return "" }
        let names = waiting.map { Table.cell($0.name, limit: 24) }.joined(separator: ", ")
        return "[\(waiting.count) waiting, Ctrl-X w] \(names)"
    }
}
