import Connections
import EventLoop
import Tinyvex

/// A subscriber to a value. It stores which version it sent last, and skips the versions in between: the newest wins.
@LoopActor package final class ValueTransmitter: OutgoingStream {
    package let subId: String
    let key: QueryKey
    package var isQueued = false
    package private(set) var isClosed = false
    package private(set) var isAtEnd = false
    private unowned let hub: QueryHub
    private unowned let connection: any StreamConnection
    /// The number of the newest value that has been sent or is being sent.
    private var seq: Int64
    private var version = 0
    private var transmission: ValueTransmission?

    /// - Parameter seq: The number before the number of the first value.
    package init(subId: String, key: QueryKey, seq: Int64, hub: QueryHub, connection: any StreamConnection) {
        self.subId = subId
        self.key = key
        self.seq = seq
        self.hub = hub
        self.connection = connection
    }

    /// The subscription never sends old data, because a value that has been replaced is not sent.
    package var keepsPace: Bool { false }
    package var tenant: String? { key.tenant }
    package var isMidFrame: Bool { transmission?.isMidFrame == true }

    /// Reports that there can be a new value.
    func valueChanged() {
        guard !isClosed else { return }
        isAtEnd = false
        connection.writer.enqueue(self)
    }

    /// Sends one frame per call.
    package func send(through writer: ConnectionWriter, limitBytes: Int) -> SendOutcome {
        if transmission == nil { begin() }
        guard let isFrameSent = transmission?.sendFrame({ writer.write($0) }) else { return .atEnd }
        guard isFrameSent else { return .blocked }
        if transmission?.isDone == true { transmission = nil }
        // The turn also ends between the chunks of one value, so that other streams get their turn.
        return .turnEnded
    }

    /// Starts to send the newest value, unless it was already sent.
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
                message: rejection.notification(serverTs: hub.services.time.dateMilliseconds), subId: subId)
        }
    }

    package func reachedEnd() {
        isAtEnd = true
        connection.reachedAnEnd()
    }

    package func close() {
        guard !isClosed else { return }
        isClosed = true
        transmission = nil
        hub.remove(self)
    }
}
