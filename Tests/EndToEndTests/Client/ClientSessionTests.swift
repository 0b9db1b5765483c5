import Foundation
import Testing
import TinyvexClient

/// The client library against a bridge: it watches and drives sessions.
@Suite(.blockingAndSuspending, .timeLimit(.minutes(10))) struct ClientSessionTests {
    @Test func aSessionIsWatchedFromItsBeginningToItsEnd() async throws {
        try await BridgeHome.with { home in
            _ = try Daemon(home)
            let editor = try EditorSession([Binary.rudeAgent, "echo"], in: home)
            try editor.prompt("go")
            let client = home.client
            var events = client.sessionEvents(sessionId: "rude-1").makeAsyncIterator()
            guard case .opened(let opening)? = try await events.next() else { throw Overdue("the stream is opened") }
            #expect(opening.nextSeq == 1 && opening.journal?.isEmpty == false)
            guard case .update(1, let update)? = try await events.next() else { throw Overdue("an update arrives") }
            #expect(update.sessionId == "rude-1")
            try editor.end()
            while let event = try await events.next() {
                guard case .ended(let seq, let end) = event else { continue }
                #expect(seq >= 1 && end.reason == "exited" && end.exitCode == 0)
                break
            }
        }
    }

    @Test func anAgentIsStartedPromptedAndCancelled() async throws {
        try await BridgeHome.with { home in
            _ = try Daemon(home)
            let client = home.client
            client.serve(ACP.Client.SessionRequestPermissionRequest.self) { request in
                .init(outcome: .selected(.init(optionId: request.options[0].optionId)))
            }
            let agent = try await client.initialize(.init(protocolVersion: 1), agent: "demo")
            #expect(agent.agentInfo?.name == "acpbridge-demo-agent")
            let session = try await client.sessionNew(.init(cwd: home.path)).sessionId
            let updates = client.subscribeSessionUpdates(sessionId: session)
            let answer = try await client.sessionPrompt(.init(sessionId: session, prompt: ["hello 20 chunks"]))
            #expect(answer.stopReason == .endTurn)
            var chunks = 0
            for try await update in updates {
                if update.update.text != nil { chunks += 1 }
                if chunks == 20 { break }
            }
            async let slow = client.sessionPrompt(
                .init(sessionId: session, prompt: ["hello 100000 chunks 50 ms apart no permission"]))
            _ = try await first(client.subscribeTimeline(sessionId: session), "the turn is running") { $0.seq > 30 }
            await client.sessionCancel(sessionId: session)
            #expect(try await slow.stopReason == .cancelled)
        }
    }

    @Test func agentRequestsAreAnsweredOnceTheClientServesThem() async throws {
        try await BridgeHome.with { home in
            _ = try Daemon(home)
            let client = home.client
            try await client.initialize(.init(protocolVersion: 1), agent: "demo")
            let session = try await client.sessionNew(.init(cwd: home.path)).sessionId
            let declined = try await client.sessionPrompt(.init(sessionId: session, prompt: ["hello 3 chunks"]))
            client.serve(ACP.Client.SessionRequestPermissionRequest.self) { _ in .init(outcome: .cancelled) }
            let cancelled = try await client.sessionPrompt(.init(sessionId: session, prompt: ["hello 3 chunks"]))
            #expect(declined.stopReason == .endTurn && cancelled.stopReason == .cancelled)
        }
    }

    @Test func aTimelineHasThePromptBeforeTheUpdatesAndTheTurnEndAfter() async throws {
        try await BridgeHome.with { home in
            _ = try Daemon(home)
            let client = home.client
            try await client.initialize(.init(protocolVersion: 1), agent: "demo")
            let session = try await client.sessionNew(.init(cwd: home.path)).sessionId
            try await client.sessionPrompt(.init(sessionId: session, prompt: ["hello 3 chunks no permission"]))
            var kinds: [TimelineKind] = []
            for try await entry in client.subscribeTimeline(sessionId: session) {
                if kinds.last != entry.kind { kinds.append(entry.kind) }
                if entry.kind == .prompt {
                    let prompt = try entry.data?.decode(as: ACP.Agent.SessionPromptRequest.self)
                    #expect(prompt?.sessionId == session)
                }
                if entry.kind == .turnEnd { break }
            }
            #expect(kinds.first == .agentStart && kinds.suffix(3) == [.prompt, .update, .turnEnd], "\(kinds)")
        }
    }
}
