import AgentProcess
import Glibc

/// The built programs, which are in the same folder as the test bundle.
enum Binary {
    /// The one of this build, or the one that `TESTED_PROGRAM` names: an optimiser can make faults.
    static let acpbridge = getenv("TESTED_PROGRAM").map { SystemString(cString: $0) } ?? path("acpbridge")
    static let demoAgent = path("acpbridge-demo-agent")
    static let rudeAgent = path("rude-agent")
    static let watchSession = path("watch-session")
    static let driveSession = path("drive-session")
    static let liveSessions = path("live-sessions")
    static let answerRequests = path("answer-requests")

    private static func path(_ name: String) -> SystemString {
        guard let bundle = realpath("/proc/self/exe", nil) else { return SystemString(name) }
        defer { free(bundle) }
        let folder = String(cString: bundle).split(separator: "/", omittingEmptySubsequences: false).dropLast()
        return SystemString((folder + [name[...]]).joined(separator: "/"))
    }
}
