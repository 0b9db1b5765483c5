import JSONCoding

extension ACP.Client {
    /// Writes a text file, and makes it if need be. For clients that have `fs.writeTextFile`. Schema:
    /// `WriteTextFileRequest`.
    public struct FsWriteTextFileRequest: ACP.Request {
        public typealias Response = FsWriteTextFileResponse
        public static let method = "fs/write_text_file"

        /// The session that asks.
        public var sessionId: ACP.SessionId
        /// The file: an absolute path.
        public var path: String
        /// All that the file is to hold.
        public var content: String
        public var otherMembers: OtherMembers

        public init(sessionId: ACP.SessionId, path: String, content: String, meta: RawJSON? = nil) {
            self.sessionId = sessionId
            self.path = path
            self.content = content
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// The file is written. Clients also answer `null`. Schema: `WriteTextFileResponse`.
    public struct FsWriteTextFileResponse: ACP.Object, DecodableFromNull {
        public var otherMembers: OtherMembers

        public init(meta: RawJSON? = nil) {
            otherMembers = OtherMembers(meta: meta)
        }
    }
}
