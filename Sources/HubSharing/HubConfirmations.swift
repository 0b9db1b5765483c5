import Diagnostics
import EventLoop
import Hub
import SessionRecords
import SessionStreams

/// The content of the hub, for the parts of the bridge that wait for it: the index of words, and readers with `--durability hub`.
@LoopActor final class HubConfirmations {
    private let registry: SessionRegistry
    /// Nil if readers do not wait.
    private let positions: ConfirmedPositions?
    /// What the hub had when the present connection was made. Its places are only kept until all sessions are listed, and
    /// only if readers wait.
    private var contents = HubContents()
    private var hasWarned = false
    /// Called with the sessions of each transaction.
    var onShipped: @LoopActor ([Int64: HubHead]) -> Void = { _ in }

    /// The sentence about a hub that can lose what readers have.
    private static let noStandby = """
        the durability is that of the hub, which has no synchronous standby: if its server is lost, updates that clients \
        have can be lost
        """

    init(_ registry: SessionRegistry) {
        self.registry = registry
        positions = registry.confirmed
    }

    var readersWait: Bool { positions != nil }
    /// ``HubContents/trimmed``, of the present connection.
    var trimmed: Int64 { contents.trimmed }
    /// Nil if readers do not wait.
    var hasStandby: Bool? { readersWait ? contents.hasStandby : nil }

    func connected(_ found: HubContents) {
        contents = found
        guard readersWait else { return contents.places = [:] }
        if !found.hasStandby, !hasWarned { DiagnosticLog.daemon.record(.warned(Self.noStandby)) }
        hasWarned = !found.hasStandby
    }

    /// Readers can be sent what the hub had before this connection.
    ///
    /// - Parameter records: a page of all sessions of the log.
    func listed(_ records: [SessionRecord], isLast: Bool) {
        guard readersWait else { return }
        for record in records {
            if record.state != .live, record.lastTs < contents.retainedFrom {
                // The hub had the session, and its retention has deleted it.
                confirm(record.sid, ConfirmedPositions.Position(seq: record.head, n: record.timelineHead))
            } else if let head = contents.places[record.sid]?.head, head.epoch == record.journal.epoch {
                confirm(record.sid, ConfirmedPositions.Position(seq: head.seq, n: head.n))
            }
        }
        if isLast { contents.places = [:] }
    }

    func shipped(_ heads: [Int64: HubHead]) {
        onShipped(heads)
        guard readersWait else { return }
        for (sid, head) in heads { confirm(sid, ConfirmedPositions.Position(seq: head.seq, n: head.n)) }
    }

    func deleted(_ sid: Int64) { positions?.forget(sid) }

    private func confirm(_ sid: Int64, _ position: ConfirmedPositions.Position) {
        positions?.raise(sid, to: position)
        registry.known(sid: sid)?.confirm()
    }
}
