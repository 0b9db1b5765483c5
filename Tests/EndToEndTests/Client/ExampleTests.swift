import AgentProcess
import Testing

/// The examples print the output that their documentation describes.
@Suite(.blocking) struct ExampleTests {
    @Test func aSessionIsDrivenAndThenWatched() throws {
        try BridgeHome.with { home in
            _ = try Daemon(home)
            let endpoint = SystemString("unix:" + home.socket)
            let driven = try EditorProcess(
                [Binary.driveSession, "--allow", endpoint, "demo", "/echo hello there"], in: home
            )
            .outcome()
            #expect(driven.status == .exited(code: 0), "\(driven.errorText)")
            #expect(driven.outputText.contains("hello there") && driven.outputText.hasSuffix("\n[end_turn]\n"))
            let sessions = try TinyvexTestClient(home).call("tinyvex/history.recentSessions")
            let session = try #require(sessions["result"]?.elements.first?["sessionId"]?.stringValue)
            let watched = try EditorProcess([Binary.watchSession, endpoint, SystemString(session)], in: home).outcome()
            #expect(watched.status == .exited(code: 0), "\(watched.errorText)")
            #expect(watched.outputText.contains("hello there") && watched.outputText.contains("the session has ended"))
        }
    }

    @Test func permissionRequestsAreRefusedUnlessAllowed() throws {
        try BridgeHome.with { home in
            _ = try Daemon(home)
            let endpoint = SystemString("unix:" + home.socket)
            let refused = try EditorProcess([Binary.driveSession, endpoint, "demo", "hello 3 chunks"], in: home)
                .outcome()
            #expect(refused.status == .exited(code: 0), "\(refused.errorText)")
        }
    }

    @Test func theListOfLiveSessionsIsUpdated() throws {
        try BridgeHome.with { home in
            _ = try Daemon(home)
            let list = try EditorProcess([Binary.liveSessions, SystemString("unix:" + home.socket)], in: home)
            #expect(try list.readLine() == "0 live")
            let editor = try EditorSession([Binary.rudeAgent, "echo"], in: home)
            try editor.prompt("go")
            #expect(try list.readLine() == "1 live")
            #expect(try list.readLine()?.hasPrefix("  rude-1 ") == true)
            try editor.end()
            while let line = try list.readLine(), line != "0 live" {}
            list.kill(15)
        }
    }

    @Test func requestsThatARuleCoversAreAllowed() throws {
        try BridgeHome.with { home in
            let editor = try EditorSession([Binary.demoAgent], in: home)
            let bot = try EditorProcess(
                [Binary.answerRequests, SystemString("unix:" + home.socket), "edit"], in: home)
            try editor.prompt("hello 3 chunks")
            let line = try #require(try bot.readLine())
            #expect(line.hasPrefix("\(editor.sessionId): allowed: Add a line to "), "\(line)")
            bot.kill(15)
            try editor.end()
        }
    }

    @Test(arguments: [Binary.watchSession, Binary.driveSession, Binary.liveSessions, Binary.answerRequests])
    func wrongArgumentsPrintTheUsage(example: SystemString) throws {
        try BridgeHome.with { home in
            let outcome = try EditorProcess([example], in: home).outcome()
            #expect(outcome.status == .exited(code: 1) && outcome.errorText.hasPrefix("usage: "))
        }
    }

    @Test func anUnsupportedURLIsReportedWithASuggestion() throws {
        try BridgeHome.with { home in
            let outcome = try EditorProcess([Binary.liveSessions, "ftp://a.example"], in: home).outcome()
            #expect(outcome.status == .exited(code: 1) && outcome.errorText.contains("use ws://HOST:PORT"))
        }
    }
}
