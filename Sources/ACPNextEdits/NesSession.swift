import ACPBase
import ACPMethods
import JSONCoding

extension ACP.Agent {
    /// Unstable. Opens a session of next edits. Schema: `StartNesRequest`.
    public struct NesStartRequest: ACP.Request, DecodableFromNull {
        public typealias Response = NesStartResponse
        public static let method = ACPMethod.nesStart.name

        /// The URI of the workspace's root.
        @Lenient public var workspaceUri: String?
        /// The folders of the workspace.
        public var workspaceFolders: [ACP.WorkspaceFolder]?
        /// The Git repository of the workspace.
        @Lenient public var repository: ACP.NesRepository?
        public var otherMembers: OtherMembers

        public init(
            workspaceUri: String? = nil, workspaceFolders: [ACP.WorkspaceFolder]? = nil,
            repository: ACP.NesRepository? = nil, meta: RawJSON? = nil
        ) {
            self.workspaceUri = workspaceUri
            self.workspaceFolders = workspaceFolders
            self.repository = repository
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// Unstable. The session is open. Schema: `StartNesResponse`.
    public struct NesStartResponse: ACP.Object {
        /// The session id for the other `nes/` methods and the `document/` methods.
        public var sessionId: ACP.SessionId
        public var otherMembers: OtherMembers

        public init(sessionId: ACP.SessionId, meta: RawJSON? = nil) {
            self.sessionId = sessionId
            otherMembers = OtherMembers(meta: meta)
        }
    }
}

extension ACP {
    /// Unstable. A folder of a workspace. Schema: `WorkspaceFolder`.
    public struct WorkspaceFolder: Object {
        /// The URI.
        public var uri: String
        /// The name to show to the user.
        public var name: String
        public var otherMembers: OtherMembers

        public init(uri: String, name: String, meta: RawJSON? = nil) {
            self.uri = uri
            self.name = name
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// Unstable. A Git repository. Schema: `NesRepository`.
    public struct NesRepository: Object {
        /// The name of the repository.
        public var name: String
        /// The owner of the repository.
        public var owner: String
        /// The URL of the remote.
        public var remoteUrl: String
        public var otherMembers: OtherMembers

        public init(name: String, owner: String, remoteUrl: String, meta: RawJSON? = nil) {
            self.name = name
            self.owner = owner
            self.remoteUrl = remoteUrl
            otherMembers = OtherMembers(meta: meta)
        }
    }
}

extension ACP.Agent {
    /// Unstable. Closes a session of next edits. Schema: `CloseNesRequest`.
    public struct NesCloseRequest: ACP.Request {
        public typealias Response = NesCloseResponse
        public static let method = ACPMethod.nesClose.name

        /// The session id that `nes/start` returned.
        public var sessionId: ACP.SessionId
        public var otherMembers: OtherMembers

        public init(sessionId: ACP.SessionId, meta: RawJSON? = nil) {
            self.sessionId = sessionId
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// Unstable. The session is closed. Schema: `CloseNesResponse`.
    public struct NesCloseResponse: ACP.Object, DecodableFromNull {
        public var otherMembers: OtherMembers

        public init(meta: RawJSON? = nil) {
            otherMembers = OtherMembers(meta: meta)
        }
    }
}
