import AgentProcess
import Foundation
import Testing
import TinyvexClient

/// The client library against a bridge: values, mutations, actions and tokens.
@Suite(.blockingAndSuspending, .timeLimit(.minutes(10))) struct ClientValueTests {
    private struct Row: Codable, Equatable, Sendable {
        var sessionId: String
        var title: String?
        var createdTs: Date
        var live: Bool
    }

    @Test func aSubscribedListShowsMutations() async throws {
        try await BridgeHome.with { home in
            _ = try Daemon(home)
            let client = home.client
            let lists = client.subscribe("sessions:list", as: [Row].self)
            let editor = try EditorSession([Binary.rudeAgent, "echo"], in: home)
            try editor.prompt("go")
            let rows = try await first(lists, "the session is listed") { !$0.isEmpty }
            #expect(rows[0].live && abs(rows[0].createdTs.timeIntervalSinceNow) < 3_600)
            let titled: [String: String] = try await client.mutation(
                "sessions:setTitle", with: ["sessionId": "rude-1", "title": "Mine"])
            #expect(titled == ["title": "Mine"])
            let changed = client.subscribe(to: "sessions:list", with: ["live": true], yielding: [Row].self)
            _ = try await first(changed, "the session has its title") { $0.first?.title == "Mine" }
            try editor.end()
            _ = try await first(changed, "the session is no longer live") { $0.isEmpty }
        }
    }

    @Test func refusalsCarryTheirErrorCode() async throws {
        try await BridgeHome.with { home in
            _ = try Daemon(home)
            let client = home.client
            await #expect {
                try await client.mutation("sessions:setTitle", args: ["sessionId": "none", "title": "x"])
            } throws: {
                if case .server("TVX008", _, _) = $0 as? TinyvexError { true } else { false }
            }
            await #expect {
                for try await _ in client.subscribe("nonesuch", as: RawJSON.self) {}
            } throws: {
                if case .server("TVX002", _, _) = $0 as? TinyvexError { true } else { false }
            }
            await #expect {
                for try await _ in client.subscribeSessionUpdates(sessionId: "none") {}
            } throws: {
                if case .server("TVX008", _, _) = $0 as? TinyvexError { true } else { false }
            }
        }
    }

    @Test func theClientWaitsForABridgeAndReconnectsToTheNextOne() async throws {
        try await BridgeHome.with { home in
            let client = home.client
            let statuses = client.subscribe("bridge:status", as: [String: RawJSON].self)
            let daemon = try Daemon(home)
            let pid = try await first(statuses, "the client reaches the first bridge") { $0["pid"] != nil }["pid"]
            try daemon.killAtOnce()
            _ = try Daemon(home)
            _ = try await first(statuses, "the client reaches the second bridge") { $0["pid"] != pid }
        }
    }

    @Test func aRevokedTokenIsReplacedAndTheStreamContinues() async throws {
        try await BridgeHome.with { home in
            let daemon = try Daemon(home, ["--listen", ":0"])
            guard case .ip(_, let port)? = daemon.address else { throw Overdue("the bridge listens on TCP") }
            let (old, new) = try (
                TokenTests.create(home, "--role", "observe"), TokenTests.create(home, "--role", "observe")
            )
            let client = try home.client(port: port, token: old)
            client.setAuthTokenSource { new }
            let editor = try EditorSession([Binary.rudeAgent, "echo"], in: home)
            try editor.prompt("one")
            var updates = client.sessionEvents(sessionId: "rude-1").makeAsyncIterator()
            var seqs: [Int64] = []
            while seqs.isEmpty { if case .update(let seq, _)? = try await updates.next() { seqs.append(seq) } }
            #expect(try home.run("token", "revoke", SystemString(String(old.prefix(11)))).status == .exited(code: 0))
            try editor.prompt("two")
            while seqs.count < 2 { if case .update(let seq, _)? = try await updates.next() { seqs.append(seq) } }
            #expect(seqs == [1, 2])
            #expect(try home.run("token", "revoke", SystemString(String(new.prefix(11)))).status == .exited(code: 0))
            await #expect(throws: TinyvexError.unauthorized) { while try await updates.next() != nil {} }
            try editor.end()
        }
    }
}
