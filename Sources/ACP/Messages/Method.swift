import JSONCoding

extension ACP {
    /// A method of the protocol, and the types of what it carries.
    public struct Method: Sendable {
        /// Who handles it (`x-side` in the schema).
        public enum Side: Hashable, Sendable {
            case agent, client, both
        }

        /// Whether there is an answer. `mcp/message` is of both kinds.
        public enum Kind: Hashable, Sendable {
            /// It is answered.
            case request
            /// It is not.
            case notification
        }

        /// Whether it is in the stable schema.
        public enum Stability: Hashable, Sendable {
            /// Part of version 1.
            case stable
            /// May change or go.
            case unstable
        }

        /// `session/new` for example.
        public var name: String { params.method }
        /// Who handles it.
        public let side: Side
        /// Whether there is an answer.
        public let kind: Kind
        /// Whether it is in the stable schema.
        public let stability: Stability
        /// What it carries.
        public let params: any Message.Type
        /// What it is answered with; `nil` for a notification.
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

    /// The method of that name and kind that `side` handles; `nil` for unknown ones and for those that begin with `_`.
    public static func named(_ name: String, _ kind: Kind, handledBy side: Side) -> ACP.Method? {
        all.first { $0.name == name && $0.kind == kind && ($0.side == side || $0.side == .both) }
    }
}

// MARK: - Reading

extension ACP.Method {
    /// Reads params; where there are none, an empty object.
    ///
    ///     switch try method.decodeParams(params) {
    ///     case let request as ACP.Client.FsReadTextFileRequest: …
    public func decodeParams(_ params: RawJSON?) throws(JSONCodingError) -> any ACP.Message {
        try (params ?? [:]).decode(as: self.params)
    }

    /// Reads the result that a request was answered with.
    ///
    /// For a notification, which has none, whatever is given comes back as it is.
    public func decodeResult(_ result: RawJSON) throws(JSONCodingError) -> any (Codable & Hashable & Sendable) {
        guard let type = self.result else { return result }
        return try result.decode(as: type)
    }
}
