import BenchMeasuring
import EventLoop
import Glibc
import Posix
import TinyvexClient

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Reads sessions with TinyvexClient, as typed updates, in its own process, so that its cost can be measured
/// separately.
///
/// Prints `connected` with one subscription and, after it has read a line, `ready` with all of them. When all updates
/// have arrived, it prints their delays in nanoseconds: `50 %`, `99 %` and the maximum.
package struct LibraryReader {
    private let options: LibraryReaderOptions
    private let client: TinyvexClient
    private let tally = Tally()

    package init(_ options: LibraryReaderOptions) {
        self.options = options
        client = TinyvexClient(endpoint: URL(filePath: options.socket))
    }

    package func run() throws {
        follow(1...1)
        try tally.wait { $0.opened == 1 }
        Output.print("connected")
        _ = readLine()
        if options.sessions > 1 { follow(2...options.sessions) }
        try tally.wait { $0.opened == options.sessions }
        Output.print("ready")
        try tally.wait { $0.updates >= options.lines }
        let latencies = tally.latencies
        let figures = [50.0, 99, 100].map { latencies.percentile($0) ?? 0 }
        Output.print(figures.map { String($0) }.joined(separator: " "))
        // The benchmark measures this state until it sends a line.
        _ = readLine()
        client.close()
    }

    private func follow(_ sessions: ClosedRange<Int>) {
        for session in sessions {
            Task { [client, tally] in
                do {
                    try await Self.follow(ACPSessionId(rawValue: UpdateLine.sessionId(session)), client, tally)
                } catch {
                    tally.fail("\(error)")
                }
            }
        }
    }

    private static func follow(
        _ session: ACPSessionId, _ client: TinyvexClient, _ tally: Tally
    ) async throws(TinyvexError) {
        for try await event in client.sessionEvents(sessionId: session, from: .now) {
            switch event {
            case .opened: tally.opened()
            case .update(_, let update): tally.add(latency(of: update))
            case .skipped, .restarted, .unreadable: tally.fail("updates are missing: \(event)")
            case .ended, .notice: break
            }
        }
    }

    /// The time since the agent's write, or nil when the update has no stamp.
    private static func latency(of update: ACP.Client.SessionNotificationWire) -> Int64? {
        guard case .agentMessageChunk(let chunk) = update.update, case .text(let content) = chunk.content else {
            return nil
        }
        let stamp = Array(content.text.utf8.prefix(Stamp.byteCount)).withUnsafeBytes { Stamp.read($0) }
        return stamp.map { Instant.now.nanoseconds - $0 }
    }
}
