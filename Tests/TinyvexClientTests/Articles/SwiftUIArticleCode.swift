import Foundation
import SwiftUIStandIn

#if TINYVEX_PORTABLE
    import TinyvexClientPortable
#else
    import TinyvexClient
#endif

// The code of the article SwiftUI.md, compiled against `SwiftUIStandIn.swift`. `ArticleTests` checks that it is the same.

struct SessionsView: View {
    let client: TinyvexClient
    @State private var sessions: [SessionRow] = []
    @State private var problem: String?

    var body: some View {
        List(sessions) { session in
            VStack {
                Text(session.title ?? session.agent)
                Text(session.state == .running ? "running" : "idle")
            }
        }
        .overlay { Text(problem ?? "") }
        .task { await follow() }
    }

    private func follow() async {
        do {
            for try await rows in client.subscribe("sessions:list", params: ["live": true], as: [SessionRow].self) {
                sessions = rows
            }
        } catch {
            problem = error.localizedDescription
        }
    }
}

struct PermissionsView: View {
    let client: TinyvexClient
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
        do {
            for try await pending in client.subscribe("permissions:pending", as: [PermissionRow].self) {
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

struct SearchView: View {
    let client: TinyvexClient
    @State private var query = ""
    @State private var hits: [SearchRow] = []

    var body: some View {
        List(hits) { hit in
            Text(hit.excerpt.map { $0.isMatch ? "**\($0.text)**" : $0.text }.joined())
        }
        .searchable(text: $query)
        .task(id: query) { await search() }
    }

    private func search() async {
        hits = []
        guard !query.isEmpty else { return }
        do {
            for try await page in client.subscribe("sessions:search", params: ["query": query], as: SearchPage.self) {
                hits = page.data
            }
        } catch {
            hits = []
        }
    }
}
