import EventLoop
import JSONRPC
import JSONScan
import Resumption

/// The editor's end of a conversation with an agent that runs under a bridge elsewhere. Pure: it keeps what may have been
/// lost with a connection, says what is to be sent anew, and when there is no hope any more.
///
/// Messages count as received when they are on their way to the editor: they live as long as this program, and without
/// it there is nobody to hear them.
public struct RemoteMachine: Sendable {
    /// What the editor says waits here up to this many bytes, and one message more; past it the editor is not read from.
    public static let limitBytes = 4 << 20
    /// So much is handed out at once.
    private static let portionBytes = 256 << 10

    /// What is to be done about the connection.
    public enum Step: Sendable, Equatable {
        case connect(after: Duration)
        case end(RemoteEnding)
    }

    /// For how long a lost connection is tried to be made anew.
    private let patience: Duration
    private var backoff: Backoff
    private var sent = SentMessages(limitBytes: limitBytes)
    /// Through which message of the editor's all is sent on the present connection; nil while there is none.
    private var sentCount: Int64?
    private var receivedCount: Int64 = 0
    private var receiptCount: Int64 = 0
    private var requests = OpenRequests()
    private var inputHasEnded = false
    /// Names the conversation, once the bridge has granted one that outlives its connections.
    private var connectionID: String?
    private var hasOpened = false
    private var lostAt: Instant?

    public init(patience: Duration, seed: UInt64) {
        self.patience = patience
        backoff = Backoff(shortest: .milliseconds(100), longest: .seconds(5), seed: seed)
    }

    // MARK: The editor

    /// The editor is not to be read from for now.
    public var isFull: Bool { sent.isFull }

    /// A line without its line feed. Returns what the editor is told of it, as a line: nothing, unless it is no JSON,
    /// which no bridge would take.
    public mutating func editorSaid(_ line: [UInt8]) -> [UInt8] {
        guard let envelope = try? scanEnvelope(line.span) else {
            return MessageText.errorResponse(id: .null, code: .parseError, message: "not valid JSON") + [0x0a]
        }
        requests.editorSaid(line, envelope)
        sent.append(line)
        return []
    }

    /// It says no more, and reads what it is still owed.
    public mutating func editorEnded() { inputHasEnded = true }

    /// The editor has said its last, the bridge has it, and all answers have come.
    public var isDone: Bool { inputHasEnded && sent.isEmpty && requests.isEmpty }

    // MARK: The connection

    /// What the next handshake is to say beside the usual.
    public var openingFields: [ConnectionRequest.Field] {
        let count = ConnectionRequest.Field(Receipt.fieldName, Receipt.text(receivedCount))
        return [count] + (connectionID.map { [.init(Receipt.connectionFieldName, $0)] } ?? [])
    }

    /// - Parameter answer: the fields of the bridge's answer, by their names.
    public mutating func lineOpened(_ answer: (String) -> String?) -> RemoteEnding? {
        let isFirst = !hasOpened
        hasOpened = true
        guard let count = answer(Receipt.fieldName).flatMap({ Receipt.count($0.utf8) }) else {
            // A server of the RFD's plain kind: it serves until the connection is lost.
            guard isFirst else { return .failed("the bridge does not know this connection any more") }
            sentCount = 0
            return nil
        }
        connectionID = answer(Receipt.connectionFieldName)
        guard (try? sent.acknowledge(count)) != nil else {
            return .failed("the bridge has lost part of the conversation")
        }
        sentCount = count
        receiptCount = receivedCount
        lostAt = nil
        backoff.succeeded()
        return nil
    }

    /// What is to be sent now; nil when there is nothing.
    public mutating func takeOutgoing() -> (lines: [[UInt8]], receipt: [UInt8]?)? {
        guard let from = sentCount else { return nil }
        var lines: [[UInt8]] = []
        var byteCount = 0
        for line in sent.messages(after: from) where byteCount < Self.portionBytes {
            lines.append(line)
            byteCount += line.count
        }
        sentCount = from + Int64(lines.count)
        forgetUnlessResumed()
        let receipt = takeReceipt()
        return lines.isEmpty && receipt == nil ? nil : (lines, receipt)
    }

    /// Nothing will be confirmed, and nothing sent twice.
    private mutating func forgetUnlessResumed() {
        if connectionID == nil, let sentCount { try? sent.acknowledge(sentCount) }
    }

    private mutating func takeReceipt() -> [UInt8]? {
        guard connectionID != nil, receivedCount > receiptCount else { return nil }
        receiptCount = receivedCount
        return Array(Receipt.text(receivedCount).utf8)
    }

    /// What has come from the bridge, as lines for the editor.
    public mutating func bridgeSaid(_ batch: MessageBatch) throws(RemoteEnding) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(batch.bytes.count + batch.count)
        for index in 0..<batch.count {
            let range = batch[index]
            requests.agentSaid(batch.bytes.span.extracting(range))
            output += batch.bytes[range]
            output.append(0x0a)
        }
        receivedCount += Int64(batch.count)
        if let text = batch.lastBinary { try confirm(text) }
        return output
    }

    private mutating func confirm(_ text: [UInt8]) throws(RemoteEnding) {
        guard connectionID != nil else { return }
        guard let count = Receipt.count(text), (try? sent.acknowledge(count)) != nil else {
            throw .failed("the bridge confirms what was never sent")
        }
    }

    // MARK: Losses

    /// The connection has ended, or could not be made.
    public mutating func lineFailed(_ failure: TransportFailure, at now: Instant) -> Step {
        sentCount = nil
        if let ending = RemoteEnding(failure) { return .end(ending) }
        guard hasOpened, connectionID != nil else { return .end(.failed(failure.description)) }
        let since = lostAt ?? now
        lostAt = since
        let delay = max(backoff.nextDelay(), failure.leastDelay)
        guard now + delay - since <= patience else {
            return .end(.failed("the connection was lost and is not to be had again: \(failure)"))
        }
        return .connect(after: delay)
    }

    /// Nobody will answer what is open: what the editor is told instead, as lines.
    public mutating func failures(because ending: RemoteEnding) -> [UInt8] { requests.failAll(ending.description) }
}

extension TransportFailure {
    fileprivate var leastDelay: Duration {
        if case .busy(let delay?) = self { min(delay, .seconds(60)) } else { .zero }
    }
}
