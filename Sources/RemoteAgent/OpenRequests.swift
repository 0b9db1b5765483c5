import JSONRPC
import JSONScan

/// The editor's requests that have no answer yet.
struct OpenRequests: Sendable {
    /// Further requests are not tracked. No editor has this many open requests, and tracking does not affect the
    /// forwarding.
    static let limit = 4096

    /// Each request with its number in the order of arrival.
    private var open: [RequestID: Int] = [:]
    private var askedCount = 0

    var isEmpty: Bool { open.isEmpty }

    mutating func editorWrote(_ line: [UInt8], _ envelope: Envelope) {
        guard open.count < Self.limit, envelope.method != nil, let range = envelope.id,
            let id = RequestID(in: line.span, at: range)
        else { return }
        askedCount += 1
        open[id] = askedCount
    }

    mutating func agentWrote(_ line: Span<UInt8>) {
        guard !open.isEmpty, let envelope = try? scanEnvelope(line), envelope.method == nil,
            let range = envelope.id, let id = RequestID(in: line, at: range)
        else { return }
        open[id] = nil
    }

    /// Returns an error line for each request, in the order of arrival.
    mutating func failAll(_ message: String) -> [UInt8] {
        defer { open = [:] }
        return open.sorted { $0.value < $1.value }.flatMap { id, _ in
            MessageText.errorResponse(id: id, code: .internalError, message: message) + [0x0a]
        }
    }
}
