import SessionRecords
import TestSupport
import Testing

@testable import SessionLog

@Suite struct FilterTests {
    let folder: TemporaryFolder
    let client: BlockingLogClient

    /// Six incarnations. The one with the highest number was the last active. Every second one has ended; the third is
    /// archived.
    init() throws {
        folder = TemporaryFolder()
        client = try BlockingLogClient(folder.log)
        let titles = ["Ärger im Haus", "login", "Straße", nil, "100% \\_ off", "x"]
        for (index, title) in titles.enumerated() {
            let facts = SessionFacts(
                title: title, cwd: "/home/me/shop\(index)", firstPrompt: "Mend the LOGIN test\nof part \(index)",
                lastTs: 0)
            let lease = try client.claim("s\(index)", agent: index < 2 ? "codex" : "claude", facts: facts)
            try client.append(lease, after: 0, [.run(["1"], ts: Int64(index + 1) * 10)])
            if index % 2 == 1 { try client.end(lease) }
        }
        guard client.ask(.label(sid: 3, .archived(true))) == .described,
            client.ask(.label(sid: 4, .tags(["Garten", "two words"]))) == .described
        else { throw UnexpectedAnswer(answer: .described) }
    }

    private func ids(_ filter: SessionFilter) throws -> [String] {
        let listing = try client.list(filter)
        #expect(listing.total == listing.records.count)
        return listing.records.map(\.sessionId)
    }

    @Test func eachFilterMemberNarrowsTheListing() throws {
        #expect(try ids(SessionFilter()) == ["s5", "s4", "s3", "s2", "s1", "s0"])
        #expect(try ids(SessionFilter(agent: "codex")) == ["s1", "s0"])
        #expect(try ids(SessionFilter(isLive: true)) == ["s4", "s2", "s0"])
        #expect(try ids(SessionFilter(isLive: false)) == ["s5", "s3", "s1"])
        #expect(try ids(SessionFilter(isArchived: true)) == ["s2"])
        #expect(try ids(SessionFilter(agent: "claude", isLive: true, isArchived: false)) == ["s4"])
    }

    @Test func childrenAreNeitherListedNorCountedIfTheyAreNotWanted() throws {
        var facts = SessionFacts(lastTs: 0)
        facts.parentId = "s0"
        try client.append(try client.claim("child", facts: facts), after: 0, [.run(["1"], ts: 100)])
        #expect(try ids(SessionFilter()).first == "child")
        var filter = SessionFilter()
        filter.hasChildren = false
        #expect(try ids(filter) == ["s5", "s4", "s3", "s2", "s1", "s0"])
        filter.isLive = true
        let page = try client.list(filter, offset: 1, limit: 1)
        #expect(page.records.map(\.sessionId) == ["s2"] && page.total == 3)
    }

    @Test func hiddenSessionsAreNeitherListedNorCounted() throws {
        for id in ["s0.child", "s00", ".s0"] {
            try client.append(try client.claim(id, facts: SessionFacts(lastTs: 0)), after: 0, [.run(["1"], ts: 1)])
        }
        var filter = SessionFilter()
        filter.hiddenIds = ["s0", "s3"]
        #expect(try ids(filter).sorted() == [".s0", "s00", "s1", "s2", "s4", "s5"])
        filter.isArchived = true
        #expect(try ids(filter) == ["s2"])
    }

    @Test(arguments: [
        (["ärger"], ["s0"]), (["ÄRGER", "haus"], ["s0"]), (["STRASSE"], []), (["straße"], ["s2"]),
        (["login"], ["s5", "s4", "s3", "s2", "s1", "s0"]), (["login", "shop3"], ["s3"]), (["garten"], ["s3"]),
        (["words"], ["s3"]), (["%"], ["s4"]), (["\\_"], ["s4"]), (["s5"], ["s5"]), (["haus", "shop1"], []),
        (["xx"], []), (["haus/home"], []), (["CODEX", "shop1"], ["s1"]),
    ])
    func searchWordsMatchInEveryField(words: [String], ids: [String]) throws {
        #expect(try self.ids(SessionFilter(words: words)) == ids)
    }

    @Test func aPageIsTakenFromAllMatches() throws {
        let page = try client.list(SessionFilter(isArchived: false), offset: 1, limit: 2)
        #expect(page.records.map(\.sessionId) == ["s4", "s3"])
        #expect(page.total == 5)
        let beyond = try client.list(offset: 60, limit: 2)
        #expect(beyond.records.isEmpty && beyond.total == 6)
    }
}
