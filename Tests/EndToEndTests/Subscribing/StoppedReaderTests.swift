import AgentProcess
import JSONScan
import Testing

@Suite(.blocking) struct StoppedReaderTests {
    /// The permitted growth of the bridge: the newest frames of a session and the pages that are held for readers, 4
    /// MiB each, and the updates that wait for the log.
    private static let growthLimitBytes: Int64 = 16 << 20

    /// 60 MB while twenty readers read nothing: the bridge does not grow, and the editor and another reader get
    /// everything in time. When the twenty read again, they have missed nothing.
    @Test func aStoppedReaderCostsNoMemoryAndDelaysNoOtherClient() throws {
        let lineCount = 2000
        try BridgeHome.with { home in
            _ = try Daemon(home)
            let agent: [SystemString] = [
                Binary.rudeAgent, "flood", "--on", "prompt", "--lines", SystemString("\(lineCount)"), "--size", "30000",
            ]
            // The pace is one that any disk can follow, because the test does not measure data that waits for the disk.
            let editor = try EditorSession(agent + ["--rate", "500", "--updates", "0", "--late", "0"], in: home)
            let stopped = try (0..<20).map { _ in try TinyvexTestClient(home) }
            for client in stopped { _ = try client.subscribe("rude-1", after: 0) }
            let fast = try TinyvexTestClient(home)
            _ = try fast.subscribe("rude-1", after: 0)

            let observer = try TinyvexTestClient(home)
            let before = try observer.residentBytes()
            var peak = before
            let stream = try editor.promptMeanwhile("go")
            var got: [[UInt8]] = []
            while got.count <= lineCount {
                got += try fast.updates(min(100, lineCount + 1 - got.count))
                peak = max(peak, try observer.residentBytes())
            }
            try stream.wait()
            let all = editor.updates
            expectSame(got, all)
            let limitBytes = Sanitizer.blursMemory == nil ? Self.growthLimitBytes : .max
            #expect(peak - before < limitBytes, "from \(before) to \(peak) bytes")
            for client in stopped { expectSame(try client.updates(100), all.prefix(100)) }
            for client in stopped.prefix(1) { expectSame(try client.updates(all.count - 100), all.dropFirst(100)) }
            let last = try observer.residentBytes()
            #expect(last - before < limitBytes, "from \(before) over \(peak) to \(last) bytes")
        }
    }
}

extension TinyvexTestClient {
    /// The bridge's resident memory, as the bridge reports it.
    func residentBytes() throws -> Int64 { try status()?["residentBytes"]?.int64Value ?? 0 }

    /// The bridge's status report. Notifications that arrive meanwhile are discarded.
    func status() throws -> JSONValue? {
        _ = try call("tinyvex/subscribe", #"{"subId":"status","name":"bridge:status"}"#)
        let status = try next("tinyvex/data")["params"]?["value"]
        _ = try call("tinyvex/unsubscribe", #"{"subId":"status"}"#)
        _ = takeKept()
        return status
    }
}
