import Glibc
import SQLite
import SessionRecords
import SessionSearch
import TestSupport
import Testing

/// An index of sessions that are in memory.
private final class Rig {
    let folder = TemporaryFolder()
    var index: SearchIndex
    let reader: SearchReader
    var sessions: [Int64: [TimelineItem]] = [:]
    var path: String { folder.path + "/search.db" }

    init() throws {
        index = try SearchIndex(path: folder.path + "/search.db", logId: 7)
        reader = SearchReader(path: folder.path + "/search.db")
    }

    func note(_ sid: Int64, _ items: [TimelineItem], agent: String = "codex", tenant: String? = nil) throws {
        sessions[sid] = items
        let head = items.last?.n ?? 0
        try index.note(
            [SearchedSession(sid: sid, agent: agent, tenant: tenant, head: head, oldest: 1)], round: 1)
    }

    func page(_ work: SearchWork, itemLimit: Int = .max) -> TimelinePage? {
        let (sid, after) = work.page
        guard let items = sessions[sid] else { return nil }
        let rest = items.filter { $0.n > after }
        return TimelinePage(items: Array(rest.prefix(itemLimit)), isAtEnd: rest.count <= itemLimit)
    }

    /// Indexes everything. Returns the number of steps.
    @discardableResult func run(itemLimit: Int = .max) throws -> Int {
        var count = 0
        while let work = try index.nextWork() {
            try index.store(page(work, itemLimit: itemLimit), for: work)
            count += 1
            guard count < 10_000 else { throw Endless() }
        }
        return count
    }

    struct Endless: Error {}

    func hits(_ text: String, sid: Int64? = nil, agent: String? = nil, tenant: String? = nil) throws -> [SearchHit] {
        var query = try SearchQuery(text)
        (query.sid, query.agent, query.tenant) = (sid, agent, tenant)
        return try candidates(query, limit: 100).compactMap { candidate in
            try reader.hit(query, candidate, in: (sessions[candidate.sid] ?? []).filter { $0.n >= candidate.first })
        }
    }

    func candidates(_ query: SearchQuery, before: Int64? = nil, limit: Int) throws -> [SearchCandidate] {
        try index.commit()
        return try reader.candidates(query, before: before, limit: limit)
    }

    func numbers(_ text: String) throws -> [Int64] { try hits(text).map(\.n) }
}

@Suite struct SearchIndexTests {
    @Test func aHitNamesTheUpdateInWhichItsWordBegins() throws {
        let rig = try Rig()
        try rig.note(1, [Items.prompt(1, "mend it"), Items.chunk(2, "the login te"), Items.chunk(3, "st fails")])
        try rig.run()
        #expect(try rig.numbers("login") == [2])
        #expect(try rig.numbers("TEST") == [2])
        #expect(try rig.numbers("fails") == [3])
        let hit = try #require(try rig.hits("mend").first)
        #expect(hit.kind == .prompt && hit.n == 1 && hit.seq == 0)
        #expect(hit.snippet.parts == ["", "mend", " it"])
        #expect(try rig.hits("login fails").first?.snippet.parts == ["the ", "login", " test ", "fails"])
        #expect(try rig.numbers("te").isEmpty)
        #expect(try rig.numbers("mend login").isEmpty)
    }

    @Test func aMessageThatGrowsIsFoundOnceAndWhole() throws {
        let rig = try Rig()
        var items: [TimelineItem] = []
        for (n, text) in zip(1..., ["one tw", "o thr", "ee", " four"]) {
            items.append(Items.chunk(Int64(n), text))
            try rig.note(1, items)
            try rig.run()
        }
        #expect(try rig.numbers("three") == [2])
        #expect(try rig.numbers("one four") == [1])
        #expect(try rig.numbers("tw").isEmpty)
        #expect(try rig.index.progress().documents == 1)
    }

    @Test(arguments: [SearchDocument.pieceLimit + 1, 200, 1_000])
    func theSizeOfPagesDoesNotChangeTheHits(itemLimit: Int) throws {
        let rig = try Rig()
        try rig.note(1, (1...600).map { Items.chunk($0, $0.isMultiple(of: 3) ? "d\($0) " : "x\($0)y") })
        try rig.run(itemLimit: itemLimit)
        for n in stride(from: Int64(3), through: 600, by: 51) {
            #expect(try rig.numbers("x\(n - 2)yx\(n - 1)yd\(n)") == [n - 2])
        }
    }

    @Test func phrasesAndPunctuationNeedTheOrder() throws {
        let rig = try Rig()
        try rig.note(1, [Items.chunk(1, "open src/main.c, then main src")])
        try rig.run()
        #expect(try rig.numbers("src/main.c") == [1])
        #expect(try rig.numbers(#""main src""#) == [1])
        #expect(try rig.numbers(#""then open""#).isEmpty)
        #expect(try rig.numbers("then open") == [1])
        #expect(try rig.numbers("op*") == [1])
        #expect(try rig.numbers("pen*").isEmpty)
    }

    @Test func charactersOfTextsWithoutSpacesAreWords() throws {
        let rig = try Rig()
        try rig.note(1, [Items.chunk(1, "Größe und 登录"), Items.chunk(2, "页面 नमस्ते")])
        try rig.run()
        #expect(try rig.numbers("登录页") == [1])
        #expect(try rig.numbers("面") == [2])
        #expect(try rig.numbers("登页").isEmpty)
        #expect(try rig.numbers("GRÖßE") == [1])
        #expect(try rig.numbers("नमस्ते") == [2])
        #expect(try rig.hits("页面").first?.snippet.parts == ["Größe und 登录", "页面", " नमस्ते"])
    }

    /// The query language of FTS5 and SQL is text like any other.
    @Test(arguments: [
        "a OR b", "NEAR(a b)", "a NOT b", "text:a", "^a", "a + b", "'; DROP TABLE doc; --", "\"a", "{a b}: c", "a AND",
        "\u{E000}s1", "(", "a\"\"b", "%", "\\", "𝔘𝔫𝔦",
    ])
    func theQueryLanguageIsNotPartOfAQuery(text: String) throws {
        let rig = try Rig()
        try rig.note(1, [Items.chunk(1, "zebra")])
        try rig.run()
        guard let query = try? SearchQuery(text) else { return }
        #expect(try rig.candidates(query, limit: 10).isEmpty)
        #expect(try rig.numbers("zebra") == [1])
    }

    @Test func filtersSelectSessionsAgentsAndTenants() throws {
        let rig = try Rig()
        try rig.note(1, [Items.chunk(1, "word")])
        try rig.note(2, [Items.chunk(1, "word")], agent: "claude code", tenant: "acme")
        try rig.note(3, [Items.chunk(1, "word")], tenant: "other")
        try rig.run()
        #expect(try rig.hits("word").count == 3)
        #expect(try rig.hits("word", sid: 2).count == 1)
        #expect(try rig.hits("word", agent: "claude code").count == 1)
        #expect(try rig.hits("word", agent: "claude").isEmpty)
        #expect(try rig.hits("word", tenant: "acme").count == 1)
        #expect(try rig.hits("word", sid: 1, tenant: "acme").isEmpty)
    }

    @Test func sessionsOfOneSecondAreFoundNewestFirstWhicheverWasIndexedFirst() throws {
        let rig = try Rig()
        // The index reads the session with the largest number first.
        for sid in Int64(1)...3 {
            try rig.note(sid, [Items.prompt(1, "word", ts: 1_763_697_600_000 + 300 * sid)])
        }
        try rig.run()
        #expect(try rig.candidates(SearchQuery("word"), limit: 10).map(\.sid) == [3, 2, 1])
    }

    @Test func textsOfOneMillisecondAllHaveAPlace() throws {
        let rig = try Rig()
        for sid in Int64(1)...40 {
            try rig.note(sid, (1...40).map { Items.prompt($0, "word", ts: 1_763_697_600_990) })
        }
        try rig.run()
        let found = try rig.candidates(SearchQuery("word"), limit: 10_000)
        #expect(found.count == 1_600)
        #expect(found.allSatisfy { $0.seconds - 1_763_697_600 <= 2 })
    }

    @Test func theNewestHitsComeFirstAndPagesContinue() throws {
        let rig = try Rig()
        try rig.note(1, (1...50).flatMap { [Items.chunk(2 * $0 - 1, "word"), Items.prompt(2 * $0, "p")] })
        try rig.run(itemLimit: 7)
        let query = try SearchQuery("word")
        var found: [Int64] = []
        var before: Int64?
        while true {
            let page = try rig.candidates(query, before: before, limit: 8)
            found += page.map(\.first)
            guard page.count == 8 else { break }
            before = page.last?.id
        }
        #expect(found == (1...50).reversed().map { 2 * $0 - 1 })
    }

    @Test func aDeletedSessionIsNotFoundAndItsWordsLeaveTheFile() throws {
        let rig = try Rig()
        try rig.note(1, [Items.chunk(1, "xylophone")])
        try rig.note(2, [Items.chunk(1, "zebra")])
        try rig.run()
        try rig.index.forget(1, isAtOnce: true)
        rig.sessions[1] = nil
        #expect(try rig.numbers("xylophone").isEmpty)
        try rig.run()
        #expect(try rig.numbers("zebra") == [1])
        rig.index = try SearchIndex(path: rig.folder.path + "/other.db", logId: 7)
        for suffix in ["", "-wal"] {
            #expect(!Self.file(rig.path + suffix, has: "xylophone"))
        }
    }

    @Test func onlyTheLogItselfCanHaveLostUpdates() throws {
        let rig = try Rig()
        try rig.note(1, [Items.prompt(1, "early"), Items.prompt(2, "late")])
        try rig.run()
        let earlier = [SearchedSession(sid: 1, agent: "codex", tenant: nil, head: 1, oldest: 1)]
        try rig.index.note(earlier, round: 1)
        try rig.run()
        #expect(try rig.numbers("late") == [2])
        rig.sessions[1] = [Items.prompt(1, "early")]
        try rig.index.note(earlier, round: 1, areListed: true)
        try rig.run()
        #expect(try rig.numbers("late").isEmpty)
        #expect(try rig.numbers("early") == [1])
    }

    @Test func trimmedTextIsNotFound() throws {
        let rig = try Rig()
        let items = [Items.prompt(1, "early"), Items.prompt(2, "late"), Items.prompt(3, "later")]
        try rig.note(1, items)
        try rig.run()
        rig.sessions[1] = Array(items.dropFirst(2))
        try rig.index.note(
            [SearchedSession(sid: 1, agent: "codex", tenant: nil, head: 3, oldest: 3)], round: 1)
        try rig.run()
        #expect(try rig.numbers("early").isEmpty)
        #expect(try rig.numbers("later") == [3])
        #expect(try rig.index.progress().documents == 1)
    }

    @Test func sessionsThatTheLogHasNoLongerAreForgotten() throws {
        let rig = try Rig()
        try rig.note(1, [Items.chunk(1, "word")])
        try rig.run()
        try rig.index.note([SearchedSession(sid: 2, agent: "codex", tenant: nil, head: 0, oldest: 1)], round: 2)
        try rig.index.forgetOthers(than: 2)
        #expect(try rig.numbers("word").isEmpty)
        #expect(try rig.index.progress().total == 0)
    }

    @Test func aSessionThatCannotBeReadIsLeftOut() throws {
        let rig = try Rig()
        try rig.note(1, [Items.chunk(1, "word")])
        rig.sessions[1] = nil
        #expect(try rig.run() == 1)
    }

    @Test(arguments: [UInt32(7), 8])
    func anIndexContinuesOnlyWithItsOwnLog(logId: UInt32) throws {
        let rig = try Rig()
        try rig.note(1, [Items.chunk(1, "word")])
        try rig.run()
        #expect(try rig.numbers("word").count == 1)
        rig.index = try SearchIndex(path: rig.folder.path + "/other.db", logId: 7)
        rig.index = try SearchIndex(path: rig.path, logId: logId)
        #expect(try rig.numbers("word").count == (logId == 7 ? 1 : 0))
    }

    @Test func aReaderFindsWhatIsCommitted() throws {
        let rig = try Rig()
        let query = try SearchQuery("word")
        #expect(try SearchReader(path: rig.path + ".missing").candidates(query, before: nil, limit: 1).isEmpty)
        #expect(try rig.reader.candidates(query, before: nil, limit: 1).isEmpty)
        try rig.note(1, [Items.chunk(1, "word")])
        let work = try #require(try rig.index.nextWork())
        try rig.index.store(rig.page(work), for: work)
        #expect(try rig.reader.candidates(query, before: nil, limit: 1).isEmpty)
        try rig.index.commit()
        #expect(try rig.reader.candidates(query, before: nil, limit: 1).count == 1)
    }

    @Test func aFileThatIsNoIndexIsReplaced() throws {
        let folder = TemporaryFolder()
        let path = folder.path + "/search.db"
        let file = try #require(fopen(path, "w"))
        fputs(String(repeating: "not a database ", count: 1_000), file)
        fclose(file)
        let index = try SearchIndex(path: path, logId: 7)
        #expect(try index.progress().documents == 0)
        var status = stat()
        #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
    }

    private static func file(_ path: String, has word: String) -> Bool {
        guard let file = fopen(path, "r") else { return false }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while case let count = fread(&chunk, 1, chunk.count, file), count > 0 { bytes += chunk[..<count] }
        return String(decoding: bytes, as: UTF8.self).contains(word)
    }
}
