import BridgeRequests
import Glibc
import Invocations
import Posix
import SessionRecords
import Synchronization
import TerminalIO
import TinyvexMachine

/// Prints the streams of several sessions to stdout: the stored lines in the order of their times, and then new ones as they
/// come. Each line is whole, and those of one session are in their order. The lines of conversations begin with the names of
/// their sessions.
package struct FollowingSeveral: Sendable {
    private let client: CommandClient
    private let options: AttachOptions
    private let sessions: [ListedSession]
    private let followed = FollowedPlaces()
    private let labels: SessionLabels
    private let merge = HistoryMerge()

    /// 128 MiB of lines that wait to be printed, if all histories are longer. A stream has two times its limit: in its
    /// mailbox, and in the batch that waits for its turn.
    private static let waitingBytes = 128 << 20

    /// - Parameter sessions: The sessions that are known now.
    package init(_ client: CommandClient, _ options: AttachOptions, _ sessions: [ListedSession]) {
        (self.client, self.options, self.sessions) = (client, options, sessions)
        labels = SessionLabels(sessions, hasColour: Console.hasColour(STDOUT_FILENO))
    }

    /// Returns when all sessions have ended; with `--running`, never.
    package func run() async throws {
        // All take part before the first one prints, and before the late ones are left out.
        let new = sessions.filter { followed.begin($0) != nil }
        let streams = new.map { _ in merge.stream(hasHistory: true) }
        try await withThrowingTaskGroup(of: Bool.self) { group in
            let connection = FollowedConnection(client) { Console.report($0) }
            group.addTask { try await connection.watchReader() }
            group.addTask { try await connection.watch() }
            group.addTask {
                await leaveOutLate()
                return false
            }
            group.addTask {
                try await followAll(new, streams)
                return true
            }
            while let isOver = try await group.next(), !isOver {}
            group.cancelAll()
        }
    }

    private func followAll(_ new: [ListedSession], _ streams: [MergedStream]) async throws {
        try await withThrowingDiscardingTaskGroup { group in
            for (session, merged) in zip(new, streams) {
                group.addTask { try await follow(session, nil, merged) }
            }
            guard options.running, options.follow else { return }
            var lists = RunningLists(client)
            while let list = try await lists.next() {
                // Sessions that are not stored yet come in a later list.
                for session in list.sessions where session.canBeFollowed {
                    guard let start = followed.begin(session) else { continue }
                    let merged = merge.stream(hasHistory: false)
                    group.addTask { try await follow(session, start, merged) }
                }
            }
        }
    }

    /// Returns when all histories have been printed or are left out of the order.
    private func leaveOutLate() async {
        var late = LateHistories()
        while !Task.isCancelled, let progress = merge.progress {
            // Counts seconds one by one, so that a reader of the output who pauses does not count.
            await client.loop.sleep(until: .now + .seconds(1))
            if late.isTimeOver(at: progress) { merge.leaveOutUnknown() }
        }
    }

    /// - Parameter start: Where a later session begins; nil for the options' place.
    private func follow(_ session: ListedSession, _ start: StreamStart?, _ merged: MergedStream) async throws {
        var position: Int64 = 0
        var isFault = false
        defer { followed.end(session, at: position, isFault: isFault) }
        defer { merged.end() }
        do {
            let label = options.pretty ? labels.label(of: session) : ""
            // A later session begins at its own place.
            let placed = start == nil ? try await client.placed(options, in: session) : options
            var following = AttachRequest(session: session, options: placed, label: label).following(client)
            if let start { following.start = start }
            following.merged = merged
            following.streamBytes = Self.waitingBytes / 2 / max(1, sessions.count)
            defer { position = following.output.position }
            _ = try await following.follow()
        } catch let failure as BridgeFailure {
            // For example, the session was deleted. The others continue.
            guard case .server = failure.error else { throw failure }
            isFault = true
            Console.report("acpbridge: \(Table.cell(session.name)): \(failure)")
        }
    }
}

/// Decides when the histories that have not come are left out of the order. Pure.
struct LateHistories {
    /// 5 s without progress. A history that has not come by then, for example from another bridge, does not delay the others
    /// any longer.
    private static let patience = 5

    private var known = 0
    private var seconds = 0

    /// Call once a second. Returns true if the others must not wait any longer.
    ///
    /// - Parameter progress: ``HistoryMerge/progress``, a second ago.
    mutating func isTimeOver(at progress: Int) -> Bool {
        seconds = progress == known ? seconds + 1 : 0
        known = progress
        return seconds >= Self.patience
    }
}

/// The sessions that are or were followed. A session can end and be continued by another start of its agent; it is then
/// followed from its last position.
final class FollowedPlaces: Sendable {
    private struct Place {
        var position: Int64 = 0
        var isFollowed = true
        /// The journal with which the bridge refused to send the session. It is requested again with the next one.
        var refused: String?
    }

    /// By incarnation: two of them can have one id, and each has numbers of its own. A session that is not stored yet has
    /// none. About 100 bytes for each session since the command has begun.
    private let places = Mutex<[String: Place]>([:])

    /// Returns where to begin; nil if the session is followed already.
    func begin(_ session: ListedSession) -> StreamStart? {
        places.withLock { places in
            let key = Self.key(of: session)
            guard var known = places[key] else {
                places[key] = Place()
                return .after(0)
            }
            guard !known.isFollowed, known.refused != session.journal else { return nil }
            known.isFollowed = true
            places[key] = known
            return .after(known.position)
        }
    }

    /// - Parameter isFault: The bridge has refused to send the session.
    func end(_ session: ListedSession, at position: Int64, isFault: Bool = false) {
        places.withLock { places in
            let refused = isFault ? session.journal : nil
            places[Self.key(of: session)] = Place(position: position, isFollowed: false, refused: refused)
        }
    }

    private static func key(of session: ListedSession) -> String {
        Journal(session.journal)?.incarnation ?? session.key
    }
}

extension ListedSession {
    /// A subagent is part of its session, and a session without a journal is not stored yet.
    package var canBeFollowed: Bool { isLive && parentId == nil && !journal.isEmpty }
}
