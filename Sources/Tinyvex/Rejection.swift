import JSONRPC
import JSONScan

/// Why a request is refused: becomes an error response, or a `tinyvex/error` where it concerns a stream.
public struct Rejection: Error, Sendable, Equatable {
    public var rpcCode: ErrorCode
    public var code: TinyvexErrorCode?
    /// A sentence for the person who can act on it; never text of a prompt, a token or an environment value.
    public var message: String
    public var subId: String?
    public var requestId: String?
    /// For `sessionAmbiguous`: `AGENT:ID` of each.
    public var candidates: [String] = []
    /// For `backpressureDrop`: how many updates were left out since it was told last, and on this subscription in all.
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

    /// A fault of the message itself, which has a JSON-RPC code and none of ours.
    public init(_ rpcCode: ErrorCode, _ message: String) {
        self.rpcCode = rpcCode
        self.message = message
    }

    public static func invalidParams(_ message: String) -> Rejection { Rejection(.invalidParams, message) }

    /// A cursor that no page of this list has given.
    public static var unknownCursor: Rejection { invalidParams("cursor is none that a page of this list ended with") }

    /// There is no stream and no query of that name.
    public static func unknownSubscription(_ name: String) -> Rejection {
        let known = StreamName.allCases.map(\.rawValue) + Catalogue.names(.query)
        return Rejection(
            .subscriptionRejected,
            "nothing is called \(quoted(name)) here; there are \(known.joined(separator: ", "))")
    }

    /// There is no mutation or action of that name.
    public static func unknownFunction(_ kind: FunctionDescription.Kind, _ name: String) -> Rejection {
        let known = Catalogue.names(kind).joined(separator: ", ")
        return .invalidParams(
            "no \(kind.rawValue) is called \(quoted(name))\(known.isEmpty ? "" : "; there are \(known)")")
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

    /// As a `tinyvex/error` notification: for what concerns a stream rather than a request.
    public func notification(serverTs: Int64) -> [UInt8] {
        MessageText.notification(method: ServerNotification.Method.error.rawValue) { writer in
            if let subId { writer.member("subId", subId) }
            writer.member("code", code?.rawValue ?? String(rpcCode.rawValue))
            writer.member("message", message)
            writer.memberObject("data") { writeData(to: &$0, serverTs: serverTs) }
        }
    }
}
