import JSONCoding

extension ACP.Client {
    /// A `session/update` and the line it came in, for those who store it, hand it on or read what is not typed.
    ///
    ///     {"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s1","update":{…}}}
    public struct SessionNotificationWire: Hashable, Sendable {
        /// The line as it is spelt, without the line feed.
        public let line: RawJSON

        /// What the line says.
        public let notification: SessionNotification

        /// Reads a whole JSON-RPC message. Throws when it is another one.
        public init(line: RawJSON) throws(JSONCodingError) {
            self.line = line
            notification = try line.decode(as: Message.self).params
        }

        /// The session that it is about.
        public var sessionId: ACP.SessionId { notification.sessionId }
        /// What happened in it.
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
