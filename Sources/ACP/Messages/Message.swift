import JSONCoding

extension ACP {
    /// The params of a request or a notification.
    public protocol Message: Object {
        /// `session/new` for example.
        static var method: String { get }
    }

    /// The params of a request. Absent params, as of `logout`, are an empty object.
    public protocol Request: Message {
        /// What the request is answered with, unless it fails.
        associatedtype Response: Codable & Hashable & Sendable
    }

    /// The params of a notification, which is not answered.
    public protocol Notification: Message {}

    /// Params of a method whose name begins with `_`: any JSON value. Schema: `ExtRequest`.
    public typealias ExtRequest = RawJSON

    /// The answer to such a method. Schema: `ExtResponse`.
    public typealias ExtResponse = RawJSON

    /// Params of a notification whose name begins with `_`. Schema: `ExtNotification`.
    public typealias ExtNotification = RawJSON
}
