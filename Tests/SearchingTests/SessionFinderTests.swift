import Access
import EventLoop
import Glibc
import JSONScan
import LogAccess
import Posix
import SessionRecords
import SessionStreams
import TestSupport
import Testing
import Tinyvex

@testable import Searching

@LoopActor private final class Box<Value> {
    var value: Value

    init(_ value: Value) { self.value = value }
}

/// A log in memory, which answers reads at once, and writes when the test calls for it.
@LoopActor private final class MemoryLog: LogClient {
    let damaged: (path: String, rescuedSessions: Int)? = nil
    var syncFailed: @LoopActor (LogError?) -> Void = { _ in }
    var filesRestored: @LoopActor ([String]) -> Void = { _ in }
    var filesLost: @LoopActor (LogError) -> Void = { _ in }
    var isIdle: Bool { true }
    var timelines: [Int64: [TimelineItem]] = [:]
    var tenants: [Int64: String] = [:]
    var fails = false
    /// Pages are not answered.
    var holdsPages = false
    /// The answer to each request for a page.
    var pageFailure: LogError?
    private(set) var listingCount = 0
    private(set) var pageCount = 0
    private var answers: [@LoopActor () -> Void] = []

    nonisolated init() {}

    func checkFiles() {}
    func close() {}

    func write(_ request: WriteRequest.Operation, then action: @escaping @LoopActor (Answer) -> Void) {
        switch request {
        case .claim:
            let journal = Journal(logId: 7, sid: 1, epoch: 1)
            let lease = Lease(journal: journal, oldest: 1, head: 0, timelineHead: 0, wasCreated: true)
            answers.append { action(.claimed(lease)) }
        case .append(_, _, let after, let items):
            let head = after + items.reduce(0) { $0 + Int64($1.lineCount) }
            answers.append { action(.appended(head: head, timelineHead: head)) }
        default: answers.append { action(.described) }
        }
    }

    func answerWrites() {
        while !answers.isEmpty { answers.removeFirst()() }
    }

    func read(_ request: ReadRequest.Query, then action: @escaping @LoopActor (Answer) -> Void) {
        if case .sessions = request { listingCount += 1 }
        if fails { return action(.failed(.closed)) }
        switch request {
        case .sessions:
            action(.listing(SessionListing(records: timelines.keys.sorted().map(record))))
        case .incarnation(let sid): action(.sessions(timelines[sid] == nil ? [] : [record(sid)]))
        case .timeline(let sid, let after, _, _, _):
            pageCount += 1
            guard !holdsPages else { return }
            if let pageFailure { return action(.failed(pageFailure)) }
            action(.timeline(TimelinePage(items: (timelines[sid] ?? []).filter { $0.n > after }, isAtEnd: true)))
        default: action(.failed(.closed))
        }
    }

    private func record(_ sid: Int64) -> SessionRecord {
        let head = timelines[sid]?.last?.n ?? 0
        return SessionRecord(
            sid: sid, agent: "demo", sessionId: "s\(sid)", title: "Title", cwd: nil, firstPrompt: nil,
            tenant: tenants[sid], label: SessionLabel(), journal: Journal(logId: 7, sid: sid, epoch: 1), createdTs: 1,
            lastTs: 1, oldest: 1, head: head, timelineHead: head, state: .ended, exit: nil)
    }
}

/// A finder with a clock that the test advances. Its thread is real.
@LoopActor private final class Rig {
    let loop = ManualLoop()
    let log = MemoryLog()
    let folder = TemporaryFolder()
    private(set) lazy var registry = SessionRegistry(log: log, limits: Limits(), services: loop.services, loop: nil)
    private var finder: SessionFinder?

    struct Stuck: Error {}

    /// Sessions refer to their registry without owning it, so nothing is released at the end of a test.
    private static var kept: [Rig] = []

    init() { Self.kept.append(self) }

    func start() throws -> SessionFinder {
        let finder = try SessionFinder(path: folder.path + "/search.db", registry: registry, services: loop.services)
        self.finder = finder
        return finder
    }

    func end() { finder?.close() }

    static func chunk(_ n: Int64, _ text: String) -> TimelineItem {
        .update(n: n, seq: n, ts: 1_763_697_600_000 + n, line: line(text))
    }

    static func line(_ text: String) -> [UInt8] {
        Array(
            (#"{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s1","update":{"sessionUpdate":"#
                + #""agent_message_chunk","content":{"type":"text","text":"\#(text)"}}}}"#).utf8)
    }

    /// Passes the results of the finder's thread to the loop, and advances its clock, until the condition holds. The
    /// thread has the lowest priority, so it gets up to 5 ms for each 10 ms of the clock.
    func run(step: Duration = .milliseconds(10), until condition: @LoopActor () throws -> Bool) throws {
        for _ in 0..<20_000 {
            loop.advance(by: step)
            if try condition() { return }
            for fd in loop.watched {
                var request = pollfd(fd: fd, events: Int16(POLLIN), revents: 0)
                if poll(&request, 1, 5) == 1 { loop.report(.readable, of: fd) }
            }
        }
        throw Stuck()
    }

    func status(_ finder: SessionFinder) throws -> JSONValue {
        try JSONValue(validating: JSONWriter.object { finder.writeStatus(to: &$0) })
    }

    func indexed(_ finder: SessionFinder, _ count: Int64) throws {
        try run { try status(finder)["done"]?.int64Value == count }
    }

    /// Searches until these are the hits: a query sees what the index's thread has committed. Gives up after 10 s.
    func expectHits(
        _ finder: SessionFinder, _ words: String, _ expected: [String], tenant: String? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let deadline = ContinuousClock.now + .seconds(10)
        var found: [String] = []
        repeat {
            found = try hits(finder, words, tenant: tenant)
        } while found != expected && ContinuousClock.now < deadline
        #expect(found == expected, sourceLocation: sourceLocation)
    }

    /// Begins a search. The result has its outcome when it is known.
    func search(
        _ finder: SessionFinder, _ words: String, tenant: String? = nil, since: Int64? = nil
    ) throws -> Box<SessionFinder.Outcome?> {
        let params = try JSONValue(
            validating: JSONWriter.object { writer in
                writer.member("query", words)
                writer.member("sinceTs", ifPresent: since)
            })
        let outcome: Box<SessionFinder.Outcome?> = Box(nil)
        finder.search(Parameters(params), tenant: tenant) { outcome.value = $0 }
        return outcome
    }

    /// A new session `s1` with one update.
    func storeOneUpdate(_ text: String) -> Session {
        let session = registry.begin(agent: "demo", id: "s1", tenant: nil)
        log.answerWrites()
        session.receive(Self.line(text).span, at: 1, isReplay: false)
        session.flush()
        log.answerWrites()
        #expect(session.timelineHead == 1)
        log.timelines = [1: [Self.chunk(1, text)]]
        return session
    }

    /// The sessions and numbers of the hits: `s1:2`.
    func hits(
        _ finder: SessionFinder, _ words: String, tenant: String? = nil, since: Int64? = nil,
        step: Duration = .milliseconds(10)
    ) throws -> [String] {
        let outcome = try search(finder, words, tenant: tenant, since: since)
        try run(step: step) { outcome.value != nil }
        let value = try JSONValue(validating: outcome.value?.get() ?? [])
        return (value["data"]?.elements ?? []).map {
            "\($0["sessionId"]?.stringValue ?? ""):\($0["seq"]?.rawString ?? "")"
        }
    }
}

@Suite(.serialized) struct SessionFinderTests {
    init() { LoopThread.start }

    @Test @LoopActor func storedSessionsAreFoundFromTheStart() throws {
        let rig = Rig()
        rig.log.timelines = [1: [Rig.chunk(1, "a wal"), Rig.chunk(2, "rus")], 2: [Rig.chunk(1, "a zebra")]]
        let finder = try rig.start()
        try rig.indexed(finder, 3)
        try rig.expectHits(finder, "walrus", ["s1:1"])
        try rig.expectHits(finder, "zebra", ["s2:1"])
        // The next listing can be under way, because the clock advances until the thread has answered.
        try rig.run { try rig.status(finder)["state"]?.stringValue == "current" }
        rig.end()
    }

    @Test @LoopActor func olderTextsAreNotFound() throws {
        let rig = Rig()
        rig.log.timelines = [
            1: [Rig.chunk(1, "walrus")], 2: [Rig.chunk(3_000, "walrus")], 3: [Rig.chunk(3_010, "walrus")],
        ]
        let finder = try rig.start()
        try rig.indexed(finder, 1 + 3_000 + 3_010)
        try rig.expectHits(finder, "walrus", ["s3:3010", "s2:3000", "s1:1"])
        #expect(try rig.hits(finder, "walrus", since: 1_763_697_603_000) == ["s3:3010", "s2:3000"])
        // The index knows the second, and the log the millisecond.
        #expect(try rig.hits(finder, "walrus", since: 1_763_697_603_010) == ["s3:3010"])
        rig.end()
    }

    @Test @LoopActor func aTenantFindsOnlyItsOwnText() throws {
        let rig = Rig()
        rig.log.timelines = [1: [Rig.chunk(1, "cellar")], 2: [Rig.chunk(1, "cellar")]]
        rig.log.tenants = [2: "acme"]
        let finder = try rig.start()
        try rig.indexed(finder, 2)
        try rig.expectHits(finder, "cellar", ["s2:1"], tenant: "acme")
        #expect(try rig.hits(finder, "cellar", tenant: "other").isEmpty)
        rig.end()
    }

    @Test @LoopActor func newTextIsReadOnceItsSessionIsQuiet() throws {
        let rig = Rig()
        let finder = try rig.start()
        let session = rig.storeOneUpdate("walrus")
        for _ in 0..<100 { finder.touch(session) }
        rig.loop.advance(by: .milliseconds(5_990))
        #expect(rig.log.pageCount == 0)
        rig.loop.advance(by: .milliseconds(10))
        try rig.indexed(finder, 1)
        #expect(rig.log.pageCount == 1)
        try rig.expectHits(finder, "walrus", ["s1:1"])
        rig.end()
    }

    @Test @LoopActor func aSearchFindsAllThatWasStoredBeforeIt() throws {
        let rig = Rig()
        let finder = try rig.start()
        finder.touch(rig.storeOneUpdate("walrus"))
        #expect(try rig.hits(finder, "walrus", step: .zero) == ["s1:1"])
        #expect(try rig.hits(finder, "zebra", step: .zero).isEmpty)
        #expect(rig.log.pageCount == 2, "one page for the index and one for the hit's text")
        rig.end()
    }

    @Test @LoopActor func aSearchWaitsAtMost800MillisecondsForTheIndex() throws {
        let rig = Rig()
        let finder = try rig.start()
        rig.log.holdsPages = true
        finder.touch(rig.storeOneUpdate("walrus"))
        let outcome = try rig.search(finder, "walrus")
        try rig.run(step: .zero) { rig.log.pageCount == 1 }
        rig.loop.advance(by: .milliseconds(790))
        #expect(outcome.value == nil)
        rig.loop.advance(by: .milliseconds(10))
        try rig.run(step: .zero) { outcome.value != nil }
        let value = try JSONValue(validating: outcome.value?.get() ?? [])
        #expect(value["data"]?.elements.isEmpty == true)
        #expect(value["index"]?["state"]?.stringValue == "indexing")
        rig.end()
    }

    @Test @LoopActor func importedSessionsAreListedOnceTwoSecondsAfterTheLastOfThem() throws {
        let rig = Rig()
        let finder = try rig.start()
        rig.log.timelines = [1: [Rig.chunk(1, "walrus")]]
        for _ in 0..<3 {
            finder.sessionsImported()
            rig.loop.advance(by: .milliseconds(1_990))
            #expect(rig.log.listingCount == 1)
        }
        rig.loop.advance(by: .milliseconds(10))
        #expect(rig.log.listingCount == 2)
        try rig.indexed(finder, 1)
        try rig.expectHits(finder, "walrus", ["s1:1"])
        rig.end()
    }

    @Test @LoopActor func anotherSearchDoesNotMakeAnAnswerLookIncomplete() throws {
        let rig = Rig()
        let finder = try rig.start()
        let session = rig.storeOneUpdate("walrus")
        finder.touch(session)
        let first = try rig.search(finder, "walrus")
        try rig.run(step: .zero) { rig.log.pageCount == 2 }
        rig.log.holdsPages = true
        finder.touch(session)
        _ = try rig.search(finder, "walrus")
        try rig.run(step: .zero) { first.value != nil }
        let value = try JSONValue(validating: first.value?.get() ?? [])
        #expect(value["data"]?.elements.count == 1)
        #expect(value["index"] == nil)
        rig.end()
    }

    @Test @LoopActor func aForgottenSessionIsNotFound() throws {
        let rig = Rig()
        rig.log.timelines = [1: [Rig.chunk(1, "walrus")], 2: [Rig.chunk(1, "walrus")]]
        let finder = try rig.start()
        try rig.indexed(finder, 2)
        finder.forget(1, isAtOnce: true)
        try rig.expectHits(finder, "walrus", ["s2:1"])
        rig.end()
    }

    @Test @LoopActor func aFailedListingIsRepeatedAfterAMinute() throws {
        let rig = Rig()
        rig.log.fails = true
        let finder = try rig.start()
        #expect(rig.log.listingCount == 1)
        rig.log.fails = false
        rig.log.timelines = [1: [Rig.chunk(1, "walrus")]]
        rig.loop.advance(by: .milliseconds(59_900))
        #expect(rig.log.listingCount == 1)
        rig.loop.advance(by: .milliseconds(100))
        #expect(rig.log.listingCount == 2)
        try rig.indexed(finder, 1)
        rig.end()
    }

    @Test @LoopActor func aPageThatCannotBeReadNowIsReadAfterAMinute() throws {
        let rig = Rig()
        rig.log.timelines = [1: [Rig.chunk(1, "walrus")]]
        rig.log.pageFailure = .full(.full)
        let finder = try rig.start()
        try rig.run { rig.log.pageCount == 1 }
        rig.log.pageFailure = nil
        rig.loop.advance(by: .milliseconds(59_000))
        #expect(rig.log.pageCount == 1)
        try rig.indexed(finder, 1)
        try rig.expectHits(finder, "walrus", ["s1:1"])
        rig.end()
    }

    @Test @LoopActor func aDamagedSessionIsLeftOut() throws {
        let rig = Rig()
        rig.log.timelines = [1: [Rig.chunk(1, "walrus")]]
        rig.log.pageFailure = .damaged
        let finder = try rig.start()
        try rig.run { try rig.status(finder)["state"]?.stringValue == "current" }
        #expect(rig.log.pageCount == 1)
        rig.end()
    }

    @Test @LoopActor func tooManySearchesAtOnceAreRefused() throws {
        let rig = Rig()
        let finder = try rig.start()
        let params = Parameters(try JSONValue(validating: Array(#"{"query":"a"}"#.utf8)))
        let refused = Box(0)
        for _ in 0...SessionFinder.searchLimit {
            finder.search(params, tenant: nil) { if case .failure = $0 { refused.value += 1 } }
        }
        #expect(refused.value == 1)
        rig.end()
    }

    @Test @LoopActor func aClosedFinderReadsNothing() throws {
        let rig = Rig()
        let finder = try rig.start()
        let session = rig.registry.begin(agent: "demo", id: "s1", tenant: nil)
        rig.log.answerWrites()
        finder.close()
        finder.touch(session)
        rig.loop.advance(by: .seconds(4_000))
        #expect(rig.log.listingCount == 1 && rig.log.pageCount == 0)
    }
}
