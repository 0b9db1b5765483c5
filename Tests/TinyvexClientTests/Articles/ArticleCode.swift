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
        static func main() async {
            guard let id = CommandLine.arguments.dropFirst().first else { return print("usage: follow SESSION") }
            let client = TinyvexClient(endpoint: URL(filePath: "/run/user/1000/acpbridge/bridge.sock"))
            do {
                for try await update in client.subscribeSessionUpdates(sessionId: ACPSessionId(rawValue: id)) {
                    if case .agentMessageChunk(let chunk) = update.update, case .text(let content) = chunk.content {
                        print(content.text, terminator: "")
                    }
                }
            } catch {
                print(error)  // One sentence, with what to do about it. An error that leaves `main` would trap instead.
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

    struct Account: Sendable {
        var name: String
        var idToken: String
    }

    struct IdentitySDK: Sendable {
        func signIn(whenRenewed: @escaping @Sendable (String?) -> Void) async throws -> Account {
            Account(name: "Ada", idToken: "t")
        }
        func storedAccount(whenRenewed: @escaping @Sendable (String?) -> Void) async throws -> Account {
            try await signIn(whenRenewed: whenRenewed)
        }
        func signOut() async throws {}
    }

    struct CompanyLogin: AuthProvider {
        let sdk: IdentitySDK

        func login(onIdToken: @escaping @Sendable (String?) -> Void) async throws -> Account {
            try await sdk.signIn(whenRenewed: onIdToken)
        }

        func loginFromCache(onIdToken: @escaping @Sendable (String?) -> Void) async throws -> Account {
            try await sdk.storedAccount(whenRenewed: onIdToken)
        }

        func logout() async throws { try await sdk.signOut() }

        func extractIdToken(from account: Account) -> String { account.idToken }
    }

    func signingIn(_ url: URL, _ sdk: IdentitySDK) async {
        let client = TinyvexClientWithAuth(endpoint: url, authProvider: CompanyLogin(sdk: sdk))
        await client.loginFromCache()
        for await state in client.authStates {
            switch state {
            case .authenticated(let account): show(account.name)
            case .unauthenticated: signIn()
            case .loading: show("signing in")
            }
        }
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
            case .update(let seq, let update):
                store(update, seq)
                stored.seq = seq
            case .unreadable(let seq, _, _), .skipped(_, let seq, _): stored.seq = seq
            case .restarted(let nextSeq):
                removeAll(from: nextSeq)
                stored.seq = nextSeq - 1
            case .ended: return
            case .notice: break
            }
        }
    }

    func listing(_ client: TinyvexClient) async throws {
        for try await sessions in client.subscribe("sessions:list", params: ["live": true], as: [SessionRow].self) {
            for session in sessions { show(session.title ?? session.agent) }
        }
    }

    func prompting(_ client: TinyvexClient, _ session: SessionRow) async throws {
        let prompt = SessionPrompt(to: session, [.text("Fix the login test")])
        let turn = try await client.action("sessions:prompt", args: prompt, as: ACP.Agent.SessionPromptResponse.self)
        show(turn.stopReason.rawValue)
    }

    func beginning(_ client: TinyvexClient) async throws {
        struct Begun: Decodable, Sendable { var sessionId: ACPSessionId }

        let begun = try await client.action(
            "sessions:begin", args: ["agent": "codex", "cwd": "~/shop", "text": "Fix the login test"], as: Begun.self)
        show(begun)
    }

    func choose(_ title: String?, among options: [ACP.PermissionOption]) async -> ACP.PermissionOption? {
        options.first
    }

    func answering(_ client: TinyvexClient) async throws {
        for try await requests in client.subscribe("permissions:pending", as: [PermissionRow].self) {
            for request in requests {
                guard let option = await choose(request.title, among: request.options) else { continue }
                do {
                    try await client.mutation(
                        "permissions:answer", args: PermissionAnswer(to: request, optionId: option.optionId))
                } catch TinyvexError.server(_, let message, _) {
                    show(message)  // Another client was faster, or the agent has withdrawn the request.
                }
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
