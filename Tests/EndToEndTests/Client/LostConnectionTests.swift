import AgentProcess
import EventLoop
import Foundation
import Posix
import TestSupport
import Testing
import TinyvexClient

/// A typed stream over connections that break at random points.
///
/// `ACPBRIDGE_TEST_UPDATES=100000 ACPBRIDGE_TEST_LOSSES=200` tests the full claim; it takes half a minute.
@Suite(.blockingAndSuspending, .timeLimit(.minutes(10))) struct LostConnectionTests {
    private static let updates = number("ACPBRIDGE_TEST_UPDATES") ?? 20_000
    private static let losses = number("ACPBRIDGE_TEST_LOSSES") ?? 100

    private static func number(_ variable: String) -> Int? { getenv(variable).flatMap { Int(String(cString: $0)) } }

    /// Updates that contain their number in their text. The agent writes them in bursts, so that some come live and
    /// some from the log.
    private static let program = #"""
        BEGIN { for (i = 1; i <= count; i++) {
          printf "{\"jsonrpc\":\"2.0\",\"method\":\"session/update\",\"params\":{\"sessionId\":\"s1\",\"update\":"
          printf "{\"sessionUpdate\":\"agent_message_chunk\",\"content\":{\"type\":\"text\",\"text\":\"%d\"}}}}\n", i
          if (i % 2000 == 0) { fflush(); system("sleep 0.02") }
        } }
        """#

    /// The total life of these connections is shorter than the time for all updates, so every connection breaks.
    private static func faults() -> [BadNetwork.Fault] {
        var generator = SeededGenerator(seed: 3)
        let longest = updates * 150 / losses
        return (0..<losses).map { _ in
            BadNetwork.Fault(
                lifeBytes: Int.random(in: 1...longest, using: &generator), resets: Bool.random(using: &generator))
        }
    }

    @Test func eachUpdateArrivesOnceAndInOrderAcrossReconnections() async throws {
        try await BridgeHome.with { home in
            let daemon = try Daemon(home, ["--listen", ":0"])
            let network = try BadNetwork(to: try #require(daemon.address), Self.faults())
            let agent = try EditorProcess(
                BridgeHome.bridged(["awk", "-v", SystemString("count=\(Self.updates)"), SystemString(Self.program)]),
                in: home)
            agent.closeInput()
            try agent.readOutput(untilBytes: 1)
            let client = try home.client(port: network.port, token: home.ownToken)
            let count = try Background { try agent.outcome().output.count(where: { $0 == 0x0a }) }
            var next: Int64 = 1
            for try await event in client.sessionEvents(sessionId: "s1") {
                switch event {
                case .update(let seq, let update):
                    guard seq == next, update.update.text == String(next) else {
                        throw Overdue("update \(next) arrives; received \(seq): \(update.line)")
                    }
                    next += 1
                case .skipped, .restarted, .unreadable: throw Overdue("each update arrives; received \(event)")
                case .opened, .ended, .notice: break
                }
                if next > Self.updates { break }
            }
            #expect(network.brokenCount == Self.losses)
            #expect(try count.wait() == Self.updates)
        }
    }

    /// Each connection lives for a few answers, and breaks during an answer or before it.
    @Test func aMutationWithALostAnswerIsRetriedAndRunsOnce() async throws {
        try await BridgeHome.with { home in
            let daemon = try Daemon(home, ["--listen", ":0"])
            let editor = try EditorSession([Binary.rudeAgent, "echo"], in: home)
            var generator = SeededGenerator(seed: 5)
            let faults = (0..<40).map { _ in
                BadNetwork.Fault(
                    lifeBytes: Int.random(in: 500...1500, using: &generator), resets: Bool.random(using: &generator))
            }
            let network = try BadNetwork(to: try #require(daemon.address), faults)
            let client = try home.client(port: network.port, token: home.ownToken)
            let count = 200
            for number in 1...count {
                let value: [String: String] = try await client.mutation(
                    "sessions:setTitle", with: ["sessionId": editor.sessionId, "title": "\(number)"])
                #expect(value == ["title": "\(number)"])
            }
            #expect(network.brokenCount > 30)
            let runs = wholeLines(of: FileBytes.read(home.path + "/state/audit.log") ?? []).count {
                String(decoding: $0, as: UTF8.self).contains("sessions:setTitle")
            }
            #expect(runs == count)
            try editor.end()
        }
    }
}
