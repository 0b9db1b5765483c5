import ACPBase
import ACPMethods
import JSONCoding

extension ACP.Client {
    /// Reads a text file, including changes that the editor has not saved. Only for clients with the
    /// `fs.readTextFile` capability. Schema: `ReadTextFileRequest`.
    public struct FsReadTextFileRequest: ACP.Request {
        public typealias Response = FsReadTextFileResponse
        public static let method = ACPMethod.fsReadTextFile.name

        /// The session that makes the request.
        public var sessionId: ACP.SessionId
        /// The absolute path of the file.
        public var path: String
        /// The first line to read, from 1.
        @Lenient public var line: UInt32?
        /// The maximum number of lines to read.
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

    /// The contents of the file. Schema: `ReadTextFileResponse`.
    public struct FsReadTextFileResponse: ACP.Object {
        /// The requested lines.
        public var content: String
        public var otherMembers: OtherMembers

        public init(content: String, meta: RawJSON? = nil) {
            self.content = content
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// Writes a text file, and creates it if it does not exist. Only for clients with the `fs.writeTextFile`
    /// capability. Schema: `WriteTextFileRequest`.
    public struct FsWriteTextFileRequest: ACP.Request {
        public typealias Response = FsWriteTextFileResponse
        public static let method = ACPMethod.fsWriteTextFile.name

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
