import CSQLite
import SQLite
import SessionRecords
import TestSupport
import Testing

@testable import SessionLog

@Suite struct FullDiskTests {
    let folder: TemporaryFolder
    let client: BlockingLogClient

    init() throws {
        folder = TemporaryFolder()
        client = try BlockingLogClient(folder.log)
    }

    private let large = LogItem.run([String(repeating: "x", count: 100_000)])

    @Test func anAppendFailsOnAFullDiskAndSucceedsAfterwards() throws {
        let lease = try client.claim()
        try client.append(lease, after: 0, [.run(["1"])])
        client.log.limitGrowth(pages: 4)
        for _ in 0..<3 {
            let answer = client.ask(.append(sid: lease.sid, epoch: 1, after: 1, items: [.entry("turn"), large]))
            guard case .failed(.full(let failure)) = answer else { throw UnexpectedAnswer(answer: answer) }
            #expect(failure.primaryCode == SQLITE_FULL)
            #expect(LogError.full(failure).description.contains("disk"))
        }
        #expect(try client.timeline(lease.sid).items.count == 1)

        client.log.limitGrowth(pages: nil)
        let appended = try client.append(lease, after: 1, [.entry("turn"), large])
        #expect(appended == (2, 3))
        #expect(try client.page(lease.sid).count == 2)
    }

    @Test func anAppendThatDoesNotFitDoesNotFailOthers() throws {
        let leases = try (0..<6).map { try client.claim("s\($0)") }
        client.log.limitGrowth(pages: 4)
        let tickets = leases.enumerated().map { index, lease in
            client.submit(.append(sid: lease.sid, epoch: 1, after: 0, items: [index == 2 ? large : .run(["1"])]))
        }
        for (index, ticket) in tickets.enumerated() {
            let answer = client.answer(to: ticket)
            if index == 2 {
                #expect(answer == .failed(.full(SQLiteError(code: SQLITE_FULL))))
            } else {
                #expect(answer == .appended(head: 1, timelineHead: 1))
            }
        }
    }

    @Test func aFailedClaimDoesNotFenceTheOwner() throws {
        let text = String(repeating: "\u{1F600}", count: 1_000)
        let facts = SessionFacts(title: text, cwd: "/" + text.dropLast(10), firstPrompt: text)
        // Two such sessions do not fit into one page.
        _ = client.ask(.claim(agent: "demo", sessionId: "another", mode: .continueLatest, facts: facts))
        let lease = try client.claim()
        client.log.limitGrowth(pages: 0)
        let answer = client.ask(.claim(agent: "demo", sessionId: "s", mode: .continueLatest, facts: facts))
        guard case .failed(.full) = answer else { throw UnexpectedAnswer(answer: answer) }
        client.log.limitGrowth(pages: nil)
        try client.append(lease, after: 0, [.run(["1"])])
    }
}
