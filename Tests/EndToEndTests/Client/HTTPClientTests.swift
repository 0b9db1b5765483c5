import AgentProcess
import Foundation
import Synchronization
import Testing
import TinyvexClient
import TinyvexHTTP

/// The client library over URLSession, against a bridge.
@Suite(.blockingAndSuspending, .timeLimit(.minutes(10))) struct HTTPClientTests {
    private struct Row: Codable, Equatable, Sendable {
        var sessionId: String
        var title: String?
        var live: Bool
    }

    private static func client(_ home: BridgeHome, _ options: SystemString..., token: String? = nil) throws
        -> TinyvexHTTPClient
    {
        let daemon = try Daemon(home, ["--listen", ":0"] + options)
        guard case .ip(_, let port)? = daemon.address else { throw Overdue("the bridge listens on TCP") }
        let url = try #require(URL(string: "http://127.0.0.1:\(port)"))
        return TinyvexHTTPClient(endpoint: url, authToken: try token ?? home.ownToken)
    }

    @Test func queriesMutationsAndActionsReturnTheirValues() async throws {
        try await BridgeHome.with { home in
            let client = try Self.client(home)
            let editor = try EditorSession([Binary.rudeAgent, "echo"], in: home)
            try editor.prompt("go")
            let titled: [String: String] = try await client.mutation(
                "sessions:setTitle", args: ["sessionId": "rude-1", "title": "Mine"])
            #expect(titled == ["title": "Mine"])
            let rows = try await client.query("sessions:list", params: ["live": true], as: [Row].self)
            #expect(rows == [Row(sessionId: "rude-1", title: "Mine", live: true)])
            let made: [String: RawJSON] = try await client.action("tokens:create", args: ["role": "observe"])
            #expect(made["token"] != nil)
            let tokens: [[String: RawJSON]] = try await client.action("tokens:list")
            #expect(tokens.count == 1)
            try editor.end()
        }
    }

    @Test func aFileIsStoredReadAndDeleted() async throws {
        try await BridgeHome.with { home in
            let client = try Self.client(home)
            // More than the bridge keeps of a body in memory.
            let bytes = (0..<(2 << 20)).map { UInt8(truncatingIfNeeded: $0 &* 31) }
            let id = try await client.files.upload(bytes, contentType: "image/png")
            #expect(try await client.files.contents(of: id) == bytes)
            let facts = try await client.files.facts(of: id)
            #expect(facts?.size == bytes.count && facts?.contentType == "image/png" && facts?.storageId == id)
            #expect(try await client.files.list(limit: 1).data.map(\.storageId) == [id])
            try await client.files.rename(id, to: "photo.png", contentType: "image/webp")
            let renamed = try await client.files.facts(of: id)
            #expect(renamed?.name == "photo.png" && renamed?.contentType == "image/webp")
            #expect(try await client.files.delete(id))
            #expect(try await client.files.delete(id) == false)
            #expect(try await client.files.facts(of: id) == nil)
        }
    }

    @Test func aFileIsUploadedFromDiskWithProgress() async throws {
        try await BridgeHome.with { home in
            let client = try Self.client(home)
            let bytes = (0..<(5 << 20)).map { UInt8(truncatingIfNeeded: $0 &* 31) }
            let file = URL(filePath: "\(home.path)/photo")
            try Data(bytes).write(to: file)
            let calls = Mutex<[UploadProgress]>([])
            let id = try await client.files.upload(contentsOf: file, contentType: "image/png") { progress in
                calls.withLock { $0.append(progress) }
            }
            #expect(try await client.files.contents(of: id) == bytes)
            let sent = calls.withLock { $0.map(\.sentBytes) }
            #expect(sent.count > 1 && sent == sent.sorted() && sent.last == bytes.count)
        }
    }

    @Test func theModelsReadTheBridgesValues() async throws {
        try await BridgeHome.with { home in
            let client = try Self.client(home)
            let editor = try EditorSession([Binary.demoAgent], in: home)
            try editor.send(prompt: "hello 3 chunks")
            _ = try editor.process.readLines(until: "session/request_permission")
            let page = try await client.query("sessions:list", as: SessionPage.self)
            #expect(page.total == 1 && page.data.first?.state == .running && page.nextCursor == nil)
            let row = try #require(page.data.first)
            let permissions = try await client.query("permissions:pending", as: [PermissionRow].self)
            #expect(permissions.first?.sessionId == row.sessionId)
            let details = try await client.query(
                "sessions:get", params: ["sessionId": row.sessionId], as: SessionDetails.self)
            #expect(details.id == row.id && details.turn.state == .running)
            #expect(details.pendingPermissions.map(\.requestId) == permissions.map(\.requestId))
            let hits = try await client.query("sessions:search", params: ["query": "nowhere"], as: SearchPage.self)
            #expect(hits.data.isEmpty && hits.nextCursor == nil)
            let agents = try await client.query("agents:list", as: AgentList.self)
            #expect(agents.running.first?.sessions == [row.sessionId] && !agents.profiles.isEmpty)
            #expect(try await client.query("elicitations:pending", as: [ElicitationRow].self).isEmpty)
            let state = try await client.query("bridge:status", as: BridgeState.self)
            #expect(state.agents == 1 && state.pendingRequests == 1)
            editor.process.closeInput()
        }
    }

    @Test func errorsAreThoseOfTheProtocol() async throws {
        try await BridgeHome.with { home in
            let client = try Self.client(home)
            await #expect {
                try await client.mutation("sessions:setTitle", args: ["sessionId": "none", "title": "x"])
            } throws: {
                ($0 as? TinyvexError)?.protocolCode == .sessionNotFound
            }
            client.setAuthToken("wrong")
            await #expect(throws: TinyvexError.unauthorized) { try await client.mutation("sessions:archive") }
            let token = try home.ownToken
            client.setAuthTokenSource { token }
            _ = try await client.query("agents:list", as: [String: RawJSON].self)
        }
    }

    @Test func tooManyRequestsAreABusyBridge() async throws {
        try await BridgeHome.with { home in
            let client = try Self.client(home, "--limit", "requests-per-minute=2")
            for _ in 0..<2 { _ = try await client.query("agents:list", as: [String: RawJSON].self) }
            await #expect {
                _ = try await client.query("agents:list", as: [String: RawJSON].self)
            } throws: {
                (($0 as? TinyvexError)?.retryAfter ?? .zero) > .zero
            }
        }
    }

    @Test func aPolledListShowsItsChanges() async throws {
        try await BridgeHome.with { home in
            let client = try Self.client(home)
            let editor = try EditorSession([Binary.rudeAgent, "echo"], in: home)
            try editor.prompt("go")
            try editor.end()
            let polled = client.poll("sessions:list", every: .milliseconds(100), as: [Row].self)
            var lists = polled.makeAsyncIterator()
            var list = try await lists.next()
            while list?.first?.live != false { list = try await lists.next() }
            try await client.mutation("sessions:setTitle", args: ["sessionId": "rude-1", "title": "Mine"])
            while list?.first?.title != "Mine" { list = try await lists.next() }
            try await client.mutation("sessions:archive", args: ["sessionId": "rude-1"])
            while list?.isEmpty != true { list = try await lists.next() }
        }
    }
}
