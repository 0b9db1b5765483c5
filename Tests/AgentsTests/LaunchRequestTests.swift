import AgentProcess
import Testing
import WireLogging

@testable import Agents

@Suite struct LaunchRequestTests {
    @Test func launchRequestsRoundTrip() {
        var request = LaunchRequest(
            agent: "codex", command: ["a b", "\"quoted\"", "ü\n"], directory: "/tmp/ö",
            environment: ["A=1", "B=\\x", SystemString(bytes: [0x43, 0x3d, 0xff])],
            fileModeMask: 0o077, openFilesLimit: 1024)
        #expect(LaunchRequest(json: request.json()) == request)
        request.lifetime = .keep
        request.permissionLimit = .seconds(90)
        request.limits = ProcessLimits(memoryBytes: 1 << 30, cpuSeconds: 1, processes: 2, openFiles: 3)
        request.wireLog = WireLogRequest(path: "/tmp/ü", keepsTokens: true)
        request.restartsOnFailure = true
        #expect(LaunchRequest(json: request.json()) == request)
        #expect(!request.json().contains(0x0a))
    }

    @Test func aTimeBeyondAllClocksIsSentAsTheLongestOne() {
        var request = LaunchRequest(
            agent: nil, command: ["a"], directory: "/", environment: [], fileModeMask: 0, openFilesLimit: 1)
        request.permissionLimit = .seconds(Int64.max)
        #expect(LaunchRequest(json: request.json())?.permissionLimit == .milliseconds(Int64.max))
    }

    @Test(arguments: [
        "", "{}", "[]", #"{"command":["a"],"directory":"/"}"#, #"{"command":[1],"directory":"/","environment":[]}"#,
    ])
    func incompleteLaunchRequestsAreRefused(json: String) { #expect(LaunchRequest(json: Array(json.utf8)) == nil) }

    @Test(arguments: [
        ShimNotice.started(pid: 42), .exit(.exited(code: 3)), .exit(.signaled(signal: 9)),
        .refused(message: "no\n", status: 127),
    ])
    func noticesRoundTrip(notice: ShimNotice) {
        #expect(ShimNotice(json: notice.json()) == notice)
    }

    @Test func onlyValidSignalNumbersAreAccepted() {
        #expect(ShimSignal(json: ShimSignal(signal: 15).json()) == ShimSignal(signal: 15))
        for json in [#"{"signal":0}"#, #"{"signal":65}"#, #"{"signal":-9}"#, #"{"signal":"9"}"#, "{}"] {
            #expect(ShimSignal(json: Array(json.utf8)) == nil)
        }
    }
}
