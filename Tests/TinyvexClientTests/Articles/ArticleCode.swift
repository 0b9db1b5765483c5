import Foundation

#if TINYVEX_PORTABLE
    import TinyvexClientPortable
#else
    import TinyvexClient
#endif

/// The code of the library's articles and of README.md. Code that does not compile here is wrong in the article;
/// `ArticleTests` checks that all of the articles' code is in this file.
private struct Reader: Sendable {
    enum Follow {
        static func main() async throws {
            let endpoint = URL(filePath: "/run/user/1000/acpbridge/bridge.sock")
            let client = TinyvexClient(endpoint: endpoint)
            let session = ACPSessionId(rawValue: CommandLine.arguments[1])
            for try await update in client.subscribeSessionUpdates(sessionId: session) {
                if case .agentMessageChunk(let chunk) = update.update, case .text(let content) = chunk.content {
                    print(content.text, terminator: "")
                }
            }
        }
    }

    struct Keychain: Sendable { func freshToken() async -> String? { nil } }
    struct Stored {
        var seq: Int64 = 0
        var journal: String?
    }

    let keychain = Keychain()

    func show(_ any: some Sendable) {}
    func store(_ update: ACP.Client.SessionNotificationWire, _ seq: Int64) {}
    func removeAll(from seq: Int64) {}
    func askThePerson(_ request: ACP.Client.SessionRequestPermissionRequest) async
        -> ACP.RequestPermissionOutcome
    { .cancelled }

    func connecting(_ url: URL, _ token: String?) {
        let client = TinyvexClient(endpoint: url)
        client.setAuthToken(token)
        client.setAuthTokenSource { await keychain.freshToken() }
    }

    func watching(_ client: TinyvexClient) async throws {
        for try await update in client.subscribeSessionUpdates(sessionId: "s1") {
            switch update.update {
            case .agentMessageChunk(let chunk): show(chunk)
            case .toolCall(let call): show(call.title)
            default: break
            }
        }
    }

    func watchingBothVersions(_ client: TinyvexClient) async throws {
        for try await update in client.subscribeVersionedUpdates(sessionId: "s1") {
            switch update {
            case .v1(let update): show(update.update)
            case .v2(let update): show(update.update)
            }
        }
    }

    func resuming(_ client: TinyvexClient, _ stored: Stored) async throws {
        var stored = stored
        for try await event in client.sessionEvents(sessionId: "s1", from: .after(stored.seq, journal: stored.journal))
        {
            switch event {
            case .opened(let opening): stored.journal = opening.journal
            case .update(let seq, let update): store(update, seq)
            case .skipped(_, let to, _): stored.seq = to
            case .restarted(let nextSeq): removeAll(from: nextSeq)
            case .ended: return
            case .unreadable, .notice: break
            }
        }
    }

    func following(_ client: TinyvexClient) async throws {
        struct Row: Decodable, Sendable {
            var sessionId: String
            var title: String?
            var lastTs: Date?
        }

        for try await rows in client.subscribe("sessions:list", params: ["live": true], as: [Row].self) {
            show(rows)
        }
        try await client.mutation("sessions:setTitle", args: ["sessionId": "s1", "title": "Fix the login test"])
    }

    func running(_ client: TinyvexClient) async throws {
        client.serve(ACP.Client.SessionRequestPermissionRequest.self) { request in
            .init(outcome: await askThePerson(request))
        }
        try await client.initialize(.init(protocolVersion: 1), agent: "codex")
        let session = try await client.sessionNew(.init(cwd: "/home/me/shop")).sessionId
        let answer = try await client.sessionPrompt(.init(sessionId: session, prompt: ["Fix the login test"]))
        show(answer)
    }

    func notifications(_ client: TinyvexClient, deviceToken: Data) async throws {
        let id = try await client.push.register(deviceToken: deviceToken, events: [.permission, .failed])
        show(id)
    }

    struct Row: Decodable, Sendable { var sessionId: String }

    func remove(_ id: String) {}
    func signIn() {}

    func errors(_ client: TinyvexClient, _ id: String) async {
        do throws(TinyvexError) {
            try await client.mutation("sessions:archive", args: ["sessionId": id])
        } catch {
            switch error {
            case .server where error.protocolCode == .sessionNotFound: remove(id)
            case .unauthorized: signIn()
            default: show(error.localizedDescription)
            }
        }
    }

    func connectionStates(_ client: TinyvexClient) async {
        for await state in client.connectionStates {
            switch state {
            case .connected: show("online")
            case .connecting, .waiting: show("connecting")
            case .idle, .closed: show("offline")
            }
        }
    }

    func withConvexNames(_ client: TinyvexClient) async throws {
        for try await rows in client.subscribe(to: "sessions:list", with: ["live": true], yielding: [Row].self) {
            show(rows)
        }
        try await client.mutation("sessions:setTitle", with: ["sessionId": "s1", "title": "Fix the login test"])
    }

    func overview(_ url: URL) async throws {
        let client = TinyvexClient(endpoint: url)
        for try await update in client.subscribeSessionUpdates(sessionId: "s1") {
            if case .agentMessageChunk(let chunk) = update.update, case .text(let content) = chunk.content {
                print(content.text, terminator: "")
            }
        }
    }

    func readme(_ url: URL) async throws {
        let client = TinyvexClient(endpoint: url)  // unix:/run/user/1000/acpbridge/bridge.sock, or wss://…
        for try await update in client.subscribeSessionUpdates(sessionId: "demo-17") { show(update) }
    }
}
