import Glibc

/// `acpbridge-demo-agent`: an ACP agent over stdio that needs no network, no key and no model. It speaks versions 1
/// and 2 of the protocol.
///
/// `CommandLineArguments` lists its arguments.
/// `ACP_DEMO_PACE_MS`: the time between chunks in milliseconds, unless the prompt or session sets one (default 30;
/// at most an hour).
/// `ACP_DEMO_STATE`: a folder to store sessions in. Without it and without `--store`, sessions end with the process.
/// `PromptHelp` lists the words of a prompt.
@main
enum DemoAgent {
    static func main() {
        do throws(CommandLineArguments.Invalid) {
            try run(CommandLineArguments.parse(CommandLine.arguments.dropFirst()))
        } catch {
            let text = "acpbridge-demo-agent: \(error.message); see --help\n"
            _ = Glibc.write(STDERR_FILENO, text, text.utf8.count)
            exit(EX_USAGE)
        }
    }

    private static func run(_ arguments: CommandLineArguments) {
        guard !arguments.showsHelp else { return print(CommandLineArguments.help, terminator: "") }
        let folder =
            environment("ACP_DEMO_STATE").map { SessionFolder(path: $0) }
            ?? (arguments.stores ? SessionFolder.usual(environment) : nil)
        let machine = AgentMachine(
            configuration(arguments, keepsRecords: folder != nil), restoring: folder?.records() ?? [])
        var loop = StdioLoop(machine: machine, folder: folder)
        loop.run()
    }

    private static func configuration(
        _ arguments: CommandLineArguments, keepsRecords: Bool
    ) -> AgentMachine.Configuration {
        var wall = timespec()
        clock_gettime(CLOCK_REALTIME, &wall)
        let unique = UInt64(bitPattern: Int64(wall.tv_sec)) << 30 ^ UInt64(wall.tv_nsec) ^ UInt64(getpid()) << 44
        var configuration = AgentMachine.Configuration(sessionPrefix: String(arguments.seed ?? unique, radix: 16))
        configuration.startedAtUnixSeconds = arguments.seed == nil ? wall.tv_sec : seededStart
        configuration.seed = arguments.seed ?? 0
        configuration.forcedVersion = arguments.forcedVersion
        configuration.isOlder = arguments.isOlder
        configuration.keepsRecords = keepsRecords
        if let pace = environment("ACP_DEMO_PACE_MS").flatMap({ Int($0) }), pace >= 0 {
            configuration.defaultPaceMilliseconds = min(pace, 3_600_000)
        }
        return configuration
    }

    /// 2026-01-01T00:00:00Z, where the times of a process with a seed begin.
    private static let seededStart = 1_767_225_600

    private static func environment(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
    }
}
