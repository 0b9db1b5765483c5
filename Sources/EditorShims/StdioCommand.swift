import AgentProcess
import Agents
import CommandContext
import Glibc
import Invocations
import LocalBridge
import Posix
import TerminalIO
import WireLogging

/// `acpbridge [stdio]`: an editor starts it as its agent. It passes its three streams to the daemon, which runs the
/// agent on them, and waits for the agent's end. It forwards signals to the agent. In a terminal it becomes the agent.
package struct StdioCommand {
    private let context: ProcessContext

    package init(_ context: ProcessContext) { self.context = context }

    /// Returns the agent's exit status. Does not return if a signal killed the agent.
    package func run(_ options: StdioOptions) throws -> Int32 {
        let request = try launchRequest(options)
        let hints = PersonHints(options)
        hints.beforeStart()
        if Self.isInTerminal { throw Self.replaceProgram(by: request) }
        var link = try connect()
        // From here on signals are forwarded to the agent. Before this point they end this program.
        let signals = try BlockedSignals([SIGTERM, SIGHUP, SIGINT, SIGQUIT])
        let streams = try PassedStreams()
        // This also runs if the daemon dies, so that the agent's output up to then is still copied.
        defer { streams.finish() }
        do {
            try link.launch(request, streams.descriptors)
        } catch is DaemonLink.ConnectionEnded {
            link = try connect()
            try link.launch(request, streams.descriptors)
        }
        streams.closeDescriptors()
        let end = try link.waitForEnd(signals)
        if case .exit(.signaled(let signal)) = end {
            streams.finish()
            hints.agentWasEnded(by: signal, wasForwarded: link.hasForwarded)
        }
        return try exitStatus(for: end, streams)
    }

    /// True if all three streams are terminals: a person or an editor has started the agent for a login, as ACP's terminal
    /// authentication specifies. An ACP client uses pipes or sockets.
    private static var isInTerminal: Bool {
        [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO].allSatisfy { isatty($0) == 1 }
    }

    /// Replaces this program by the agent, which thus gets the terminal itself. Returns only if that fails.
    private static func replaceProgram(by request: LaunchRequest) -> Failure {
        do throws(SpawnError) {
            let search = ProgramSearch(environment: request.environment, directory: request.directory)
            let program = try search.file(for: request.command.first ?? "")
            let code = ProgramReplacement.replace(
                with: [program] + request.command.dropFirst(), environment: request.environment, inheriting: [])
            return Failure(message: "\(program.description): \(String(cString: strerror(code)))", status: 126)
        } catch {
            return Failure(message: "\(error.description)", status: error.exitStatus)
        }
    }

    /// A stopping bridge can accept the connection and then not serve it. This function then connects to the next
    /// bridge.
    private func connect() throws -> DaemonLink {
        for _ in 1..<Self.connectAttempts {
            do {
                return try DaemonLink(DaemonStart(context: context).connect())
            } catch is DaemonLink.ConnectionEnded {}
        }
        return try DaemonLink(DaemonStart(context: context).connect())
    }

    private static let connectAttempts = 5

    private func launchRequest(_ options: StdioOptions) throws -> LaunchRequest {
        let command = commandAsGiven(options)
        var request: LaunchRequest
        if let name = options.agent {
            request = try AgentLaunch(context: context).request(for: name, adding: command)
        } else {
            request = LaunchRequest(
                agent: nil, command: command, directory: context.directory, environment: context.environment,
                fileModeMask: AgentLaunch.fileModeMask, openFilesLimit: AgentLaunch.openFilesLimit)
        }
        request.permissionLimit = options.permissionLimit
        request.wireLog = try wireLog(options)
        request.lifetime = options.keeps ? .keep : options.linger.map { .linger($0) } ?? .standard
        return request
    }

    /// Also opens the file, so that the person who starts the agent gets the error.
    private func wireLog(_ options: StdioOptions) throws(Failure) -> WireLogRequest? {
        guard let file = options.wireLog else { return nil }
        let path = file.hasPrefix("/") ? file : "\(context.directory.description)/\(file)"
        do throws(SystemError) {
            _ = try WireLogRequest.open(path)
        } catch {
            throw Failure(message: "the wire log cannot be written: \(error)")
        }
        return WireLogRequest(path: path, keepsTokens: options.wireLogKeepsTokens)
    }

    /// The agent's command is the end of the command line, and is copied from there byte for byte.
    private func commandAsGiven(_ options: StdioOptions) -> [SystemString] {
        let given = ProcessContext.arguments.suffix(options.command.count)
        return given.map(\.description) == options.command ? Array(given) : options.command.map { SystemString($0) }
    }

    private func exitStatus(for notice: ShimNotice, _ streams: PassedStreams) throws -> Int32 {
        switch notice {
        case .exit(.exited(let code)): return code
        case .exit(.signaled(let signal)):
            streams.finish()
            endProcess(withSignal: signal)
        case .refused(let message, let status): throw Failure(message: "\(message)", status: status)
        case .started: return 0
        }
    }
}
