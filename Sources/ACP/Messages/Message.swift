import JSONCoding

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

    /// Params of a method whose name begins with `_`: any JSON value. Schema: `ExtRequest`.
    public typealias ExtRequest = RawJSON

    /// The result of a method whose name begins with `_`. Schema: `ExtResponse`.
    public typealias ExtResponse = RawJSON

    /// Params of a notification whose name begins with `_`. Schema: `ExtNotification`.
    public typealias ExtNotification = RawJSON
}
