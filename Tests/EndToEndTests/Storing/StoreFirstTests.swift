import AgentProcess
import EventLoop
import Glibc
import JSONScan
import Posix
import Testing

/// A bridge is killed while it streams at full speed. Its log has every update that any reader had received, with the
/// same number.
@Suite(.blocking) struct StoreFirstTests {
    private static let flood: [SystemString] = [
        Binary.rudeAgent, "flood", "--on", "prompt", "--lines", "200000", "--size", "220", "--updates", "0", "--early",
        "0",
    ]

    @Test func everyReceivedUpdateIsInTheLogAfterAKill() throws {
        try BridgeHome.with { home in
            var daemon = try Daemon(home)
            var lives: [(journal: String, log: [[UInt8]])] = []
            for _ in 1...5 {
                let editor = try EditorSession(Self.flood, in: home)
                let readers = try (0..<3).map { _ in try TinyvexTestClient(home) }
                let stream = try editor.promptMeanwhile("go")
                var seen: [Seen] = []
                for reader in readers { seen.append(try Seen(reader, after: 0)) }
                // The kill comes when the first reader has a random number of updates; the other readers have any
                // number.
                for index in seen.indices { try seen[index].read(.random(in: 1...1500)) }
                try daemon.killAtOnce()
                for index in seen.indices { seen[index].readToTheEnd() }
                #expect(throws: EditorSession.AgentEnded.self) { try stream.wait() }

                daemon = try Daemon(home)
                let log = try Self.checkedLog(home, life: seen[0].journal)
                for seen in seen { expectSame(log.prefix(seen.updates.count), seen.updates) }
                let editorSaw = editor.updates
                let common = min(editorSaw.count, log.count)
                expectSame(log.prefix(common), editorSaw.prefix(common))
                lives.append((seen[0].journal, log))
            }
            for life in lives { expectSame(try Self.checkedLog(home, life: life.journal), life.log) }
        }
    }

    /// One reader and the updates that it has received.
    private struct Seen {
        let reader: TinyvexTestClient
        let journal: String
        var updates: [[UInt8]] = []

        init(_ reader: TinyvexTestClient, after lastSeq: Int64) throws {
            self.reader = reader
            let result = try reader.subscribe("rude-1", after: lastSeq)["result"]
            journal = try #require(result?["journal"]?.stringValue)
        }

        mutating func read(_ count: Int) throws { updates += try reader.updates(count) }

        /// Reads the updates that were in flight when the bridge died. A truncated frame does not count as received.
        mutating func readToTheEnd() {
            while let update = try? reader.nextUpdate() { updates.append(update) }
        }
    }

    /// Returns all stored updates of an incarnation, read through a subscription. The history must return the same
    /// updates. The agent numbers its updates, so a gap, a duplicate or a foreign update is detected.
    private static func checkedLog(_ home: BridgeHome, life: String) throws -> [[UInt8]] {
        let client = try TinyvexTestClient(home)
        let params = #","journal":"\#(life)""#
        let head = try client.subscribe("rude-1", after: 0, params: params)["result"]?["headSeq"]?.int64Value
        let log = try client.updates(Int(try #require(head)))
        for (index, line) in log.enumerated() {
            let end = Array(#","_meta":{"n":\#(index + 1)}}}"#.utf8)
            guard !line.suffix(end.count).elementsEqual(end) else { continue }
            Issue.record("update \(index + 1) is \(String(decoding: line, as: UTF8.self))")
            break
        }
        let history = try client.history(of: "rude-1", params: params)
        #expect(history.map(\.seq) == log.indices.map { Int64($0) + 1 })
        expectSame(history.map(\.line), log)
        return log
    }
}
