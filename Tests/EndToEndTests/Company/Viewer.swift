import AgentProcess
import Glibc
import Synchronization

/// A viewer of a session. The test kills it several times, and it resumes at the same position.
final class Viewer {
    /// Watches over the test's own connection, or with `acpbridge attach`.
    enum Kind { case connection, attach }

    /// Counters that the test's own thread reads and writes.
    final class Strings: Sendable {
        let seen = Atomic(0)
        let ordered = Atomic(0)
        let done = Atomic(0)
    }

    let strings = Strings()
    private(set) var updates: [[UInt8]] = []
    private let kind: Kind
    private let session: String
    private let home: BridgeHome
    private var client: TinyvexTestClient?
    private var process: EditorProcess?

    init(_ kind: Kind, of session: String, in home: BridgeHome) {
        self.kind = kind
        self.session = session
        self.home = home
    }

    /// Watches until it has seen all updates.
    func watch(_ progress: SharedProgress) throws {
        try open()
        var deadline = Deadline()
        while updates.count < progress.head.load(ordering: .acquiring) {
            if let update = try next() {
                updates.append(update)
                strings.seen.store(updates.count, ordering: .releasing)
                deadline = Deadline()
            }
            if strings.ordered.load(ordering: .acquiring) > strings.done.load(ordering: .relaxed) {
                try beKilled()
                try open()
                strings.done.add(1, ordering: .releasing)
            }
            guard !deadline.hasPassed else { throw Overdue("a viewer receives an update after \(updates.count)") }
        }
        process?.kill(SIGTERM)
        client = nil
    }

    private func open() throws {
        switch kind {
        case .connection:
            let client = try TinyvexTestClient(home)
            let answer = try client.subscribe(session, after: Int64(updates.count))
            guard answer["result"] != nil else { throw Overdue("a viewer resubscribes: \(answer.rawString)") }
            self.client = client
        case .attach:
            process = try EditorProcess(
                [Binary.acpbridge, "attach", SystemString(session), "--from", SystemString("\(updates.count + 1)")],
                in: home)
        }
    }

    /// Ends the viewer; a partly read update is lost.
    private func beKilled() throws {
        client = nil
        process?.kill(SIGKILL)
        _ = try process?.exitStatus()
        process = nil
    }

    private func next() throws -> [UInt8]? {
        if let process {
            if process.outputHasEnded { throw Overdue("attach prints an update: \(process.errorText)") }
            return try process.lineAtHand(within: .milliseconds(50))
        }
        return try client?.messageAtHand(within: .milliseconds(50))
    }
}
