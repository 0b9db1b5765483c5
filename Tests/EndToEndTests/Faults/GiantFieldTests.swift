import AgentProcess
import JSONScan
import SQLite
import Testing

/// Ids and titles of one mebibyte, from an agent and in a log that an earlier version has written.
@Suite(.blocking) struct GiantFieldTests {
    private static let count = 40
    private static let giant = String(repeating: "x", count: 1 << 20)

    private static func update(_ session: String, _ update: String) -> String {
        #"{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"\#(session)","update":\#(update)}}"#
    }

    private static func title(_ title: String) -> String {
        #"{"sessionUpdate":"session_info_update","title":"\#(title)"}"#
    }

    /// `count` sessions with giant titles, and as many sessions with giant ids.
    private static var recording: [UInt8] {
        lines((1...count).flatMap { [update("s\($0)", title(giant)), update("\(giant)\($0)", title("id"))] })
    }

    private static func lines(_ texts: [String]) -> [UInt8] {
        var bytes: [UInt8] = []
        for text in texts { bytes += Array((text + "\n").utf8) }
        return bytes
    }

    private func replaying(_ recording: [UInt8], in home: BridgeHome, options: [SystemString] = []) throws
        -> EditorProcess
    {
        let path = home.path + "/recording.ndjson"
        try FileBytes.write(recording, to: path)
        let agent: [SystemString] = [Binary.rudeAgent, "replay", SystemString(path), "echo"]
        let editor = try EditorProcess([Binary.acpbridge] + options + ["--"] + agent, in: home)
        // A debug build needs a long time for 80 MiB.
        try editor.wait(until: "the agent has written the whole recording", within: .seconds(180)) {
            editor.outputBytes.count >= recording.count
        }
        return editor
    }

    private func expectCommandsWork(_ home: BridgeHome, isRunning: Bool) throws {
        let rows = try home.run("sessions", "--all", "--json")
        #expect(rows.status == .exited(code: 0), "\(rows.errorText)")
        #expect(wholeLines(of: rows.output).count == Self.count)
        for line in wholeLines(of: rows.output) {
            let title = try JSONValue(validating: line)["title"]?.stringValue
            #expect(title == String(Self.giant.prefix(1_000)))
        }
        let table = try home.run("sessions", "--all")
        #expect(table.status == .exited(code: 0) && wholeLines(of: table.output).count == Self.count + 1)
        for name: SystemString in ["s7", "rude-agent:s7", "s39"] {
            let attached = try home.run("attach", name, "--no-follow")
            #expect(attached.status == .exited(code: 0), "\(attached.errorText)")
            let session = name == "s39" ? "s39" : "s7"
            expectSame(wholeLines(of: attached.output), [Array(Self.update(session, Self.title(Self.giant)).utf8)])
        }
        guard isRunning else { return }
        let prompted = try home.run("prompt", "s1", "hello")
        #expect(prompted.status == .exited(code: 0), "\(prompted.errorText)")
        #expect(try home.run("agents").status == .exited(code: 0))
    }

    @Test func giantIdsAndTitlesReachTheEditorAndBreakNoCommand() throws {
        try BridgeHome.with { home in
            _ = try Daemon(home)
            let recording = Self.recording
            let editor = try replaying(recording, in: home)
            expectSame(editor.outputBytes, recording, "the editor's output")
            try eventually("giant ids are counted as not published") {
                try home.status()["unpublishedLines"]?.int64Value == Int64(Self.count)
            }
            try home.waitUntilStored()
            try expectCommandsWork(home, isRunning: true)
            let client = try TinyvexTestClient(home)
            let rows = try client.call("tinyvex/history.recentSessions", #"{"limit":10000}"#)
            #expect(rows.rawText.count < 100 << 10)
            let refused = try client.subscribe(Self.giant + "1")
            #expect(refused.errorCode == "TVX008" && refused.rawText.count < 1 << 10)
            editor.closeInput()
            _ = try editor.outcome()
        }
    }

    @Test func giantFieldsInAnOlderLogBreakNoCommand() throws {
        try BridgeHome.with { home in
            let recording = Self.recording
            let editor = try replaying(recording, in: home)
            editor.closeInput()
            _ = try editor.outcome()
            #expect(try home.run("stop").status == .exited(code: 0))
            try Connection(path: home.path + "/state/sessions.db", .readWrite).execute(
                """
                UPDATE session SET title = printf('%.*c', 1048576, 'x');
                INSERT INTO session(agent, session_id, title, created, last_ts, live, settled, exit)
                    WITH RECURSIVE n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < \(Self.count))
                    SELECT 'rude-agent', printf('%.*c%d', 1048576, 'x', n), 'id', 1, 1, 0, 1, 'exit:0' FROM n
                """)
            _ = try Daemon(home)
            try expectCommandsWork(home, isRunning: false)
        }
    }

    /// More sessions than one page lists, which is 10,000.
    @Test func everySessionIsListedAndFoundRegardlessOfAge() throws {
        try BridgeHome.with { home in
            let first = try Daemon(home)
            let editor = try EditorSession([Binary.rudeAgent, "echo", "--early", "2"], in: home)
            let updates = editor.updates
            try editor.end()
            #expect(try home.run("stop").status == .exited(code: 0))
            _ = first
            let many = 25_000
            try Connection(path: home.path + "/state/sessions.db", .readWrite).execute(
                """
                INSERT INTO session(agent, session_id, created, last_ts, live, settled, exit)
                    WITH RECURSIVE n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < \(many))
                    SELECT 'other', 'old-' || n, 9e12 + n, 9e12 + n / 2, 0, 1, 'exit:0' FROM n
                """)
            _ = try Daemon(home)
            let all = try home.run("sessions", "--all", "--json")
            #expect(all.status == .exited(code: 0), "\(all.errorText)")
            let ids = try wholeLines(of: all.output).map { try JSONValue(validating: $0)["sessionId"]?.stringValue }
            #expect(ids.count == many + 1 && Set(ids).count == many + 1 && ids.last == "rude-1")
            #expect(!all.outputText.contains("nextCursor"))
            #expect(wholeLines(of: try home.run("sessions", "--all", "--tree").output).count == many + 2)
            #expect(try home.run("sessions", "--all").errorText.contains("\(many + 1) ended sessions without a prompt"))
            for name: SystemString in ["rude-1", "rude-agent:rude-1", "rude"] {
                let attached = try home.run("attach", name, "--no-follow")
                expectSame(wholeLines(of: attached.output), updates)
            }
            let ambiguous = try home.run("attach", "old-", "--no-follow")
            #expect(ambiguous.status == .exited(code: 3) && ambiguous.errorText.contains("more than 1000 sessions"))
            #expect(try home.run("attach", "never-was").status == .exited(code: 3))
        }
    }

    /// Rows of 6 KB, because their titles are escaped. All rows together do not fit on one page.
    @Test func listsContinueFromTheirCursors() throws {
        try BridgeHome.with { home in
            let daemon = try Daemon(home)
            let escaped = String(repeating: #"\u0001"#, count: 1_000)
            let ids = (1...1_200).map { "s\($0)" }
            let recording = Self.lines(ids.map { Self.update($0, Self.title(escaped)) })
            let editor = try replaying(recording, in: home, options: ["--keep"])
            let client = try TinyvexTestClient(home)
            // The list has 7 MB, so it is not used to wait.
            try eventually("all sessions are stored") {
                let status = try home.status()
                return status["liveSessions"]?.int64Value == Int64(ids.count)
                    && status["unstoredBytes"]?.int64Value == 0
            }
            #expect(try recent(client, "").count == ids.count)
            #expect(try recent(client, #","live":true"#).sorted() == ids.sorted())
            #expect(try recent(client, #","sessionId":"s7""#) == ["s7"])
            #expect(try recent(client, #","sessionId":"s7","agent":"none""#) == [])
            let listed = try value(client, "sessions:list", #"{"limit":200}"#)
            let next = try #require(listed["nextCursor"]?.stringValue)
            let second = try value(client, "sessions:list", #"{"limit":200,"cursor":"\#(next)"}"#)
            let third = try HTTPClient(.unix(path: home.socket)).get("/v1/sessions?limit=50&cursor=\(next)").json()
            #expect(Self.ids(second).prefix(50) == Self.ids(third)[...] && third["nextCursor"] != nil)
            #expect(Set(Self.ids(listed) + Self.ids(second)).count == 400)
            #expect(try client.call("tinyvex/history.recentSessions", #"{"cursor":"x"}"#).errorCode == "-32602")
            let agents = try value(client, "agents:list")["running"]?.elements.first
            #expect(agents?["sessions"]?.elements.count == ids.count)
            editor.closeInput()
            _ = try editor.exitStatus()
            withExtendedLifetime(daemon) {}
        }
    }

    private static func ids(_ page: JSONValue) -> [String] {
        (page["data"]?.elements ?? []).compactMap { $0["sessionId"]?.stringValue }
    }

    private func value(_ client: TinyvexTestClient, _ name: String, _ params: String = "{}") throws -> JSONValue {
        #expect(try client.watch(name, params)["result"] != nil)
        defer { _ = try? client.call("tinyvex/unsubscribe", #"{"subId":"v"}"#) }
        return try client.nextValue().value
    }

    @Test func theACPSessionListContinuesFromItsCursor() throws {
        try BridgeHome.with { home in
            let escaped = String(repeating: #"\u0001"#, count: 1_000)
            let ids = (1...300).map { "s\($0)" }
            let recording = Self.lines(ids.map { Self.update($0, Self.title(escaped)) })
            let path = home.path + "/recording.ndjson"
            try FileBytes.write(recording, to: path)
            try home.addAgent("rude", [Binary.rudeAgent, "replay", SystemString(path), "echo"])
            let editor = try EditorProcess([Binary.acpbridge, "--keep", "--agent", "rude"], in: home)
            try editor.readOutput(untilBytes: recording.count)
            try editor.openSession()
            editor.closeInput()
            _ = try editor.exitStatus()
            let client = try RemoteTestClient(home, path: "/acp?agent=rude")
            try client.initialize()
            var (listed, pages, cursor): ([String], Int, String?) = ([], 0, nil)
            repeat {
                let answer = try client.wire.call(
                    "session/list", cursor.map { #"{"cursor":"\#($0)"}"# } ?? "{}")
                #expect(answer.rawText.count < 600 << 10)
                listed += (answer["result"]?["sessions"]?.elements ?? []).compactMap { $0["sessionId"]?.stringValue }
                cursor = answer["result"]?["nextCursor"]?.stringValue
                pages += 1
            } while cursor != nil && pages < 100
            #expect(pages > 2)
            #expect(Set(listed) == Set(ids + ["rude-1"]) && listed.count == ids.count + 1)
        }
    }

    /// The ids of all pages.
    private func recent(_ client: TinyvexTestClient, _ params: String) throws -> [String] {
        var ids: [String] = []
        var cursor = ""
        while true {
            let answer = try client.call("tinyvex/history.recentSessions", #"{"limit":10000\#(params)\#(cursor)}"#)
            #expect(answer.rawText.count < 4 << 20 + 1 << 10)
            let rows = answer["result"]?.elements ?? []
            ids += rows.compactMap { $0["sessionId"]?.stringValue }
            guard let next = rows.last?["nextCursor"]?.stringValue else { return ids }
            cursor = #","cursor":"\#(next)""#
        }
    }
}
