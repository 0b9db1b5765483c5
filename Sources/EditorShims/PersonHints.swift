import Glibc
import Invocations
import TerminalIO

/// Messages for a person who runs `acpbridge stdio` without an editor. An editor never gets them.
struct PersonHints {
    private let options: StdioOptions
    private let input: Input

    private enum Input {
        case terminal
        /// An editor's pipe or socket.
        case stream
        /// A file, or a device such as `/dev/null`.
        case other
    }

    init(_ options: StdioOptions) {
        self.options = options
        input = Self.kind(of: STDIN_FILENO)
    }

    private static func kind(of stream: Int32) -> Input {
        if Console.isTerminal(stream) { return .terminal }
        var status = stat()
        guard fstat(stream, &status) == 0 else { return .other }
        return [S_IFIFO, S_IFSOCK].contains(status.st_mode & S_IFMT) ? .stream : .other
    }

    /// Call before the agent starts. An editor that lets its user log in starts the agent in a terminal with additional
    /// arguments; the program then prints no hint.
    func beforeStart() {
        guard input == .terminal, let agent = options.agent, options.command.isEmpty else { return }
        let run = "`acpbridge run --agent \(agent)`"
        Console.report(
            """
            acpbridge: this command is for an editor's settings: it expects ACP messages (JSON), not prompts. \
            To work with the agent in this terminal, use \(run). Ctrl-C exits.
            """)
    }

    /// Call when a signal has ended the agent.
    ///
    /// - Parameter wasForwarded: This process received the signal and forwarded it.
    func agentWasEnded(by signal: Int32, wasForwarded: Bool) {
        guard input != .stream, !wasForwarded, signal == SIGTERM || signal == SIGKILL else { return }
        Console.report(
            "acpbridge: standard input has ended, so the agent was ended (signal \(signal)); an editor keeps it open")
    }
}
