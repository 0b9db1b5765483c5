import Foundation
import TinyvexClient

#if canImport(SwiftUI)
    import SwiftUI
#else
    // On Linux the app is only type-checked, against a small stand-in for SwiftUI. It has not been run on an Apple
    // platform.
    import SwiftUIStandIn
#endif

/// An app that lists the live sessions of a bridge, shows one as it happens, and answers its permission requests.
///
/// Add this file and the package's library `TinyvexClient` to an app's target in Xcode. The settings `endpoint` and
/// `token` of the app name the bridge and a token with the role `control`. A real app keeps the token in the keychain.
#if canImport(SwiftUI)
    @main
#endif
struct SessionsApp: App {
    /// One client for the whole app. It connects with the first subscription, and resumes after the app was in the
    /// background.
    private let client: TinyvexClient

    init() {
        let endpoint = UserDefaults.standard.string(forKey: "endpoint").flatMap { URL(string: $0) }
        client = TinyvexClient(endpoint: endpoint ?? URL(filePath: "/no-endpoint"))
        client.setAuthToken(UserDefaults.standard.string(forKey: "token"))
    }

    var body: some Scene {
        WindowGroup { SessionList(client: client) }
    }
}

// MARK: The sessions

struct SessionList: View {
    let client: TinyvexClient
    @State private var sessions: [SessionRow] = []
    @State private var problem: String?

    var body: some View {
        NavigationStack {
            List(sessions) { session in
                NavigationLink(Self.label(session)) { LiveSession(client: client, session: session) }
            }
            .navigationTitle("Sessions")
            .overlay { Text(problem ?? "") }
            .task { await follow() }
        }
    }

    private static func label(_ session: SessionRow) -> String {
        "\(session.title ?? session.agent): \(session.state.rawValue)"
    }

    private func follow() async {
        do {
            for try await rows in client.subscribe("sessions:list", params: ["live": true], as: [SessionRow].self) {
                sessions = rows
                problem = nil
            }
        } catch {
            problem = error.localizedDescription
        }
    }
}

// MARK: One session

struct LiveSession: View {
    let client: TinyvexClient
    let session: SessionRow
    @State private var text = ""
    @State private var prompt = ""
    @State private var problem: String?

    var body: some View {
        VStack {
            ScrollView { Text(text) }
            Requests(client: client, session: session)
            TextField("Prompt", text: $prompt).onSubmit { Task { await send() } }
        }
        .navigationTitle(session.title ?? session.agent)
        .overlay { Text(problem ?? "") }
        .task { await follow() }
    }

    /// The view keeps the end of the conversation. A reader of the whole history asks the bridge for pages.
    private static let textLimitCharacters = 100_000

    private func follow() async {
        do {
            for try await update in client.subscribeSessionUpdates(sessionId: session.sessionId) {
                switch update.update {
                case .agentMessageChunk(let chunk):
                    if case .text(let content) = chunk.content { add(content.text) }
                case .toolCall(let call): add("\n[\(call.title)]\n")
                default: break
                }
            }
        } catch {
            problem = error.localizedDescription
        }
    }

    private func add(_ piece: String) {
        text += piece
        if text.count > Self.textLimitCharacters { text.removeFirst(text.count - Self.textLimitCharacters) }
    }

    private func send() async {
        let sent = prompt
        prompt = ""
        do {
            try await client.action(
                "sessions:prompt",
                args: SessionPrompt(session.sessionId, [.text(sent)], agent: session.agent, queue: true))
        } catch TinyvexError.outcomeUnknown {
            problem = "The connection was lost. The session shows whether the prompt arrived."
        } catch {
            problem = error.localizedDescription
            prompt = sent
        }
    }
}

// MARK: Permission requests

/// The open permission requests of a session, each with a button for each option.
struct Requests: View {
    let client: TinyvexClient
    let session: SessionRow
    @State private var rows: [PermissionRow] = []

    var body: some View {
        List(rows) { row in
            VStack {
                Text(row.title ?? "A permission request")
                ForEach(row.options) { option in
                    Button(option.name) { Task { await answer(row, option) } }
                }
            }
        }
        .task { await follow() }
    }

    private func follow() async {
        let params = ["sessionId": session.sessionId.rawValue, "agent": session.agent]
        do {
            for try await pending in client.subscribe("permissions:pending", params: params, as: [PermissionRow].self) {
                rows = pending
            }
        } catch {
            rows = []
        }
    }

    private func answer(_ row: PermissionRow, _ option: ACP.PermissionOption) async {
        // Another person may have answered first; the list shows what is still open.
        try? await client.mutation("permissions:answer", args: PermissionAnswer(to: row, optionId: option.optionId))
    }
}
