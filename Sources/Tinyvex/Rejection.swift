import JSONRPC
import JSONScan

/// The reason why a request is rejected. It is sent as an error response, or as `tinyvex/error` if it concerns a
/// stream.
public struct Rejection: Error, Sendable, Equatable {
    public var rpcCode: ErrorCode
    public var code: TinyvexErrorCode?
    /// A sentence for the person who can fix the cause. It never contains text of a prompt, a token or an
    /// environment value.
    public var message: String
    public var subId: String?
    public var requestId: String?
    /// `AGENT:ID` of each matching session. Only for `sessionAmbiguous`.
    public var candidates: [String] = []
    /// The number of updates dropped since the last report, and on this subscription in total. Only for
    /// `backpressureDrop`.
    public var skipped: Skipped?

    public struct Skipped: Sendable, Equatable {
        public var count: Int64
        public var total: Int64

        public init(count: Int64, total: Int64) {
            self.count = count
            self.total = total
        }
    }

    public init(_ code: TinyvexErrorCode, _ message: String, rpcCode: ErrorCode = .invalidParams) {
        self.code = code
        self.rpcCode = rpcCode
        self.message = message
    }

    /// Creates an error of the message itself, which has a JSON-RPC code but no code of this protocol.
    public init(_ rpcCode: ErrorCode, _ message: String) {
        self.rpcCode = rpcCode
        self.message = message
    }

    public static func invalidParams(_ message: String) -> Rejection { Rejection(.invalidParams, message) }

    /// A cursor that no page of this list has returned.
    public static var unknownCursor: Rejection { invalidParams("cursor must be the nextCursor of a page of this list") }

    /// No stream and no query has this name.
    public static func unknownSubscription(_ name: String) -> Rejection {
        let known = StreamName.allCases.map(\.rawValue) + Catalogue.names(.query)
        return Rejection(
            .subscriptionRejected,
            "unknown subscription \(quoted(name)); available: \(known.joined(separator: ", "))")
    }

    /// No mutation or action has this name.
    public static func unknownFunction(_ kind: FunctionDescription.Kind, _ name: String) -> Rejection {
        let known = Catalogue.names(kind).joined(separator: ", ")
        return .invalidParams(
            "unknown \(kind.rawValue) \(quoted(name))\(known.isEmpty ? "" : "; available: \(known)")")
    }

    /// `{"code":"TVX008","serverTs":1763697600123,"subId":"a"}`
    public func writeData(to writer: inout JSONWriter, serverTs: Int64) {
        writer.member("serverTs", serverTs)
        if let code { writer.member("code", code.rawValue) }
        if let subId { writer.member("subId", subId) }
        if let requestId { writer.member("requestId", requestId) }
        if let skipped {
            writer.member("skipped", skipped.count)
            writer.member("skippedTotal", skipped.total)
        }
        if !candidates.isEmpty {
            writer.memberArray("candidates") { writer in
                for candidate in candidates { writer.element(candidate) }
            }
        }
    }

    public func response(to id: RequestID, serverTs: Int64) -> [UInt8] {
        MessageText.errorResponse(id: id, code: rpcCode, message: message) { writeData(to: &$0, serverTs: serverTs) }
    }

    /// The rejection as a `tinyvex/error` notification, for errors that concern a stream and not a request.
    public func notification(serverTs: Int64) -> [UInt8] {
        MessageText.notification(method: ServerNotification.Method.error.rawValue) { writer in
            if let subId { writer.member("subId", subId) }
            writer.member("code", code?.rawValue ?? String(rpcCode.rawValue))
            writer.member("message", message)
            writer.memberObject("data") { writeData(to: &$0, serverTs: serverTs) }
        }
    }
}
