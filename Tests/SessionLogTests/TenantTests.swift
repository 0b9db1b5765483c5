import SessionRecords
import TestSupport
import Testing

@testable import SessionLog

/// Sessions of several tenants in one log.
@Suite struct TenantTests {
    let folder: TemporaryFolder
    let client: BlockingLogClient

    /// Each of two tenants, and the bridge itself, has a session "s" of the same agent.
    init() throws {
        folder = TemporaryFolder()
        client = try BlockingLogClient(folder.log)
        for tenant in ["acme", "evil", nil] {
            let lease = try client.claim("s", facts: SessionFacts(title: "title", tenant: tenant))
            try client.append(lease, after: 0, [.run([tenant ?? "own"])])
            try client.end(lease)
        }
    }

    private func records(_ query: ReadRequest.Query) throws -> [String?] {
        switch client.ask(query) {
        case .sessions(let records): records.map(\.tenant)
        case .listing(let listing):
            (listing.total ?? listing.records.count) == listing.records.count
                ? listing.records.map(\.tenant) : ["total \(listing.total ?? 0)"]
        case let answer: throw UnexpectedAnswer(answer: answer)
        }
    }

    @Test func aTenantsQueryReturnsOnlyItsOwnSessions() throws {
        for tenant in ["acme", "evil"] {
            #expect(try records(.sessions(liveOnly: false, limit: 10, tenant: tenant)) == [tenant])
            #expect(try records(.find(sessionId: "s", agent: nil, tenant: tenant)) == [tenant])
            #expect(try records(.find(sessionId: "s", agent: "demo", tenant: tenant)) == [tenant])
            #expect(try records(.list(SessionFilter(tenant: tenant), offset: 0, limit: 10)) == [tenant])
            let search = SessionFilter(agent: "demo", isLive: false, tenant: tenant, words: ["title"])
            #expect(try records(.list(search, offset: 0, limit: 10)) == [tenant])
        }
        #expect(try records(.sessions(liveOnly: false, limit: 10, tenant: "none")) == [])
        #expect(try records(.list(SessionFilter(tenant: ""), offset: 0, limit: 10)) == [])
    }

    @Test func aQueryWithoutATenantReturnsAllSessions() throws {
        #expect(try records(.sessions(liveOnly: false, limit: 10)).count == 3)
        #expect(try records(.find(sessionId: "s", agent: nil)).count == 3)
        #expect(try records(.list(SessionFilter(), offset: 0, limit: 10)).count == 3)
    }

    @Test(arguments: ["acme", "evil", nil])
    func aTenantContinuesOnlyItsOwnIncarnation(tenant: String?) throws {
        let lease = try client.claim("s", mode: .continueLatest, facts: SessionFacts(tenant: tenant))
        #expect(!lease.wasCreated)
        #expect(try client.page(lease.sid).lines == Array("\(tenant ?? "own")\n".utf8))
        #expect(try client.sessions(liveOnly: true).map(\.tenant) == [tenant])
    }

    @Test func aTenantWithoutAnIncarnationCreatesOne() throws {
        let lease = try client.claim("s", mode: .continueLatest, facts: SessionFacts(tenant: "new"))
        #expect(lease.wasCreated && lease.head == 0)
    }
}
