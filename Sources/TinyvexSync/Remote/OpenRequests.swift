import JSONRPC
import JSONScan

/// What the editor has asked and nobody has answered.
struct OpenRequests: Sendable {
    /// More are not kept account of: no editor has as many open, and what is passed on is not touched by it.
    static let limit = 4096

    /// With the order in which they were asked.
    private var open: [RequestID: Int] = [:]
    private var askedCount = 0

    var isEmpty: Bool { open.isEmpty }

    mutating func editorSaid(_ line: [UInt8], _ envelope: Envelope) {
        guard open.count < Self.limit, envelope.method != nil, let range = envelope.id,
            let id = RequestID(in: line.span, at: range)
        else { return }
        askedCount += 1
        open[id] = askedCount
    }

    mutating func agentSaid(_ line: Span<UInt8>) {
        guard !open.isEmpty, let envelope = try? scanEnvelope(line), envelope.method == nil,
            let range = envelope.id, let id = RequestID(in: line, at: range)
        else { return }
        open[id] = nil
    }

    /// An error for each, as lines in the order they were asked.
    mutating func failAll(_ message: String) -> [UInt8] {
        defer { open = [:] }
        return open.sorted { $0.value < $1.value }.flatMap { id, _ in
            MessageText.errorResponse(id: id, code: .internalError, message: message) + [0x0a]
        }
    }
}
