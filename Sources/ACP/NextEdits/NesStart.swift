import JSONCoding

extension ACP.Agent {
    /// Unstable. Opens a session of next edits. Schema: `StartNesRequest`.
    public struct NesStartRequest: ACP.Request, DecodableFromNull {
        public typealias Response = NesStartResponse
        public static let method = "nes/start"

        /// The root of the workspace.
        @Lenient public var workspaceUri: String?
        /// Its folders.
        public var workspaceFolders: [ACP.WorkspaceFolder]?
        /// The Git repository it is.
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
}

extension ACP.Agent {
    /// Unstable. The session is open. Schema: `StartNesResponse`.
    public struct NesStartResponse: ACP.Object {
        /// For the other `nes/` and the `document/` methods.
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
        /// Its address.
        public var uri: String
        /// For the user.
        public var name: String
        public var otherMembers: OtherMembers

        public init(uri: String, name: String, meta: RawJSON? = nil) {
            self.uri = uri
            self.name = name
            otherMembers = OtherMembers(meta: meta)
        }
    }
}

extension ACP {
    /// Unstable. A Git repository. Schema: `NesRepository`.
    public struct NesRepository: Object {
        /// Its name.
        public var name: String
        /// Whose it is.
        public var owner: String
        /// Its address.
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
