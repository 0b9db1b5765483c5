import JSONCoding

extension ACP.Client {
    /// Writes a text file, and creates it if it does not exist. Only for clients with the `fs.writeTextFile`
    /// capability. Schema: `WriteTextFileRequest`.
    public struct FsWriteTextFileRequest: ACP.Request {
        public typealias Response = FsWriteTextFileResponse
        public static let method = "fs/write_text_file"

        /// The session that makes the request.
        public var sessionId: ACP.SessionId
        /// The absolute path of the file.
        public var path: String
        /// The new contents of the whole file.
        public var content: String
        public var otherMembers: OtherMembers

        public init(sessionId: ACP.SessionId, path: String, content: String, meta: RawJSON? = nil) {
            self.sessionId = sessionId
            self.path = path
            self.content = content
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// The file was written. Some clients respond with `null`. Schema: `WriteTextFileResponse`.
    public struct FsWriteTextFileResponse: ACP.Object, DecodableFromNull {
        public var otherMembers: OtherMembers

        public init(meta: RawJSON? = nil) {
            otherMembers = OtherMembers(meta: meta)
        }
    }
}
