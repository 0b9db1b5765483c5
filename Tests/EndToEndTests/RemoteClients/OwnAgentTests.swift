import AgentProcess
import EventLoop
import Glibc
import JSONScan
import Posix
import Testing
import WebSocket

/// Clients for which the bridge starts an agent.
@Suite(.blocking) struct OwnAgentTests {
    private func agents(in home: BridgeHome) -> Int {
        home.processes.count { $0.command.first?.hasSuffix("acpbridge-demo-agent") == true }
    }

    @Test(arguments: ["/tinyvex?agent=demo", "/acp?agent=demo"])
    func anAgentAnswersARemoteClientLikeAnEditor(path: String) throws {
        try BridgeHome.with { home in
            _ = try Daemon(home)
            let client = try RemoteTestClient(home, path: path)
            let editor = try EditorSession([Binary.demoAgent], in: home)
            let direct = try editor.ask("initialize", RemoteTestClient.hello)
            #expect(try client.initialize()["result"]?.rawString == direct["result"]?.rawString)
            #expect(try client.newSession(home).isEmpty == false)
            #expect(agents(in: home) == 2)
        }
    }

    @Test func onACPATurnsUpdatesPrecedeItsResponse() throws {
        try BridgeHome.with { home in
            _ = try Daemon(home)
            let client = try RemoteTestClient(home, path: "/acp?agent=demo")
            try client.initialize()
            let session = try client.newSession(home)
            for turn in 1...3 {
                try client.ask(
                    "p\(turn)", "session/prompt", RemoteTestClient.prompt(session, "hello 200 chunks no permission"))
                let messages = try client.messages(untilAnswerTo: "p\(turn)")
                let kinds = messages.named("session/update").compactMap {
                    $0["params"]?["update"]?["sessionUpdate"]?.stringValue
                }
                #expect(kinds.count { $0 == "agent_message_chunk" } == 200)
                #expect(messages.last?["result"]?["stopReason"]?.stringValue == "end_turn")
            }
            let stored = try TinyvexTestClient(home).history(of: session)
            #expect(stored.count >= 600)
        }
    }

    @Test func onTinyvexAClientCanSubscribeToItsOwnSession() throws {
        try BridgeHome.with { home in
            _ = try Daemon(home)
            let client = try RemoteTestClient(home, path: "/tinyvex?agent=demo")
            try client.initialize()
            let session = try client.newSession(home)
            _ = try client.wire.subscribe(session, after: 0)
            try client.ask("p", "session/prompt", RemoteTestClient.prompt(session, "hello 50 chunks no permission"))
            let messages = try client.messages(untilAnswerTo: "p")
            #expect(messages.named("session/update").count >= 50)
        }
    }

    @Test func anAgentAsksItsClientForPermission() throws {
        try BridgeHome.with { home in
            _ = try Daemon(home)
            let client = try RemoteTestClient(home, path: "/acp?agent=demo")
            try client.initialize()
            let session = try client.newSession(home)
            try client.ask("p", "session/prompt", RemoteTestClient.prompt(session, "hello 3 chunks"))
            let request = try client.wire.next("session/request_permission")
            let option = try #require(request["params"]?["options"]?.elements.first?["optionId"]?.stringValue)
            try client.answer(request, #"{"outcome":{"outcome":"selected","optionId":"\#(option)"}}"#)
            #expect(try client.messages(untilAnswerTo: "p").last?["result"]?["stopReason"]?.stringValue == "end_turn")
        }
    }

    @Test func anIdleAgentEndsWithItsClient() throws {
        try BridgeHome.with { home in
            _ = try Daemon(home)
            do {
                let client = try RemoteTestClient(home, path: "/acp?agent=demo")
                try client.initialize()
                _ = try client.newSession(home)
                #expect(agents(in: home) == 1)
            }
            try eventually("the agent has ended: \(home.processes)") { agents(in: home) == 0 }
        }
    }

    @Test func aClientGetsItsAgentsExitStatus() throws {
        try BridgeHome.with { home in
            try home.addAgent("rude", rude("crash", "--on", "prompt", "--code", "7"))
            _ = try Daemon(home)
            let client = try RemoteTestClient(home, path: "/acp?agent=rude")
            try client.initialize()
            let session = try client.newSession(home)
            try client.ask("p", "session/prompt", RemoteTestClient.prompt(session, "x"))
            let answer = try #require(try client.messages(untilAnswerTo: "p").last)
            #expect(answer["error"]?["message"]?.stringValue?.contains("exited with status 7") == true)
            try client.wire.waitForEnd()
            #expect(client.wire.closeCode == .internalError)
        }
    }

    @Test func anUnknownAgentIsRefusedByName() throws {
        try BridgeHome.with { home in
            _ = try Daemon(home)
            let client = try RemoteTestClient(home, path: "/tinyvex?agent=nobody")
            let answer = try client.initialize()
            #expect(answer.errorCode == "TVX010")
            #expect(answer["error"]?["message"]?.stringValue?.contains("'nobody'") == true)
        }
    }

    @Test func onACPTheFirstMessageMustBeInitialize() throws {
        try BridgeHome.with { home in
            _ = try Daemon(home)
            let hasty = try RemoteTestClient(home, path: "/acp?agent=demo")
            try hasty.ask("1", "session/new", "{}")
            try hasty.wire.waitForEnd()
            #expect(hasty.wire.closeCode == .protocolError)
            let noisy = try RemoteTestClient(home, path: "/acp?agent=demo")
            try noisy.wire.send("noise")
            try noisy.wire.waitForEnd()
            #expect(noisy.wire.closeCode == .invalidPayload)
        }
    }

    @Test func aRequestWithoutAnAgentGetsAnErrorWithTheRemedy() throws {
        try BridgeHome.with { home in
            _ = try Daemon(home)
            let client = try TinyvexTestClient(home)
            let answer = try client.call("session/new", "{}")
            #expect(answer["error"]?["message"]?.stringValue?.contains("begin with initialize") == true)
        }
    }
}
