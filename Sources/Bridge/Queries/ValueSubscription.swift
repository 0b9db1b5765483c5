import EventLoop
import Tinyvex

/// One subscriber to a value: knows which version it has sent, and nothing of those in between. Newest wins.
@LoopActor final class ValueSubscription: OutgoingStream {
    let subId: String
    let key: QueryKey
    var isQueued = false
    private(set) var isClosed = false
    private(set) var isAtEnd = false
    private unowned let hub: QueryHub
    private unowned let connection: TinyvexConnection
    /// The number of the last value that was begun to be sent.
    private var seq: Int64
    private var version = 0
    private var transmission: ValueTransmission?

    /// - Parameter seq: the number before that of the first value.
    init(subId: String, key: QueryKey, seq: Int64, hub: QueryHub, connection: TinyvexConnection) {
        self.subId = subId
        self.key = key
        self.seq = seq
        self.hub = hub
        self.connection = connection
    }

    /// What it sends is never old: a value that has been replaced is not sent.
    var keepsPace: Bool { false }
    var tenant: String? { key.tenant }
    var isMidFrame: Bool { transmission?.isMidFrame == true }

    /// There may be another value.
    func valueChanged() {
        guard !isClosed else { return }
        isAtEnd = false
        connection.outbox.enqueue(self)
    }

    /// A frame each time.
    func send(through outbox: Outbox, limitBytes: Int) -> SendOutcome {
        if transmission == nil { begin() }
        guard let isFrameSent = transmission?.sendFrame({ outbox.write($0) }) else { return .atEnd }
        guard isFrameSent else { return .blocked }
        if transmission?.isDone == true { transmission = nil }
        // Of a value in many chunks too: others get their turn between them.
        return .turnEnded
    }

    /// The newest value, unless that was the last that was sent.
    private func begin() {
        guard let value = hub.value(of: key), value.version != version else { return }
        version = value.version
        switch value.outcome {
        case .success(let bytes):
            seq += 1
            transmission = ValueTransmission(
                bytes, subId: subId, seq: seq, transitionId: String(version), mayChunk: connection.takesChunks)
        case .failure(var rejection):
            rejection.subId = subId
            transmission = ValueTransmission(
                message: rejection.notification(serverTs: wallClockMilliseconds()), subId: subId)
        }
    }

    func reachedEnd() {
        isAtEnd = true
        connection.reachedAnEnd()
    }

    func close() {
        guard !isClosed else { return }
        isClosed = true
        transmission = nil
        hub.remove(self)
    }
}
