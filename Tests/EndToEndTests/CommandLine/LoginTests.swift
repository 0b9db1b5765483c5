import AgentProcess
import Glibc
import JSONScan
import Testing

/// `acpbridge login`, and what the other clients get of an agent that requires a login.
@Suite(.blocking) struct LoginTests {
    /// - Parameter ways: `agent`, `terminal` or `both`.
    private func withAgent(_ ways: SystemString, _ body: (BridgeHome) throws -> Void) throws {
        try BridgeHome.with { home in
            let file = SystemString(home.path + "/login")
            try home.addAgent("rude", rude("echo", "--login", ways, "--login-file", file))
            try body(home)
        }
    }

    private func terminal(_ arguments: SystemString..., in home: BridgeHome) throws -> EditorProcess {
        try EditorProcess([Binary.acpbridge] + arguments, in: home, wiring: .terminal)
    }

    private func text(_ process: EditorProcess) -> String { String(decoding: process.outputBytes, as: UTF8.self) }

    private func isLoggedIn(_ home: BridgeHome) -> Bool { access(home.path + "/login", F_OK) == 0 }

    @Test func theMessageOfAStartNamesTheCommandThatLogsIn() throws {
        try withAgent("agent") { home in
            let refused = try home.run("run", "--agent", "rude", "--detach")
            #expect(refused.status == .exited(code: 1))
            #expect(refused.errorText.contains("Rude account"), "\(refused.errorText)")
            #expect(refused.errorText.contains("`acpbridge login rude`"), "\(refused.errorText)")
            let begun = try TinyvexTestClient(home).call(
                "tinyvex/action", #"{"requestId":"1","name":"sessions:begin","args":{"agent":"rude","cwd":"/"}}"#)
            #expect(begun["error"]?["message"]?.stringValue?.contains("`acpbridge login rude`") == true)
            let login = try home.run("login", "rude")
            #expect(login.status == .exited(code: 0), "\(login.errorText)")
            #expect(isLoggedIn(home))
            #expect(try home.run("run", "--agent", "rude", "--detach").status == .exited(code: 0))
            try eventually("the agent of the login has ended") { try home.status()["agents"]?.int64Value == 1 }
        }
    }

    @Test func aWayToLogInMustExist() throws {
        try withAgent("both") { home in
            let unnamed = try home.run("login", "rude", "none")
            #expect(unnamed.status == .exited(code: 64))
            #expect(unnamed.errorText.contains("account (Rude account)"), "\(unnamed.errorText)")
            #expect(try home.run("login", "nobody").status == .exited(code: 64))
            #expect(!isLoggedIn(home))
        }
    }

    @Test func anAgentWithoutALoginSaysWhatToUseInstead() throws {
        try BridgeHome.with { home in
            let login = try home.run("login", "demo")
            #expect(login.status == .exited(code: 1))
            #expect(
                login.errorText.contains("demo offers no way to log in by ACP; log in with the agent's own program"))
            let unnamed = try home.run("login")
            #expect(unnamed.status == .exited(code: 64))
            #expect(unnamed.errorText.contains("write `acpbridge login NAME`, or set ACPBRIDGE_AGENT"))
        }
    }

    @Test func aLoginRunsInTheTerminal() throws {
        try withAgent("both") { home in
            let login = try terminal("login", "rude", in: home)
            try login.wait(until: "the ways are listed") { text(login).contains("2  Rude console") }
            try login.sendLine("3")
            try login.sendLine("2")
            #expect(try login.outcome().status == .exited(code: 0))
            #expect(isLoggedIn(home))
        }
    }

    @Test(arguments: ["agent", "terminal"] as [SystemString]) func runOffersTheLoginAndContinues(way: SystemString)
        throws
    {
        try withAgent(way) { home in
            let run = try terminal("run", "--agent", "rude", "--detach", in: home)
            try run.wait(until: "the login is offered") { text(run).contains("1  Rude") }
            try run.sendLine("1")
            #expect(try run.outcome().status == .exited(code: 0), "\(run.errorText)")
            #expect(isLoggedIn(home))
            #expect(try home.status()["liveSessions"]?.int64Value == 1)
        }
    }

    @Test func aLoginThatIsNotWantedEndsTheStart() throws {
        try withAgent("agent") { home in
            let run = try terminal("run", "--agent", "rude", "--detach", in: home)
            try run.wait(until: "the login is offered") { text(run).contains("1  Rude") }
            try run.sendLine("")
            #expect(try run.outcome().status == .exited(code: 1))
            try eventually("the agent has ended") { try home.status()["agents"]?.int64Value == 0 }
        }
    }

    /// A login in a terminal would start the editor's command again, which is on another machine than the agent.
    @Test func aRemoteEditorGetsOnlyTheLoginsThatItCanPerform() throws {
        try withAgent("both") { home in
            _ = try Daemon(home)
            let editor = try EditorProcess(
                [Binary.acpbridge, "connect", SystemString("unix:\(home.socket)?agent=rude")], in: home)
            try editor.sendLine(#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":\#(RemoteTestClient.hello)}"#)
            let answer = try #require(try editor.readLines(until: #""id":0"#).last)
            let methods = try JSONValue(validating: Array(answer.utf8))["result"]?["authMethods"]?.elements ?? []
            #expect(methods.map { $0["id"]?.stringValue } == ["account"])
            try editor.sendLine(#"{"jsonrpc":"2.0","id":1,"method":"authenticate","params":{"methodId":"account"}}"#)
            _ = try editor.readLines(until: #""id":1"#)
            #expect(isLoggedIn(home))
            editor.closeInput()
            #expect(try editor.outcome().status == .exited(code: 0))
        }
    }
}
