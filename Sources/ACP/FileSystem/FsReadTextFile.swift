import JSONCoding

extension ACP.Client {
    /// Reads a text file, with what the editor has not saved. For clients that have `fs.readTextFile`. Schema:
    /// `ReadTextFileRequest`.
    public struct FsReadTextFileRequest: ACP.Request {
        public typealias Response = FsReadTextFileResponse
        public static let method = "fs/read_text_file"

        /// The session that asks.
        public var sessionId: ACP.SessionId
        /// The file: an absolute path.
        public var path: String
        /// The first line to read, from 1.
        @Lenient public var line: UInt32?
        /// How many lines at most.
        @Lenient public var limit: UInt32?
        public var otherMembers: OtherMembers

        public init(
            sessionId: ACP.SessionId, path: String, line: UInt32? = nil, limit: UInt32? = nil, meta: RawJSON? = nil
        ) {
            self.sessionId = sessionId
            self.path = path
            self.line = line
            self.limit = limit
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// What the file holds. Schema: `ReadTextFileResponse`.
    public struct FsReadTextFileResponse: ACP.Object {
        /// The lines that were asked for.
        public var content: String
        public var otherMembers: OtherMembers

        public init(content: String, meta: RawJSON? = nil) {
            self.content = content
            otherMembers = OtherMembers(meta: meta)
        }
    }
}
