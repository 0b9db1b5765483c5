import ACPBase
import ACPClientServices
import ACPSessions
import JSONCoding

extension ACP {
    /// The Agent Client Protocol, version 2: the types that differ from version 1.
    ///
    /// The names follow the rule of `ACP`: `session/new` is `ACP.V2.Agent.SessionNewRequest`. A type that both versions
    /// share is a type alias here, or is used from `ACP` directly: `ACP.ContentBlock`, `ACP.SessionId`.
    ///
    /// Version 2 was published as a preview on 2026-11-20. The types contain what its sources state; the sources do not
    /// state everything. A member, a kind or a value without a type here is kept: members in `otherMembers`, kinds in a
    /// union's case `unknown`. Among these are:
    ///
    /// - the members of tool call content of type `session`, and of a terminal's `size`;
    /// - the `icons` of a resource link, which the content blocks of version 1 do not name;
    /// - the `data` of errors;
    /// - unstable parts: `session/fork`, `providers/`, `nes/`, `document/`, MCP over ACP, proxy chains.
    ///
    /// As in version 1, `null` means the same as absence, except in members of type `Patch`.
    ///
    /// The sources also leave some rules open. They do not state what an absent `background` means, how long an
    /// `idempotencyKey` is valid, and which error answers a prompt that is cancelled before it is inserted.
    ///
    /// Source: `agentclientprotocol/agent-client-protocol`, schema 2.0.0-alpha.3, and newer facts from the protocol's
    /// changelog (alpha.8), announcements and RFDs of October and November 2026.
    public enum V2 {
        /// The messages that an agent handles: those that clients send, with their responses.
        public enum Agent {}

        /// The messages that a client handles: those that agents send, with their responses.
        public enum Client {}

        /// Marks a capability as supported. On the wire it is an object, never a Boolean. An absent marker means "not
        /// supported". No marker has members yet, except `_meta`.
        public struct SupportMarker: Object {
            public var otherMembers: OtherMembers

            public init(meta: RawJSON? = nil) {
                otherMembers = OtherMembers(meta: meta)
            }

            /// The marker without members: `{}`.
            public static let supported = Self()
        }

        /// The reason why a session stopped its work. Schema: `StopReason`.
        public typealias StopReason = StateStopReason
    }
}

// MARK: - Messages that are the same in both versions

extension ACP.V2.Agent {
    public typealias SessionListRequest = ACP.Agent.SessionListRequest
    public typealias SessionListResponse = ACP.Agent.SessionListResponse
    public typealias SessionCloseRequest = ACP.Agent.SessionCloseRequest
    public typealias SessionCloseResponse = ACP.Agent.SessionCloseResponse
    public typealias SessionDeleteRequest = ACP.Agent.SessionDeleteRequest
    public typealias SessionDeleteResponse = ACP.Agent.SessionDeleteResponse
}

extension ACP.V2.Client {
    public typealias ElicitationCreateRequest = ACP.Client.ElicitationCreateRequest
    public typealias ElicitationCreateResponse = ACP.Client.ElicitationCreateResponse
    public typealias ElicitationCompleteNotification = ACP.Client.ElicitationCompleteNotification
}
