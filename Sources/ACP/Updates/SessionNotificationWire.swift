import JSONCoding

extension ACP.Client {
    /// A `session/update` together with its original line, for code that stores or forwards the line, or that reads
    /// members without a type.
    ///
    ///     {"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s1","update":{…}}}
    public struct SessionNotificationWire: Hashable, Sendable {
        /// The unchanged line, without the line feed.
        public let line: RawJSON

        /// The decoded notification.
        public let notification: SessionNotification

        /// Decodes a whole JSON-RPC message. Throws if its method is not `session/update`.
        public init(line: RawJSON) throws(JSONCodingError) {
            self.line = line
            notification = try line.decode(as: Message.self).params
        }

        /// The session in which the event occurred.
        public var sessionId: ACP.SessionId { notification.sessionId }
        /// The event.
        public var update: ACP.SessionUpdate { notification.update }
    }

    private struct Message: Decodable {
        let params: SessionNotification

        enum CodingKeys: CodingKey { case method, params }

        init(from decoder: any Decoder) throws {
            let message = try decoder.container(keyedBy: CodingKeys.self)
            guard try message.decode(String.self, forKey: .method) == SessionNotification.method else {
                throw DecodingError.dataCorruptedError(
                    forKey: .method, in: message, debugDescription: "not \(SessionNotification.method)")
            }
            params = try message.decode(SessionNotification.self, forKey: .params)
        }
    }
}

extension ACP.Client.SessionNotificationWire: Codable {
    public init(from decoder: any Decoder) throws { try self.init(line: RawJSON(from: decoder)) }

    /// Writes the line.
    public func encode(to encoder: any Encoder) throws { try line.encode(to: encoder) }
}
