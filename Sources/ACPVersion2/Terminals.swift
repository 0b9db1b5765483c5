import ACPBase
import ACPClientServices
import ACPSessions
import JSONCoding

extension ACP.V2 {
    /// A terminal of the agent, or a change to it. A new id adds a terminal. Clients only show terminals; they cannot
    /// write to them. In `otherMembers`, `_meta` is a patch, too. Schema: `TerminalUpdate`.
    public struct TerminalUpdate: ACP.Object {
        /// The id of the terminal.
        public var terminalId: ACP.TerminalId
        /// The command.
        public var command: Patch<String>
        /// The working directory: an absolute path.
        public var cwd: Patch<String>
        /// The whole output, which replaces all earlier output. Later chunks are appended to it.
        public var output: Patch<TerminalOutput>
        /// The exit status. Any object, even an empty one, means that the command has exited.
        public var exitStatus: Patch<ACP.TerminalExitStatus>
        /// The size of the terminal. The sources do not state its members, so it is kept as JSON.
        public var size: Patch<RawJSON>
        /// The requests that a client can send about the terminal now.
        public var capabilities: Patch<WorkCapabilities>
        public var otherMembers: OtherMembers

        /// Creates an update that changes nothing. Set the members that change.
        public init(terminalId: ACP.TerminalId, meta: RawJSON? = nil) {
            self.terminalId = terminalId
            (command, cwd, output) = (.unchanged, .unchanged, .unchanged)
            (exitStatus, size, capabilities) = (.unchanged, .unchanged, .unchanged)
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// The whole output of a terminal. Schema: `TerminalOutput`.
    public struct TerminalOutput: ACP.Object {
        /// The bytes, in Base64.
        public var data: String
        public var otherMembers: OtherMembers

        public init(data: String, meta: RawJSON? = nil) {
            self.data = data
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// A part of a terminal's output. Schema: `TerminalOutputChunk`.
    ///
    /// Each chunk is a Base64 text of its own: decode it, then append the bytes. A chunk can end inside a UTF-8 sequence
    /// or an escape sequence.
    public struct TerminalOutputChunk: ACP.Object {
        /// The id of the terminal.
        public var terminalId: ACP.TerminalId
        /// The bytes to append to the output, in Base64.
        public var data: String
        public var otherMembers: OtherMembers

        public init(terminalId: ACP.TerminalId, data: String, meta: RawJSON? = nil) {
            self.terminalId = terminalId
            self.data = data
            otherMembers = OtherMembers(meta: meta)
        }
    }
}
