import Access
import JSONScan
import LogAccess
import SessionRecords
import SessionStreams
import TestSupport
import Testing
import Tinyvex

@testable import EventLoop
@testable import Functions
@testable import Posix

/// A log that answers each request in the loop's next turn, and keeps the requests.
@LoopActor private final class ImportLog: LogClient {
    let damaged: (path: String, rescuedSessions: Int)? = nil
    var syncFailed: @LoopActor (LogError?) -> Void = { _ in }
    var filesRestored: @LoopActor ([String]) -> Void = { _ in }
    var filesLost: @LoopActor (LogError) -> Void = { _ in }
    private(set) var requests: [WriteRequest.Operation] = []
    private var head: Int64 = 0
    /// The sessions that were claimed. The first one has the place 7 in the log.
    private var claimed: Int64 = 0

    nonisolated init() {}

    var isIdle: Bool { true }
    func read(_ request: ReadRequest.Query, then action: @escaping @LoopActor (Answer) -> Void) {}
    func checkFiles() {}
    func close() {}

    func write(_ request: WriteRequest.Operation, then action: @escaping @LoopActor (Answer) -> Void) {
        requests.append(request)
        switch request {
        case .claim:
            let journal = Journal(logId: 1, sid: 7 + claimed, epoch: 1)
            claimed += 1
            head = 0
            action(.claimed(Lease(journal: journal, oldest: 1, head: 0, timelineHead: 0, wasCreated: true)))
        case .append(_, _, let after, let items):
            head = after + items.reduce(0) { $0 + Int64($1.lineCount) }
            action(.appended(head: head, timelineHead: head))
        case .describe: action(.described)
        case .delete: action(.deleted)
        default: action(.failed(.unknownSession(sid: 0)))
        }
    }

    var isDeleted: Bool { requests.contains { if case .delete(sid: 7) = $0 { true } else { false } } }

    var claimedId: String? {
        for case .claim(_, let id, .fresh, _) in requests { return id }
        return nil
    }

    var items: [LogItem] {
        requests.flatMap { request -> [LogItem] in
            guard case .append(_, _, _, let items) = request else { return [] }
            return items
        }
    }
}

@Suite(.serialized) struct SessionImportTests {
    init() { LoopThread.start }

    @LoopActor private final class Parts {
        let loop = ManualLoop()
        let log = ImportLog()
        private let folder = TemporaryFolder()
        private(set) lazy var registry = SessionRegistry(
            log: log, limits: Limits(), services: loop.services, loop: nil)
        private(set) lazy var imports = SessionImports(
            registry: registry,
            audit: AuditLog(path: folder.path + "/audit.log", limitBytes: 1 << 20), services: loop.services)

        /// The places and kinds of the reported changes.
        private(set) var changes: [String] = []

        init() { imports.changed = { [unowned self] sid, change in changes.append("\(sid) \(change)") } }

        func add(_ args: String) -> Result<JSONValue, Rejection> {
            var outcome: Result<JSONValue, Rejection> = .failure(.invalidParams("no answer"))
            do throws(Rejection) {
                let value = try? JSONValue(validating: Array(args.utf8))
                imports.add(try ImportRequest(Parameters(value)), by: Identity(who: "test", role: .admin)) { answer in
                    outcome = answer.flatMap { response in
                        (try? JSONValue(validating: response.result)).map { .success($0) }
                            ?? .failure(.invalidParams("not JSON"))
                    }
                }
            } catch {
                outcome = .failure(error)
            }
            return outcome
        }
    }

    private static func update(_ ms: Int) -> String {
        #"{\"ts\":\"2026-01-31T10:30:00.00\#(ms)Z\",\"kind\":\"update\",\"notification\":"#
            + #"{\"method\":\"session/update\",\"params\":{\"sessionId\":\"s\",\"update\":{}}}}\n"#
    }

    @Test @LoopActor func twoPartsBecomeOneEndedSessionUnderANewId() throws {
        let parts = Parts()
        let first = try parts.add(#"{"agent":"a","title":"T","text":"\#(Self.update(1))\#(Self.update(1))"}"#).get()
        let id = try #require(first["import"]?.stringValue)
        #expect(parts.changes.isEmpty)
        let last = try parts.add(#"{"import":"\#(id)","text":"\#(Self.update(2))","last":true}"#).get()
        #expect(last["updates"]?.int64Value == 3 && last["entries"]?.int64Value == 3)
        let sessionId = try #require(parts.log.claimedId)
        #expect(sessionId == "imported-\(id)" && last["sessionId"]?.stringValue == sessionId)
        #expect(parts.log.items.map(\.lineCount) == [2, 1])
        guard case .run(let lines, _, let ts) = parts.log.items.first else {
            Issue.record("no run")
            return
        }
        #expect(ts == 1_769_855_400_001)
        #expect(String(decoding: lines, as: UTF8.self).contains("\"sessionId\":\"\(sessionId)\""))
        guard case .describe(7, let facts) = parts.log.requests.last else {
            Issue.record("the session was not ended")
            return
        }
        #expect(facts.state == .ended && facts.exit == "closed")
        #expect(parts.changes == ["7 facts"])
    }

    @Test @LoopActor func aSessionIsNotActiveMoreThanADayFromNow() throws {
        let parts = Parts()
        let text = Self.update(1).replacing("2026-01-31", with: "9999-12-31")
        _ = try parts.add(#"{"agent":"a","text":"\#(text)","last":true}"#).get()
        let latest = parts.loop.services.time.dateMilliseconds + 86_400_000
        var times: [Int64?] = []
        for request in parts.log.requests {
            switch request {
            case .claim(_, _, _, let facts), .describe(_, let facts): times.append(facts.lastTs)
            default: break
            }
        }
        #expect(times == [latest, latest])
    }

    @Test @LoopActor func theSessionsOfAnImportAreNotFoundBeforeItsLastPart() throws {
        let parts = Parts()
        let text = Self.head("s") + Self.update(1) + Self.head("c", of: "s") + Self.update(1)
        let first = try parts.add(#"{"agent":"a","text":"\#(text)"}"#).get()
        let id = try #require(first["import"]?.stringValue)
        #expect(["imported-\(id)", "imported-\(id).c"].allSatisfy(parts.registry.isImporting))
        #expect(!["imported-\(id)0", "imported-", id].contains(where: parts.registry.isImporting))
        var rejection: Rejection?
        parts.registry.find(SessionReference(sessionId: "imported-\(id)"), of: nil) { found in
            if case .failure(let reason) = found { rejection = reason }
        }
        #expect(rejection?.code == .sessionNotFound)
        _ = try parts.add(#"{"import":"\#(id)","text":"","last":true}"#).get()
        #expect(!parts.registry.isImporting("imported-\(id)"))
    }

    private static func head(_ id: String, of parent: String? = nil) -> String {
        let parent = parent.map { #","parentId":"\#($0)""# } ?? ""
        return #"{\"kind\":\"export\",\"version\":1,\"agent\":\"a\",\"sessionId\":\"\#(id)\""#
            + parent.replacing("\"", with: "\\\"") + #"}\n"#
    }

    @Test @LoopActor func childSessionsBecomeChildrenOfTheNewSession() throws {
        let parts = Parts()
        let text = Self.head("s") + Self.update(1) + Self.head("c", of: "s") + Self.update(1)
        let first = try parts.add(#"{"agent":"a","text":"\#(text)"}"#).get()
        let id = try #require(first["import"]?.stringValue)
        #expect(first["sessions"]?.int64Value == 2)
        let more = Self.update(2) + Self.head("d", of: "c") + Self.update(2)
        let last = try parts.add(#"{"import":"\#(id)","text":"\#(more)","last":true}"#).get()
        #expect(last["sessions"]?.int64Value == 3 && last["updates"]?.int64Value == 4)
        var claims: [String] = []
        var appends: [String] = []
        var ended: [Int64] = []
        for request in parts.log.requests {
            switch request {
            case .claim(_, let id, _, let facts): claims.append("\(id)<\(facts.parentId ?? "")")
            case .append(let sid, _, let after, let items): appends.append("\(sid) \(after) \(items.count)")
            case .describe(let sid, let facts): if facts.state == .ended { ended.append(sid) }
            default: break
            }
        }
        let root = "imported-\(id)"
        #expect(claims == ["\(root)<", "\(root).c<\(root)", "\(root).d<\(root).c"])
        #expect(appends == ["7 0 1", "8 0 1", "8 1 1", "9 0 1"])
        #expect(ended == [7, 8, 9])
        #expect(parts.changes == ["7 facts", "8 facts", "9 facts"])
    }

    @Test @LoopActor func aBadPartDeletesTheChildrenToo() throws {
        let parts = Parts()
        let text = Self.head("s") + Self.update(1) + Self.head("c", of: "s") + Self.update(1)
        let first = try parts.add(#"{"agent":"a","text":"\#(text)"}"#).get()
        let id = try #require(first["import"]?.stringValue)
        #expect(throws: Rejection.self) {
            try parts.add(#"{"import":"\#(id)","text":"\#(Self.head("x", of: "gone"))"}"#).get()
        }
        #expect(parts.changes == ["7 deleted", "8 deleted"])
    }

    @Test @LoopActor func aBadFirstPartCreatesNothing() throws {
        let parts = Parts()
        guard case .failure(let rejection) = parts.add(#"{"agent":"a","text":"\nx\n"}"#) else {
            Issue.record("accepted")
            return
        }
        #expect(rejection.message.hasPrefix("line 2 of text is not JSON"))
        #expect(parts.log.requests.isEmpty)
    }

    @Test @LoopActor func aBadLaterPartDeletesTheSession() throws {
        let parts = Parts()
        let first = try parts.add(#"{"agent":"a","text":"\#(Self.update(1))"}"#).get()
        let id = try #require(first["import"]?.stringValue)
        #expect(throws: Rejection.self) { try parts.add(#"{"import":"\#(id)","text":"x"}"#).get() }
        #expect(parts.log.isDeleted)
        #expect(parts.changes == ["7 deleted"])
        #expect(throws: Rejection.self) { try parts.add(#"{"import":"\#(id)","text":""}"#).get() }
    }

    @Test @LoopActor func anImportWithoutPartsForAMinuteIsDeleted() throws {
        let parts = Parts()
        _ = try parts.add(#"{"agent":"a","text":"\#(Self.update(1))"}"#).get()
        parts.loop.advance(by: .seconds(59))
        #expect(!parts.log.isDeleted)
        parts.loop.advance(by: .seconds(2))
        #expect(parts.log.isDeleted)
    }

    @Test @LoopActor func aFifthImportIsRefused() throws {
        let parts = Parts()
        for _ in 0..<4 { _ = try parts.add(#"{"agent":"a","text":""}"#).get() }
        guard case .failure(let rejection) = parts.add(#"{"agent":"a","text":""}"#) else {
            Issue.record("accepted")
            return
        }
        #expect(rejection.code == .limitExceeded)
    }
}
