import JSONRPC
import JSONScan

/// Something that is asked of a bridge, and what may be done with it when the connection is lost before the answer.
public struct Call: Sendable, Equatable {
    /// What a lost connection means.
    public enum Loss: Sendable, Equatable {
        /// Sent again, in its order among the others.
        case repeats
        /// It fails with `outcomeUnknown` where it had been sent, and is sent where it had not.
        case fails
        /// It is meant for this connection alone, and dropped. Nothing answers it.
        case forgets
    }

    private enum Content: Equatable {
        /// `params` is an object as JSON text, trusted to be one.
        case call(method: String, params: [UInt8])
        /// A whole message.
        case response(text: [UInt8])
    }

    private let content: Content
    public let loss: Loss
    /// On which connection alone it means something; nil: on any.
    let connection: ConnectionID?

    private init(method: String, params: [UInt8], loss: Loss) {
        content = .call(method: method, params: params)
        self.loss = loss
        connection = nil
    }

    /// A request of any method. Only one that changes nothing should be repeated.
    public static func request(_ method: String, params: [UInt8], isIdempotent: Bool) -> Call {
        Call(method: method, params: params, loss: isIdempotent ? .repeats : .fails)
    }

    /// A notification: nothing answers it.
    public static func notification(_ method: String, params: [UInt8]) -> Call {
        Call(method: method, params: params, loss: .forgets)
    }

    /// `tinyvex/mutation`, which the bridge runs once for each `requestId`, however often it is asked.
    public static func mutation(_ name: String, args: [UInt8], requestId: String) -> Call {
        Call(method: "tinyvex/mutation", params: named(name, args, requestId), loss: .repeats)
    }

    /// `tinyvex/action`, which is repeated only where doing it twice is as doing it once.
    public static func action(_ name: String, args: [UInt8], requestId: String, isIdempotent: Bool) -> Call {
        Call(method: "tinyvex/action", params: named(name, args, requestId), loss: isIdempotent ? .repeats : .fails)
    }

    /// What the agent asked for; nil where its message was a notification.
    public static func answer(to message: AgentMessage, result: [UInt8]) -> Call? {
        message.id.map { Call(response: MessageText.response(id: $0, rawResult: result), message.connection) }
    }

    /// Why the agent does not get what it asked for; nil where its message was a notification.
    public static func answer(to message: AgentMessage, error code: ErrorCode, message text: String) -> Call? {
        message.id.map {
            Call(response: MessageText.errorResponse(id: $0, code: code, message: text), message.connection)
        }
    }

    private init(response: [UInt8], _ connection: ConnectionID) {
        content = .response(text: response)
        loss = .forgets
        self.connection = connection
    }

    var byteCount: Int {
        switch content {
        case .call(let method, let params): method.utf8.count + params.count
        case .response(let text): text.count
        }
    }

    private static func named(_ name: String, _ args: [UInt8], _ requestId: String) -> [UInt8] {
        JSONWriter.object { writer in
            writer.member("requestId", requestId)
            writer.member("name", name)
            writer.member("args", raw: args)
        }
    }

    /// The whole message; without an id where nothing answers it.
    func text(id: Int?) -> [UInt8] {
        guard case .call(let method, let params) = content else { return response }
        return JSONWriter.object { writer in
            writer.member("jsonrpc", "2.0")
            writer.member("id", ifPresent: id)
            writer.member("method", method)
            writer.member("params", raw: params)
        }
    }

    private var response: [UInt8] { if case .response(let text) = content { text } else { [] } }
}
