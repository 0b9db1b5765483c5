import AgentProcess
import Testing
import TinyvexClient

/// Two bridges, one of which shows the sessions of the other one, with sessions and requests of equal ids.
@Suite(.blockingAndSuspending, .timeLimit(.minutes(10))) struct EqualIdTests {
    @Test func anAnswerReachesTheSessionOfItsRowAmongTwoOfOneId() async throws {
        try await BridgeHome.with { first in
            _ = try Daemon(first)
            try await BridgeHome.with { second in
                _ = try Daemon(second, ["--no-tcp", "--peer", SystemString("unix:\(first.socket)")])
                let editors = try [first, second].map { home in
                    let editor = try EditorSession([Binary.rudeAgent, "echo", "--id-style", "string"], in: home)
                    try editor.send(prompt: "may I?")
                    return editor
                }
                let client = second.client
                var rows: [PermissionRow] = []
                for try await value in client.subscribe("permissions:pending", as: [PermissionRow].self) {
                    rows = value
                    // A session is listed before it is stored, and has no journal then.
                    if rows.count == 2, rows.allSatisfy({ !$0.journal.isEmpty }) { break }
                }
                #expect(Set(rows.map(\.id)).count == 2 && Set(rows.map(\.requestId)).count == 1)
                let named = try second.run("answer", "rude-1", "--cancel")
                let journals = rows.map(\.journal)
                #expect(named.status == .exited(code: 3) && journals.allSatisfy { named.errorText.contains($0) })
                #expect(named.errorText.contains("2 sessions with the id"), "\(named.errorText)")

                let distant = try #require(rows.first { $0.bridge != nil })
                try await client.mutation("permissions:answer", args: PermissionAnswer(to: distant, .cancelled))
                let left = try await client.query("permissions:pending", as: [PermissionRow].self)
                #expect(left.contains { $0.bridge == nil })
                let local = SystemString(try #require(rows.first { $0.bridge == nil }).journal)
                #expect(try second.run("answer", local, "--cancel").status == .exited(code: 0))
                for editor in editors { try editor.end() }
            }
        }
    }
}
