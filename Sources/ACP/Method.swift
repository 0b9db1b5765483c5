import ACPBase
import ACPConnection
import ACPMethods
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
            /// Part of the version.
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
    static func request<Request: ACP.Request>(_ method: ACPMethod, _ params: Request.Type) -> ACP.Method {
        ACP.Method(
            side: Side(method.side), kind: .request, stability: Stability(method.stability), params: params,
            result: Request.Response.self)
    }

    static func notification(_ method: ACPMethod, _ params: any ACP.Notification.Type) -> ACP.Method {
        ACP.Method(
            side: Side(method.side), kind: .notification, stability: Stability(method.stability), params: params,
            result: nil)
    }

    /// Returns the method with that name and kind that `side` handles; `nil` for unknown methods and for those that
    /// begin with `_`.
    ///
    /// - Parameter version: The version of the connection. The same name can have other types in another version.
    public static func named(
        _ name: String, _ kind: Kind, handledBy side: Side, version: ACP.ProtocolVersion = .v1
    ) -> ACP.Method? {
        methods(of: version).first { $0.name == name && $0.kind == kind && ($0.side == side || $0.side == .both) }
    }

    /// The methods of a version that have types here; none for an unknown version. Version 2 is listed without its
    /// unstable methods.
    public static func methods(of version: ACP.ProtocolVersion) -> [ACP.Method] {
        switch version {
        case .v1: all
        case .v2: version2
        default: []
        }
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

// MARK: - From the table of methods

extension ACP.Method.Side {
    fileprivate init(_ side: ACPMethod.Side) {
        self =
            switch side {
            case .agent: .agent
            case .client: .client
            case .both: .both
            }
    }
}

extension ACP.Method.Stability {
    fileprivate init(_ stability: ACPMethod.Stability) { self = stability == .stable ? .stable : .unstable }
}
