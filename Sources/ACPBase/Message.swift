import ACPMethods
import JSONCoding
import JSONRPC

extension ACP {
    /// The params of a request or a notification.
    public protocol Message: Object {
        /// The name of the method, for example `session/new`.
        static var method: String { get }
    }

    /// The params of a request. Absent params, as of `logout`, are read as an empty object.
    public protocol Request: Message {
        /// The result of the request, unless it fails.
        associatedtype Response: Codable & Hashable & Sendable
    }

    /// The params of a notification, which has no response.
    public protocol Notification: Message {}

    /// Params of a method with a name that begins with `_`: any JSON value. Schema: `ExtRequest`.
    public typealias ExtRequest = RawJSON

    /// The result of a method with a name that begins with `_`. Schema: `ExtResponse`.
    public typealias ExtResponse = RawJSON

    /// Params of a notification with a name that begins with `_`. Schema: `ExtNotification`.
    public typealias ExtNotification = RawJSON

    /// The sender no longer needs the response to a request. The request is still answered: with a result, or with
    /// the error `requestCancelled`. The receiver can ignore the notification. Schema: `CancelRequestNotification`.
    public struct CancelRequestNotification: Notification {
        public static let method = ACPMethod.cancelRequest.name

        /// The JSON-RPC id of the request.
        public var requestId: RequestId
        public var otherMembers: OtherMembers

        public init(requestId: RequestId, meta: RawJSON? = nil) {
            self.requestId = requestId
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// The kind of a failure. Codes that have no name here are kept. Schema: `ErrorCode`.
    public typealias ErrorCode = JSONRPC.ErrorCode

    /// The reason why a request failed: the `error` of a JSON-RPC response. Schema: `Error`.
    public struct ErrorObject: Object {
        /// The code, for programs.
        public var code: ErrorCode
        /// One sentence, for people.
        public var message: String
        /// Additional information, in any form.
        public var data: RawJSON?
        public var otherMembers: OtherMembers

        public init(code: ErrorCode, message: String, data: RawJSON? = nil) {
            self.code = code
            self.message = message
            self.data = data
            otherMembers = OtherMembers()
        }
    }
}

extension JSONRPC.ErrorCode: Codable {}
