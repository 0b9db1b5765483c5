import JSONScan
import SessionRecords
import Testing
import Tinyvex

@testable import Peers

struct LogRequestTests {
    private static let journal = Journal(logId: 7, sid: 3, epoch: 2)

    static let requests: [LogRequest] = [
        .identity, .list(limit: 100, after: nil, changes: nil),
        .list(limit: 1, after: ListingPosition(lastTs: 5, sid: 9), changes: 4), .find(sessionId: "s1", agent: nil),
        .find(sessionId: "s1", agent: "codex"), .incarnation(sid: 3),
        .change(of: .init(sid: 3, epoch: 2, timelineHead: 8, isLive: true, isRunning: false)),
        .change(of: .init(sid: 3, epoch: 2, timelineHead: 8, isLive: true, isRunning: true, queue: [])),
        .change(of: .init(sid: 3, epoch: 2, timelineHead: 8, isLive: true, isRunning: true, queue: [17, 18])),
        .page(sid: 3, from: 1, maxBytes: 1_000), .timeline(sid: 3, after: 0, maxBytes: 4 << 20),
        .timeline(sid: 3, after: 7, through: 9, maxBytes: 1_000),
        .updates(sid: 3, start: .seq(.max), limit: 1000, direction: .backward),
        .updates(sid: 3, start: .ts(5), limit: 1, direction: .forward),
        .position(sid: 3, journal: journal, seq: 41),
    ]

    private func parameters(_ text: [UInt8]) throws -> Parameters { Parameters(try JSONValue(validating: text)) }

    @Test(arguments: requests) func aRequestIsReadAsItWasWritten(request: LogRequest) throws {
        let isIdentity = request == .identity
        #expect(try LogRequest(parameters(request.arguments(log: isIdentity ? nil : 7)), log: 7) == request)
    }

    @Test(arguments: requests.dropFirst()) func aRequestForAnotherLogIsRefused(request: LogRequest) throws {
        let parameters = try parameters(request.arguments(log: 8))
        let rejection = #expect(throws: Rejection.self) { try LogRequest(parameters, log: 7) }
        #expect(rejection?.code == .sessionNotFound)
    }

    @Test(arguments: [
        "{}", #"{"read":"delete","log":"00000007"}"#, #"{"read":"page","log":"00000007","sid":1}"#,
        #"{"read":"list","log":"00000007","limit":1001}"#, #"{"read":"list","log":"00000007","after":"x"}"#,
        #"{"read":"timeline","log":"00000007","sid":1,"after":0,"maxBytes":4194305}"#,
        #"{"read":"position","log":"00000007","sid":1,"seq":1,"journal":"x"}"#, #"{"read":"incarnation","log":7}"#,
        #"{"read":"incarnation","log":"00000007","sid":-1}"#,
    ])
    func aWrongRequestIsRefused(text: String) throws {
        let parameters = try parameters(Array(text.utf8))
        #expect(throws: Rejection.self) { try LogRequest(parameters, log: 7) }
    }

    @Test func logsAreNamedAsInJournals() {
        #expect(LogName.text(0x9f03_c2aa) == "9f03c2aa" && LogName.text(7) == "00000007")
        #expect(LogName.id("00000007") == 7)
        for text in ["7", "0000007", "0000000A", "+0000007", "100000000"] { #expect(LogName.id(text) == nil) }
    }
}

struct LogAnswerTests {
    private static let line =
        #" {"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"x"}}} "#

    private static let waiting = [
        RemotePrompt(by: "token tk_1", queuedTs: 17, text: "and the tests?", isOwn: true),
        RemotePrompt(by: "uid 1000", queuedTs: 18, text: nil, isOwn: false),
    ]

    private static let answers: [(LogRequest, LogAnswer)] = [
        (.identity, .identity(logId: 7, bridge: "laptop")),
        (.list(limit: 1, after: nil, changes: 4), .unchanged(changes: 4)),
        (
            .list(limit: 1, after: nil, changes: 4),
            .list([PeerListingTests.record(3, lastTs: 5, title: "T", isLive: true)], hasMore: true, changes: 5)
        ),
        (.find(sessionId: "s", agent: nil), .records([], takenBackFrom: nil)),
        (
            .incarnation(sid: 3),
            .records([PeerListingTests.record(3, lastTs: 5, queue: waiting)], takenBackFrom: nil)
        ),
        (
            .incarnation(sid: 3),
            .records([PeerListingTests.record(3, lastTs: 5, usage: #"{"used":1,"size":9}"#)], takenBackFrom: nil)
        ),
        (
            .incarnation(sid: 3),
            .records([PeerListingTests.record(3, lastTs: 5, tenant: "acme")], takenBackFrom: 12)
        ),
        (
            .page(sid: 3, from: 2, maxBytes: 9),
            .page(UpdatePage(first: 2, count: 2, lines: Array("\(line)\n\(line)\n".utf8), isAtEnd: true))
        ),
        (.page(sid: 3, from: 2, maxBytes: 9), .page(UpdatePage(first: 2, count: 0, lines: [], isAtEnd: true))),
        (
            .timeline(sid: 3, after: 4, maxBytes: 9),
            .timeline(
                TimelinePage(
                    items: [
                        .update(n: 5, seq: 3, ts: 9, line: Array(line.utf8)),
                        .entry(n: 6, seq: 3, ts: 9, kind: "turn_end", body: Array(#"{"a":"\n"}"#.utf8)),
                    ], isAtEnd: false))
        ),
        (
            .updates(sid: 3, start: .seq(0), limit: 1, direction: .forward),
            .updates(HistoryPage(updates: [.init(seq: 1, ts: 2, line: Array(line.utf8))], nextSeq: 1))
        ),
        (.position(sid: 3, journal: Journal(logId: 7, sid: 3, epoch: 1), seq: 1), .position(.valid)),
        (.position(sid: 3, journal: Journal(logId: 7, sid: 3, epoch: 1), seq: 1), .position(.resetTo(first: 4))),
    ]

    @Test func anAnswerIsReadAsItWasWritten() throws {
        for (request, answer) in Self.answers {
            let read = LogAnswer(try JSONValue(validating: answer.json()), to: request, log: 7)
            #expect(read == Self.placed(answer), "\(request)")
        }
    }

    /// Records that were read have the place of the session at the bridge that reads them.
    private static func placed(_ answer: LogAnswer) -> LogAnswer {
        func placed(_ records: [PeerRecord]) -> [PeerRecord] {
            records.compactMap { record in
                let json = JSONWriter.object { record.write(to: &$0) }
                return (try? JSONValue(validating: json)).flatMap { PeerRecord($0, log: 7) }
            }
        }
        switch answer {
        case .list(let records, let hasMore, let changes):
            return .list(placed(records), hasMore: hasMore, changes: changes)
        case .records(let records, let lost): return .records(placed(records), takenBackFrom: lost)
        default: return answer
        }
    }

    @Test func aRecordOfAnotherLogOrWithANumberThatDoesNotFitIsLeftOut() throws {
        for sid in [Int64(3), 1 << 30] {
            let json = JSONWriter.object { PeerListingTests.record(sid, lastTs: 5).write(to: &$0) }
            let value = try JSONValue(validating: json)
            #expect(PeerRecord(value, log: 8) == nil)
            #expect(PeerRecord(value, log: 7)?.record.sid == HubSid(logId: 7, own: sid)?.sid)
        }
    }

    @Test(arguments: ["oldest", "head", "timelineHead"])
    func aRecordWithANumberThatNoSessionReachesIsLeftOut(member: String) throws {
        let json = JSONWriter.object { PeerListingTests.record(3, lastTs: 5).write(to: &$0) }
        let members = try JSONValue(validating: json).members
        let changed = JSONWriter.object { writer in
            for (name, value) in members {
                if name == member { writer.member(name, Int64.max) } else { writer.member(name, raw: value.rawText) }
            }
        }
        #expect(try PeerRecord(JSONValue(validating: changed), log: 7) == nil)
    }

    @Test(arguments: [
        #"{"first":1,"count":1,"lines":"{}\n","atEnd":true}"#,
        #"{"first":1,"count":2,"lines":"","atEnd":true}"#,
        #"{"first":0,"count":0,"lines":"","atEnd":true}"#,
        #"{"first":1,"count":1,"lines":"{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n","atEnd":true}"#,
    ])
    func aPageWithOtherMessagesThanUpdatesIsRefused(text: String) throws {
        let value = try JSONValue(validating: Array(text.utf8))
        #expect(LogAnswer(value, to: .page(sid: 3, from: 1, maxBytes: 9), log: 7) == nil)
    }

    @Test(arguments: [
        (#"{"resetTo":N}"#, LogRequest.position(sid: 3, journal: Journal(logId: 7, sid: 3, epoch: 1), seq: 1)),
        (#"{"sessions":[],"takenBackFrom":N}"#, .incarnation(sid: 3)),
        (#"{"updates":[],"nextSeq":N}"#, .updates(sid: 3, start: .seq(0), limit: 1, direction: .forward)),
        (
            #"{"updates":[{"seq":N,"ts":1,"line":TEXT}]}"#,
            .updates(sid: 3, start: .seq(0), limit: 1, direction: .forward)
        ),
        (
            #"{"updates":[{"seq":1,"ts":N,"line":TEXT}]}"#,
            .updates(sid: 3, start: .seq(0), limit: 1, direction: .forward)
        ),
        (#"{"first":N,"count":0,"lines":""}"#, .page(sid: 3, from: 1, maxBytes: 9)),
        (#"{"items":[{"n":N,"seq":1,"ts":1,"kind":"a","body":"{}"}]}"#, .timeline(sid: 3, after: 0, maxBytes: 9)),
        (#"{"items":[{"n":1,"seq":N,"ts":1,"kind":"a","body":"{}"}]}"#, .timeline(sid: 3, after: 0, maxBytes: 9)),
        (#"{"items":[{"n":1,"seq":1,"ts":N,"kind":"a","body":"{}"}]}"#, .timeline(sid: 3, after: 0, maxBytes: 9)),
    ])
    func anAnswerWithANumberThatNoSessionReachesIsRefused(text: String, request: LogRequest) throws {
        let line = String(
            decoding: JSONWriter.object { $0.member("line", Self.line) }.dropFirst(8).dropLast(), as: UTF8.self)
        for (number, isAccepted) in [(5, true), (Int64.max / 2, false), (.max, false), (-1, false)] {
            let text = text.replacing("N", with: String(number)).replacing("TEXT", with: line)
            let answer = LogAnswer(try JSONValue(validating: Array(text.utf8)), to: request, log: 7)
            #expect((answer != nil) == isAccepted, "\(number)")
        }
    }

    @Test(arguments: [
        #"{"items":[{"n":4,"seq":0,"ts":1,"kind":"prompt","body":"{}"}]}"#,
        #"{"items":[{"n":5,"seq":0,"ts":1,"kind":"prompt","body":"{} {}"}]}"#,
        #"{"items":[{"n":5,"seq":0,"ts":1,"kind":"a","body":"{}"},{"n":7,"seq":0,"ts":1,"kind":"a","body":"{}"}]}"#,
        #"{"items":[{"n":5,"seq":0,"ts":1,"line":"{}"}]}"#, "{}",
    ])
    func aTimelineWithGapsOrOtherMessagesIsRefused(text: String) throws {
        let value = try JSONValue(validating: Array(text.utf8))
        #expect(LogAnswer(value, to: .timeline(sid: 3, after: 4, maxBytes: 9), log: 7) == nil)
    }

    @Test func aPeerCannotKeepItsRowsOnTopOfTheLists() throws {
        let row =
            #"{"sid":3,"agent":"a","sessionId":"s","journal":"00000007-3-2","createdTs":1,"lastTs":4611686018427387000,"#
            + #""usedTs":4611686018427387000,"oldest":1,"head":1,"timelineHead":1}"#
        for (request, text) in [
            (LogRequest.incarnation(sid: 3), #"{"sessions":[\#(row)]}"#),
            (.list(limit: 1, after: nil, changes: nil), #"{"changes":1,"sessions":[\#(row)]}"#),
        ] {
            let answer = LogAnswer(try JSONValue(validating: Array(text.utf8)), to: request, log: 7)?.bounded(to: 1_000)
            let records: [PeerRecord]
            switch answer {
            case .list(let rows, _, _), .records(let rows, _): records = rows
            default: records = []
            }
            #expect(records.map(\.record.lastTs) == [1_000] && records.map(\.record.usedTs) == [1_000])
        }
    }
}
