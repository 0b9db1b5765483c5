import JSONCoding

extension ACP {
    /// A method of the protocol, with the types of its params and result.
    public struct Method: Sendable {
        /// The side that handles a method (`x-side` in the schema).
        public enum Side: Hashable, Sendable {
            case agent, client, both
        }

        /// Whether a method has a response. `mcp/message` exists in both kinds.
        public enum Kind: Hashable, Sendable {
            /// The method has a response.
            case request
            /// The method has no response.
            case notification
        }

        /// Whether the method is in the stable schema.
        public enum Stability: Hashable, Sendable {
            /// Part of version 1.
            case stable
            /// Can change or disappear.
            case unstable
        }

        /// The name of the method, for example `session/new`.
        public var name: String { params.method }
        /// The side that handles the method.
        public let side: Side
        /// Whether the method has a response.
        public let kind: Kind
        /// Whether the method is in the stable schema.
        public let stability: Stability
        /// The type of the params.
        public let params: any Message.Type
        /// The type of the result; `nil` for a notification.
        public let result: (any (Codable & Hashable & Sendable).Type)?
    }
}

extension ACP.Method {
    static func request<Request: ACP.Request>(
        _ params: Request.Type, by side: Side, _ stability: Stability = .stable
    ) -> ACP.Method {
        ACP.Method(side: side, kind: .request, stability: stability, params: params, result: Request.Response.self)
    }

    static func notification(
        _ params: any ACP.Notification.Type, by side: Side, _ stability: Stability = .stable
    ) -> ACP.Method {
        ACP.Method(side: side, kind: .notification, stability: stability, params: params, result: nil)
    }

    /// Returns the method with that name and kind that `side` handles; `nil` for unknown methods and for those that
    /// begin with `_`.
    public static func named(_ name: String, _ kind: Kind, handledBy side: Side) -> ACP.Method? {
        all.first { $0.name == name && $0.kind == kind && ($0.side == side || $0.side == .both) }
    }
}

// MARK: - Reading

extension ACP.Method {
    /// Decodes the params of a message. Absent params are read as an empty object.
    ///
    ///     switch try method.decodeParams(params) {
    ///     case let request as ACP.Client.FsReadTextFileRequest: …
    public func decodeParams(_ params: RawJSON?) throws(JSONCodingError) -> any ACP.Message {
        try (params ?? [:]).decode(as: self.params)
    }

    /// Decodes the result of a request.
    ///
    /// A notification has no result; for a notification, this function returns the given value unchanged.
    public func decodeResult(_ result: RawJSON) throws(JSONCodingError) -> any (Codable & Hashable & Sendable) {
        guard let type = self.result else { return result }
        return try result.decode(as: type)
    }
}
