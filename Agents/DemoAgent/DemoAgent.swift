import Glibc

/// `acpbridge-demo-agent`: an ACP v1 agent over stdio that needs no network, no key and no model.
///
/// `ACP_DEMO_PACE_MS`: the time between chunks in milliseconds, unless the prompt or session sets one (default 30;
/// at most an hour).
/// `ACP_DEMO_STATE`: a folder to store sessions in. Without it, sessions end with the process.
/// `PromptOptions` and `/help` list the options of a prompt.
@main
enum DemoAgent {
    static func main() {
        let folder = environment("ACP_DEMO_STATE").map(SessionFolder.init(path:))
        let machine = AgentMachine(configuration(keepsRecords: folder != nil), restoring: folder?.records() ?? [])
        var loop = StdioLoop(machine: machine, folder: folder)
        loop.run()
    }

    private static func configuration(keepsRecords: Bool) -> AgentMachine.Configuration {
        var wall = timespec()
        clock_gettime(CLOCK_REALTIME, &wall)
        let seed = UInt64(bitPattern: Int64(wall.tv_sec)) << 30 ^ UInt64(wall.tv_nsec) ^ UInt64(getpid()) << 44
        var configuration = AgentMachine.Configuration(sessionPrefix: String(seed, radix: 16))
        configuration.startedAtUnixSeconds = wall.tv_sec
        configuration.keepsRecords = keepsRecords
        if let pace = environment("ACP_DEMO_PACE_MS").flatMap({ Int($0) }), pace >= 0 {
            configuration.defaultPaceMilliseconds = min(pace, 3_600_000)
        }
        return configuration
    }

    private static func environment(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
    }
}
