import AgentProcess
import Glibc
import JSONScan
import Posix
import Testing

/// `sessions:search` and `acpbridge search`, from an agent's output to the hit.
@Suite(.blocking) struct SearchTests {
    private static func rows(_ home: BridgeHome, _ arguments: SystemString...) throws -> [JSONValue] {
        let outcome = try EditorProcess([Binary.acpbridge, "search", "--json"] + arguments, in: home).outcome()
        #expect(outcome.status == .exited(code: 0))
        return try wholeLines(of: outcome.output).map(JSONValue.init(validating:))
    }

    @Test func bothSidesOfALiveSessionAreFound() throws {
        try BridgeHome.with { home in
            let editor = try EditorSession([Binary.demoAgent], in: home)
            try editor.prompt("/echo quixotic zebras")
            try eventually("the prompt is found") { try !Self.rows(home, "quixotic").isEmpty }
            let rows = try Self.rows(home, "--session", SystemString(editor.sessionId), "\"quixotic zebras\"")
            #expect(rows.allSatisfy { $0["sessionId"]?.stringValue == editor.sessionId })
            let prompt = try #require(rows.first { $0["kind"]?.stringValue == "prompt" })
            #expect(prompt["snippet"]?.elements.compactMap(\.stringValue) == ["/echo ", "quixotic zebras"])
            #expect(try Self.rows(home, "zebras quixotic", "--agent", "nobody").isEmpty)
            #expect(try home.run("search", "quixotic").outputText.contains("quixotic zebras"))
            #expect(try home.run("search", "zebras").outputText.contains(editor.sessionId))
        }
    }

    @Test func aDeletedSessionIsNotFoundAndADeletedIndexIsBuiltAgain() throws {
        try BridgeHome.with { home in
            for word in ["walrus", "zebra"] {
                let editor = try EditorSession([Binary.demoAgent], in: home)
                try editor.prompt("/echo \(word)")
                try editor.end()
                try eventually("\(word) is found") { try !Self.rows(home, SystemString(word)).isEmpty }
            }
            let client = try TinyvexTestClient(home)
            let row = try #require(try Self.rows(home, "walrus").first)
            let id = try #require(row["sessionId"]?.stringValue)
            let journal = try #require(row["journal"]?.stringValue)
            let args = #"{"sessionId":"\#(id)","journal":"\#(journal)"}"#
            try eventually("the session is deleted") {
                try client.mutate("sessions:delete", args)["result"] != nil
            }
            #expect(try Self.rows(home, "walrus").isEmpty)
            _ = try home.run("stop")
            for suffix in ["", "-wal", "-shm"] { unlink("\(home.path)/state/search.db\(suffix)") }
            try eventually("the index is built again") { try !Self.rows(home, "zebra").isEmpty }
            #expect(try Self.rows(home, "walrus").isEmpty)
            #expect(try home.run("search", "--status").outputText.contains("search index"))
        }
    }

    @Test func aSearchThatEndsAtItsLimitSaysSo() throws {
        try BridgeHome.with { home in
            for _ in 1...2 {
                let editor = try EditorSession([Binary.demoAgent], in: home)
                try editor.prompt("/echo walrus")
                try editor.end()
            }
            try eventually("both sessions are found") {
                try Set(Self.rows(home, "walrus").map { $0["sessionId"]?.stringValue }).count == 2
            }
            let outcome = try home.run("search", "walrus", "--limit", "1")
            #expect(outcome.errorText == "acpbridge: these are the newest 1; --limit 5 can show more\n")
            #expect(try home.run("search", "walrus").errorText.isEmpty)
        }
    }

    @Test func badSearchesAreRefused() throws {
        try BridgeHome.with { home in
            let missing = try home.run("search")
            #expect(missing.status == .exited(code: 64))
            #expect(try home.run("search", "a", "--limit", "0").status == .exited(code: 64))
            #expect(try home.run("search", "--status", "a").status == .exited(code: 64))
            #expect(try home.run("search", "???").status == .exited(code: 1))
            #expect(try home.run("search", "a", "--session", "none").status == .exited(code: 3))
        }
    }

    @Test func aBridgeWithoutSearchHasNoIndex() throws {
        try BridgeHome.with { home in
            _ = try Daemon(home, ["--no-tcp", "--no-search"])
            let outcome = try home.run("search", "a")
            #expect(outcome.status == .exited(code: 1) && outcome.errorText.contains("--no-search"))
            #expect(FileBytes.read("\(home.path)/state/search.db") == nil)
        }
    }
}
