import Connections
import EventLoop
import SessionStreams

/// The streams that one client receives: its subscriptions, by id.
@LoopActor package final class ClientStreams {
    package private(set) var byId: [String: any OutgoingStream] = [:]
    /// The subscriptions that read a session, by session id.
    private var readers: [String: [Subscription]] = [:]
    /// The histories that are being sent, by session id.
    private var histories: [String: [HistoryStream]] = [:]
    /// The number of histories so far.
    private var historyCount = 0
    /// The number of subscriptions that need all streams to be paced.
    private var pacedCount = 0
    private let writer: ConnectionWriter

    init(_ writer: ConnectionWriter) { self.writer = writer }

    /// True if the client has received all available data.
    var areAtEnd: Bool { byId.values.allSatisfy(\.isAtEnd) }

    /// Adds a stream. It replaces a stream with the same id.
    func add(_ stream: any OutgoingStream) {
        let replaced = byId.updateValue(stream, forKey: stream.subId)
        replaced.map(forget)
        replaced?.close()
        if let reader = stream as? Subscription { readers[reader.session.id, default: []].append(reader) }
        if let history = stream as? HistoryStream { histories[history.session.id, default: []].append(history) }
        if stream.keepsPace { pacedCount += 1 }
        keepPace()
        writer.enqueue(stream)
    }

    /// Ends a stream. Returns false if no stream has this id.
    func remove(_ subId: String) -> Bool {
        guard let stream = byId.removeValue(forKey: subId) else { return false }
        forget(stream)
        writer.end(stream)
        keepPace()
        return true
    }

    /// Ends all streams. A stream in the middle of a frame completes the frame first.
    func endAll() {
        for stream in removeAll() { writer.end(stream) }
    }

    /// Closes all streams, because the connection is gone.
    func closeAll() {
        for stream in removeAll() { stream.close() }
    }

    /// Returns the streams of the sessions with this id. There are only a few: one for each of the client's views.
    func readers(ofSession id: String) -> [Subscription] { readers[id] ?? [] }

    /// Returns the reader of a session's updates.
    func reader(of session: Session) -> Subscription? {
        readers[session.id]?.first { $0.stream == .updates && $0.session === session }
    }

    /// Returns the history of a session that is being sent.
    func history(of session: Session) -> HistoryStream? {
        histories.isEmpty ? nil : histories[session.id]?.first { $0.session === session }
    }

    /// Returns the name of the client's next history.
    func makeHistoryName() -> String {
        historyCount += 1
        return "acp-history:\(historyCount)"
    }

    /// The sessions that the client reads.
    var sessions: [Session] { byId.values.compactMap { ($0 as? Subscription)?.session } }

    private func removeAll() -> [any OutgoingStream] {
        defer { (byId, readers, histories, pacedCount) = ([:], [:], [:], 0) }
        return Array(byId.values)
    }

    private func forget(_ stream: any OutgoingStream) {
        if stream.keepsPace { pacedCount -= 1 }
        if let history = stream as? HistoryStream {
            histories[history.session.id]?.removeAll { $0 === history }
            if histories[history.session.id]?.isEmpty == true { histories[history.session.id] = nil }
        }
        guard let id = (stream as? Subscription)?.session.id else { return }
        readers[id]?.removeAll { $0 === stream }
        if readers[id]?.isEmpty == true { readers[id] = nil }
    }

    /// Paces all streams if one needs it. They share the connection, so none can fill it while another must stay
    /// current.
    private func keepPace() { writer.setPaced(pacedCount > 0) }
}
