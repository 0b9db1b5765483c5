import AgentProcess
import Glibc
import JSONScan
import Testing

/// The ways to name a session on the command line.
@Suite(.blocking) struct SessionNameTests {
    private func attach(_ home: BridgeHome, _ name: String) throws -> Outcome {
        try home.run("attach", SystemString(name), "--no-follow", "--url", SystemString("unix:\(home.socket)"))
    }

    @Test func aSessionIsFoundByIdPrefixAgentOrJournal() throws {
        try BridgeHome.with { home in
            _ = try Daemon(home)
            let link = home.path + "/other-agent"
            #expect(symlink(Binary.rudeAgent.description, link) == 0)
            let one = try EditorSession([Binary.rudeAgent, "echo", "--early", "2"], in: home)
            let other = try EditorSession([SystemString(link), "echo", "--early", "3"], in: home)
            let demo = try EditorSession([Binary.demoAgent], in: home)
            try demo.prompt("hi 3 chunks pace=0 quiet")
            let rows = try TinyvexTestClient(home).call("tinyvex/history.recentSessions")["result"]?.elements ?? []
            let journal = try #require(rows.first { $0["agent"]?.stringValue == "rude-agent" }?["journal"]?.stringValue)

            for (name, wanted) in [
                ("rude-agent:rude-1", one), ("other-agent:rude-1", other), (journal, one), (demo.sessionId, demo),
                (String(demo.sessionId.dropLast(2)), demo), ("latest", demo),
                ("acpbridge-demo-agent:\(demo.sessionId)", demo),
            ] {
                let outcome = try attach(home, name)
                #expect(outcome.status == .exited(code: 0), "\(name): \(outcome.errorText)")
                expectSame(wholeLines(of: outcome.output), wanted.updates)
            }
            for name in ["rude-1", "rude"] {
                let outcome = try attach(home, name)
                #expect(outcome.status == .exited(code: 3), "\(name)")
                #expect(outcome.errorText.contains("rude-agent:rude-1"), "\(name)")
                #expect(outcome.errorText.contains("other-agent:rude-1"), "\(name)")
                #expect(outcome.output.isEmpty)
            }
            for name in ["never-was", "rude-agent:never-was", "rude-2", "00000000-1-1"] {
                #expect(try attach(home, name).status == .exited(code: 3), "\(name)")
            }
        }
    }

    @Test func aTitleIsANameUnlessItIsThatOfSeveralSessionsOrTheBeginningOfAnId() throws {
        try BridgeHome.with { home in
            _ = try Daemon(home)
            let one = try EditorSession([Binary.demoAgent], in: home)
            let other = try EditorSession([Binary.demoAgent], in: home)
            try one.prompt("hi 3 chunks pace=0 quiet")
            func rename(_ session: EditorSession, _ words: SystemString...) throws {
                let arguments = ["rename", SystemString(session.sessionId)] + words
                #expect(
                    try EditorProcess([Binary.acpbridge] + arguments, in: home).outcome().status == .exited(code: 0))
            }
            try rename(one, "login", "test")
            expectSame(wholeLines(of: try attach(home, "login test").output), one.updates)
            #expect(try attach(home, "login").status == .exited(code: 3))
            // An id has precedence over a title.
            try rename(other, SystemString(one.sessionId))
            expectSame(wholeLines(of: try attach(home, one.sessionId).output), one.updates)
            try rename(other, "login test")
            let ambiguous = try attach(home, "login test")
            #expect(ambiguous.status == .exited(code: 3))
            #expect(ambiguous.errorText.contains(one.sessionId) && ambiguous.errorText.contains(other.sessionId))
            // A running session has precedence over one that has ended.
            try other.end()
            expectSame(wholeLines(of: try attach(home, "login test").output), one.updates)
            try rename(other, "--reset")
            #expect(try attach(home, "login test").status == .exited(code: 0))
        }
    }

    @Test func anIdOfTwoSessionsMeansTheRunningOneOrElseTheNewest() throws {
        try BridgeHome.with { home in
            _ = try Daemon(home)
            let first = try EditorSession([Binary.rudeAgent, "echo", "--early", "2"], in: home)
            let second = try EditorSession([Binary.rudeAgent, "echo", "--early", "3"], in: home)
            let ambiguous = try attach(home, "rude-1")
            #expect(ambiguous.status == .exited(code: 3))
            let journals = try TinyvexTestClient(home).journals(of: "rude-1")
            #expect(journals.count == 2)
            for (journal, wanted) in zip(journals, [second, first]) {
                #expect(ambiguous.errorText.contains(journal) && ambiguous.errorText.contains("FOLDER"))
                expectSame(wholeLines(of: try attach(home, journal).output), wanted.updates)
            }
            let status = try home.run("status").outputText.split { $0.isWhitespace }.joined(separator: " ")
            #expect(status.contains("warning 2 agents of rude-agent run the session rude-1"), "\(status)")
            #expect(journals.allSatisfy { status.contains($0) })
            try first.end()
            #expect(try !home.run("status").outputText.contains("rude-1"))
            expectSame(wholeLines(of: try attach(home, "rude-1").output), second.updates)
            try second.end()
            expectSame(wholeLines(of: try attach(home, "rude-1").output), second.updates)
        }
    }

    /// An earlier fault: these commands sent only the id, and the bridge refused them because two agents run it.
    @Test func aCommandReachesTheRunningIncarnationOfItsJournal() throws {
        try BridgeHome.with { home in
            _ = try Daemon(home)
            let agent = rude("echo", "--id-style", "number")
            let first = try EditorSession(agent, in: home)
            let second = try EditorSession(agent, in: home)
            let journals = try TinyvexTestClient(home).journals(of: "rude-1")
            let (newer, older) = (SystemString(journals[0]), SystemString(journals[1]))
            func expect(_ words: SystemString...) throws {
                let outcome = try EditorProcess([Binary.acpbridge] + words, in: home).outcome()
                try #require(outcome.status == .exited(code: 0), "\(words): \(outcome.errorText)")
            }
            func timeline(_ journal: SystemString) throws -> String {
                try home.run("attach", journal, "--all", "--no-follow").outputText
            }
            try expect("cancel", "latest")
            let prompt = try EditorProcess([Binary.acpbridge, "prompt", older, "only here"], in: home)
            try second.send(prompt: "there")
            try second.process.readLines(until: "session/request_permission")
            try eventually("the first agent asks, too") { try !home.run("answer", older, "--json").output.isEmpty }
            // Both agents wait for an answer to a request of the same id.
            let ambiguous = try home.run("answer", "rude-1", "--option", "yes")
            #expect(ambiguous.status == .exited(code: 3) && journals.allSatisfy { ambiguous.errorText.contains($0) })
            try expect("answer", older, "--option", "yes")
            #expect(try prompt.outcome().status == .exited(code: 0))
            #expect(try timeline(older).contains("only here") && !timeline(newer).contains("only here"))
            #expect(try !timeline(newer).contains("permission_answer"))
            try expect("stop", older)
            _ = try first.process.outcome()
            try expect("cancel", "rude-1")
        }
    }

    @Test func aCommandForRunningSessionsIgnoresEndedOnesExceptByTheirIds() throws {
        try BridgeHome.with { home in
            let agent = [Binary.demoAgent]
            let (running, ended) = (try EditorSession(agent, in: home), try EditorSession(agent, in: home))
            try ended.prompt("hi 3 chunks pace=0 quiet")
            try ended.end()
            for name in ["latest", "demo-", String(running.sessionId.dropLast(1)), running.sessionId] {
                let outcome = try home.run("cancel", SystemString(name))
                #expect(outcome.status == .exited(code: 0), "\(name): \(outcome.errorText)")
            }
            let outcome = try home.run("cancel", SystemString(ended.sessionId))
            #expect(outcome.errorText.contains("has ended"))
            try running.end()
            #expect(try home.run("cancel", "latest").errorText.contains("no session is running"))
        }
    }

    @Test func latestIsTheSessionThatWasPromptedLastAlsoWhileAnotherOneWorks() throws {
        try BridgeHome.with { home in
            _ = try Daemon(home)
            let used = try EditorSession([Binary.demoAgent], in: home)
            let busy = try EditorSession([Binary.demoAgent], in: home)
            try busy.send(prompt: "hi 100 chunks pace=50 quiet")
            // The second chunk comes 50 ms after the first one. Times have whole milliseconds, and of two equal ones none is
            // the later.
            for _ in 0..<2 { try busy.process.readLines(until: "agent_message_chunk") }
            try used.prompt("hi 3 chunks pace=0 quiet")
            for _ in 0..<5 { _ = try busy.process.readLine() }
            expectSame(wholeLines(of: try attach(home, "latest").output), used.updates)
            let rows = try TinyvexTestClient(home).call("tinyvex/history.recentSessions")["result"]?.elements ?? []
            #expect(rows.first?["sessionId"]?.stringValue == busy.sessionId, "its last update is newer")
        }
    }

    @Test func withoutSessionsAttachReportsAnError() throws {
        try BridgeHome.with { home in
            let outcome = try home.run("attach", "latest")
            #expect(outcome.status == .exited(code: 3))
            #expect(outcome.errorText.contains("no sessions yet"))
        }
    }
}
