import ACPBase
import ACPMethods
import ACPSessions
import JSONCoding

extension ACP.Client {
    /// Runs a command in a new terminal. The client responds at once, without waiting for the command to end. Only
    /// for clients with the `terminal` capability. Schema: `CreateTerminalRequest`.
    public struct TerminalCreateRequest: ACP.Request {
        public typealias Response = TerminalCreateResponse
        public static let method = ACPMethod.terminalCreate.name

        /// The session that makes the request.
        public var sessionId: ACP.SessionId
        /// The program.
        public var command: String
        /// The program's arguments.
        @Lenient public var args: [String]
        /// Environment variables to set.
        @Lenient public var env: [ACP.EnvVariable]
        /// The working directory: an absolute path.
        @Lenient public var cwd: String?
        /// The maximum number of bytes of output to keep. If there is more, the client drops whole characters from
        /// the beginning.
        @Lenient public var outputByteLimit: UInt64?
        public var otherMembers: OtherMembers

        public init(
            sessionId: ACP.SessionId, command: String, args: [String] = [], env: [ACP.EnvVariable] = [],
            cwd: String? = nil, outputByteLimit: UInt64? = nil, meta: RawJSON? = nil
        ) {
            self.sessionId = sessionId
            self.command = command
            self.args = args
            self.env = env
            self.cwd = cwd
            self.outputByteLimit = outputByteLimit
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// The command is running. Schema: `CreateTerminalResponse`.
    public struct TerminalCreateResponse: ACP.Object {
        /// The id for the other `terminal/` methods. The agent must release it when it no longer needs the
        /// terminal.
        public var terminalId: ACP.TerminalId
        public var otherMembers: OtherMembers

        public init(terminalId: ACP.TerminalId, meta: RawJSON? = nil) {
            self.terminalId = terminalId
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// Returns a terminal's output so far, without waiting. Schema: `TerminalOutputRequest`.
    public struct TerminalOutputRequest: ACP.Request {
        public typealias Response = TerminalOutputResponse
        public static let method = ACPMethod.terminalOutput.name

        /// The session that makes the request.
        public var sessionId: ACP.SessionId
        /// The id that `terminal/create` returned.
        public var terminalId: ACP.TerminalId
        public var otherMembers: OtherMembers

        public init(sessionId: ACP.SessionId, terminalId: ACP.TerminalId, meta: RawJSON? = nil) {
            self.sessionId = sessionId
            self.terminalId = terminalId
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// The output of a terminal. Schema: `TerminalOutputResponse`.
    public struct TerminalOutputResponse: ACP.Object {
        /// The output so far, or the end of it if it was truncated.
        public var output: String
        /// True when the beginning of the output was dropped.
        public var truncated: Bool
        /// The exit status of the command; absent while it runs.
        @Lenient public var exitStatus: ACP.TerminalExitStatus?
        public var otherMembers: OtherMembers

        public init(output: String, truncated: Bool, exitStatus: ACP.TerminalExitStatus? = nil, meta: RawJSON? = nil) {
            self.output = output
            self.truncated = truncated
            self.exitStatus = exitStatus
            otherMembers = OtherMembers(meta: meta)
        }
    }
}

extension ACP {
    /// The exit status of a command. Schema: `TerminalExitStatus`.
    public struct TerminalExitStatus: Object {
        /// The exit code; absent if a signal ended the command.
        @Lenient public var exitCode: UInt32?
        /// The signal that ended the command, for example `SIGTERM`.
        @Lenient public var signal: String?
        public var otherMembers: OtherMembers

        public init(exitCode: UInt32? = nil, signal: String? = nil, meta: RawJSON? = nil) {
            self.exitCode = exitCode
            self.signal = signal
            otherMembers = OtherMembers(meta: meta)
        }
    }
}

extension ACP.Client {
    /// Waits until a command has exited. Schema: `WaitForTerminalExitRequest`.
    public struct TerminalWaitForExitRequest: ACP.Request {
        public typealias Response = TerminalWaitForExitResponse
        public static let method = ACPMethod.terminalWaitForExit.name

        /// The session that makes the request.
        public var sessionId: ACP.SessionId
        /// The id that `terminal/create` returned.
        public var terminalId: ACP.TerminalId
        public var otherMembers: OtherMembers

        public init(sessionId: ACP.SessionId, terminalId: ACP.TerminalId, meta: RawJSON? = nil) {
            self.sessionId = sessionId
            self.terminalId = terminalId
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// The command has exited. Schema: `WaitForTerminalExitResponse`.
    public struct TerminalWaitForExitResponse: ACP.Object, DecodableFromNull {
        /// The exit code; absent if a signal ended the command.
        @Lenient public var exitCode: UInt32?
        /// The signal that ended the command, for example `SIGTERM`.
        @Lenient public var signal: String?
        public var otherMembers: OtherMembers

        public init(exitCode: UInt32? = nil, signal: String? = nil, meta: RawJSON? = nil) {
            self.exitCode = exitCode
            self.signal = signal
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// Kills a command. The terminal and its output remain. Schema: `KillTerminalRequest`.
    public struct TerminalKillRequest: ACP.Request {
        public typealias Response = TerminalKillResponse
        public static let method = ACPMethod.terminalKill.name

        /// The session that makes the request.
        public var sessionId: ACP.SessionId
        /// The id that `terminal/create` returned.
        public var terminalId: ACP.TerminalId
        public var otherMembers: OtherMembers

        public init(sessionId: ACP.SessionId, terminalId: ACP.TerminalId, meta: RawJSON? = nil) {
            self.sessionId = sessionId
            self.terminalId = terminalId
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// The command was killed. Schema: `KillTerminalResponse`.
    public struct TerminalKillResponse: ACP.Object, DecodableFromNull {
        public var otherMembers: OtherMembers

        public init(meta: RawJSON? = nil) {
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// Releases a terminal. A command that still runs is killed, and the id becomes invalid. Schema:
    /// `ReleaseTerminalRequest`.
    public struct TerminalReleaseRequest: ACP.Request {
        public typealias Response = TerminalReleaseResponse
        public static let method = ACPMethod.terminalRelease.name

        /// The session that makes the request.
        public var sessionId: ACP.SessionId
        /// The id that `terminal/create` returned.
        public var terminalId: ACP.TerminalId
        public var otherMembers: OtherMembers

        public init(sessionId: ACP.SessionId, terminalId: ACP.TerminalId, meta: RawJSON? = nil) {
            self.sessionId = sessionId
            self.terminalId = terminalId
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// The terminal was released. Schema: `ReleaseTerminalResponse`.
    public struct TerminalReleaseResponse: ACP.Object, DecodableFromNull {
        public var otherMembers: OtherMembers

        public init(meta: RawJSON? = nil) {
            otherMembers = OtherMembers(meta: meta)
        }
    }
}
