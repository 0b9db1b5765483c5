import JSONRPC
import JSONScan
import Resumption
import TinyvexTransport

/// The editor's end of a conversation with an agent under a remote bridge. Pure: performs no I/O. It keeps the messages
/// that can be lost with a connection, decides which messages to send again, and decides when to give up.
///
/// A message counts as received when it is on its way to the editor. Received messages live only as long as this
/// program, but without the program no editor could read them.
package struct RemoteMachine: Sendable {
    /// The editor's messages wait here up to this many bytes plus one message. Above the limit, the editor is not read.
    package static let limitBytes = 4 << 20
    /// The size in bytes at which `takeOutgoing` stops adding lines.
    private static let portionBytes = 256 << 10

    /// The next step for the connection.
    package enum Step: Sendable, Equatable {
        case connect(after: Duration)
        case end(RemoteEnding)
    }

    /// How long to try to restore a lost connection.
    private let patience: Duration
    private var backoff: Backoff
    private var sent = SentMessages(limitBytes: limitBytes)
    /// All of the editor's messages up to this number are sent on the present connection or confirmed; nil without a
    /// connection.
    private var sentCount: Int64?
    private var receivedCount: Int64 = 0
    private var receiptCount: Int64 = 0
    private var requests = OpenRequests()
    private var inputHasEnded = false
    /// Identifies the conversation, once the bridge has granted a resumable one.
    private var connectionID: String?
    private var hasOpened = false
    private var lostAt: ContinuousClock.Instant?
    /// The agent's standard error in the batches since the last ``takeErrorText()``.
    private var errorText: [UInt8] = []

    package init(patience: Duration, seed: UInt64) {
        self.patience = patience
        backoff = Backoff(shortest: .milliseconds(100), longest: .seconds(5), seed: seed)
    }

    // MARK: The editor

    /// True while the editor must not be read.
    package var isFull: Bool { sent.isFull }

    /// Handles a line without its line feed. Returns the line to send back to the editor: empty, unless the line is not
    /// JSON, which no bridge would accept.
    package mutating func editorWrote(_ line: [UInt8]) -> [UInt8] {
        guard let envelope = try? scanEnvelope(line.span) else {
            return MessageText.errorResponse(id: .null, code: .parseError, message: "not valid JSON") + [0x0a]
        }
        requests.editorWrote(line, envelope)
        sent.append(line)
        return []
    }

    /// The editor sends no more messages, but still reads the outstanding answers.
    package mutating func editorEnded() { inputHasEnded = true }

    /// True if the editor has ended its input, the bridge has all of it, and all answers have arrived.
    package var isDone: Bool { inputHasEnded && sent.isEmpty && requests.isEmpty }

    // MARK: The connection

    /// The additional header fields for the next handshake.
    package var openingFields: [ConnectionRequest.Field] {
        let count = ConnectionRequest.Field(Receipt.fieldName, Receipt.text(receivedCount))
        return [count] + (connectionID.map { [.init(Receipt.connectionFieldName, $0)] } ?? [])
    }

    /// The header field that asks for the agent's standard error.
    package static let errorTextField = ConnectionRequest.Field(ErrorText.fieldName, "1")

    /// - Parameter answer: returns a field of the bridge's answer by its name.
    package mutating func lineOpened(_ answer: (String) -> String?) -> RemoteEnding? {
        let isFirst = !hasOpened
        hasOpened = true
        guard let count = answer(Receipt.fieldName).flatMap({ Receipt.count($0.utf8) }) else {
            // A server without resumption, as in the RFD: it serves until the connection is lost.
            guard isFirst else { return .failed("the bridge no longer knows this connection") }
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

    /// Returns the lines and the receipt to send now; nil if there are none.
    package mutating func takeOutgoing() -> (lines: [[UInt8]], receipt: [UInt8]?)? {
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

    /// Drops sent messages if the conversation is not resumable: the bridge confirms nothing, and nothing is sent
    /// twice.
    private mutating func forgetUnlessResumed() {
        if connectionID == nil, let sentCount { try? sent.acknowledge(sentCount) }
    }

    private mutating func takeReceipt() -> [UInt8]? {
        guard connectionID != nil, receivedCount > receiptCount else { return nil }
        receiptCount = receivedCount
        return Array(Receipt.text(receivedCount).utf8)
    }

    /// Handles a batch from the bridge. Returns it as lines for the editor.
    package mutating func bridgeSaid(_ batch: MessageBatch) throws(RemoteEnding) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(batch.bytes.count + batch.count)
        for index in 0..<batch.count {
            let range = batch[index]
            if let text = ErrorText.text(of: batch.bytes[range]) {
                errorText += text
                continue
            }
            requests.agentWrote(batch.bytes.span.extracting(range))
            output += batch.bytes[range]
            output.append(0x0a)
        }
        receivedCount += Int64(batch.count)
        if let text = batch.lastBinary { try confirm(text) }
        return output
    }

    /// Returns the agent's standard error in the latest batches.
    package mutating func takeErrorText() -> [UInt8] {
        defer { errorText = [] }
        return errorText
    }

    private mutating func confirm(_ text: [UInt8]) throws(RemoteEnding) {
        guard connectionID != nil else { return }
        guard let count = Receipt.count(text), (try? sent.acknowledge(count)) != nil else {
            throw .failed("the bridge has confirmed messages that were not sent")
        }
    }

    // MARK: Losses

    /// Handles a connection that ended or could not be made.
    package mutating func lineFailed(_ failure: TransportFailure, at now: ContinuousClock.Instant) -> Step {
        sentCount = nil
        if let ending = RemoteEnding(failure) { return .end(ending) }
        guard hasOpened, connectionID != nil else { return .end(.failed(failure.description)) }
        let since = lostAt ?? now
        lostAt = since
        let delay = max(backoff.nextDelay(), failure.leastDelay)
        guard now + delay - since <= patience else {
            return .end(.failed("the connection was lost and cannot be restored: \(failure)"))
        }
        return .connect(after: delay)
    }

    /// Returns an error line for each open request, because no answer will arrive.
    package mutating func failures(because ending: RemoteEnding) -> [UInt8] { requests.failAll(ending.description) }
}

extension TransportFailure {
    fileprivate var leastDelay: Duration {
        if case .busy(let delay?) = self { min(delay, .seconds(60)) } else { .zero }
    }
}
