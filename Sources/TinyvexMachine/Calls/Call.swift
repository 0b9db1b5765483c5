import JSONRPC
import JSONScan

/// A message for a bridge, and the rule for it when the connection is lost before the answer.
package struct Call: Sendable, Equatable {
    /// The rule for a call when the connection is lost.
    package enum Loss: Sendable, Equatable {
        /// The call is sent again, in its original order.
        case repeats
        /// The call fails with `outcomeUnknown` if it had been sent. If it had not been sent, it is sent on the next
        /// connection.
        case fails
        /// The call is valid only for the present connection and is dropped. It gets no answer.
        case forgets
    }

    private enum Content: Equatable {
        /// `params` must be an object as JSON text; this is not checked.
        case call(method: String, params: [UInt8])
        /// A complete message.
        case response(text: [UInt8])
    }

    private let content: Content
    package let loss: Loss
    /// The only connection on which the call is valid; nil: any connection.
    let connection: ConnectionID?

    private init(method: String, params: [UInt8], loss: Loss) {
        content = .call(method: method, params: params)
        self.loss = loss
        connection = nil
    }

    /// A request of any method. Set `isIdempotent` only if the request changes nothing.
    package static func request(_ method: String, params: [UInt8], isIdempotent: Bool) -> Call {
        Call(method: method, params: params, loss: isIdempotent ? .repeats : .fails)
    }

    /// A notification, which gets no answer.
    package static func notification(_ method: String, params: [UInt8]) -> Call {
        Call(method: method, params: params, loss: .forgets)
    }

    /// `tinyvex/mutation`. The bridge runs it once per `requestId`, however often it is sent.
    package static func mutation(_ name: String, args: [UInt8], requestId: String) -> Call {
        Call(method: "tinyvex/mutation", params: named(name, args, requestId), loss: .repeats)
    }

    /// `tinyvex/action`. It is repeated only if executing it twice has the same effect as executing it once.
    ///
    /// - Parameter requestId: The bridge passes it on and returns it, but runs the action each time. Nil: the action's name.
    package static func action(
        _ name: String, args: [UInt8], requestId: String? = nil, isIdempotent: Bool
    ) -> Call {
        let params = named(name, args, requestId ?? name)
        return Call(method: "tinyvex/action", params: params, loss: isIdempotent ? .repeats : .fails)
    }

    /// The result of the agent's request. Nil if the message was a notification.
    package static func answer(to message: AgentMessage, result: [UInt8]) -> Call? {
        message.id.map { Call(response: MessageText.response(id: $0, rawResult: result), message.connection) }
    }

    /// The error for the agent's request. Nil if the message was a notification.
    package static func answer(to message: AgentMessage, error code: ErrorCode, message text: String) -> Call? {
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

    /// The complete message. The id is nil if the message gets no answer.
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
