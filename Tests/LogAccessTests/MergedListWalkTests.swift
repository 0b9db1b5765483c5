import SessionRecords
import TestSupport
import Testing

@testable import EventLoop
@testable import LogAccess

/// Pages of a list that two bridges have, where no answer has room for all preceding records.
@Suite struct MergedListWalkTests {
    init() { LoopThread.start }

    /// A log in memory whose answers have at most `room` records.
    @LoopActor private final class ListedLog: LogClient {
        let records: [SessionRecord]
        let room: Int
        private(set) var readCount = 0
        let damaged: (path: String, rescuedSessions: Int)? = nil
        let isIdle = true
        var syncFailed: @LoopActor (LogError?) -> Void = { _ in }
        var filesRestored: @LoopActor ([String]) -> Void = { _ in }
        var filesLost: @LoopActor (LogError) -> Void = { _ in }
        var own: any LogClient { self }

        init(_ places: [(ts: Int64, sid: Int64)], room: Int) {
            records = places.sorted { $0 > $1 }.map { place in
                SessionRecord(
                    sid: place.sid, agent: "a", sessionId: "s\(place.sid)", title: nil, cwd: nil, firstPrompt: nil,
                    tenant: nil, label: SessionLabel(), journal: Journal(logId: 1, sid: 1, epoch: 1), createdTs: 1,
                    lastTs: place.ts, oldest: 1, head: 0, timelineHead: 0, state: .ended, exit: nil)
            }
            self.room = room
        }

        func place(of journal: Journal) -> Int64 { journal.sid }
        func willFollow() {}
        func checkFiles() {}
        func close() {}
        func write(_ request: WriteRequest.Operation, then action: @escaping @LoopActor (Answer) -> Void) {}

        func read(_ query: ReadRequest.Query, then action: @escaping @LoopActor (Answer) -> Void) {
            action(listing(query).map(Answer.listing) ?? .failed(.closed))
        }

        func listing(_ query: ReadRequest.Query) -> SessionListing? {
            guard case .list(_, let offset, let limit, let position) = query else { return nil }
            readCount += 1
            let rest = records.filter { record in
                position.map { (record.lastTs, record.sid) < ($0.lastTs, $0.sid) } ?? true
            }.dropFirst(offset)
            let page = Array(rest.prefix(min(limit, room)))
            return SessionListing(records: page, total: records.count, hasMore: page.count < rest.count)
        }
    }

    @LoopActor private final class TwoLogs: CombinedLog {
        let parts: (own: ListedLog, others: ListedLog)
        var own: any LogClient { parts.own }
        /// The number of answers of the others that can be used.
        var answersLeft = Int.max
        let onFollow: @LoopActor () -> Void = {}

        init(own: ListedLog, others: ListedLog) { parts = (own, others) }

        func place(of journal: Journal) -> Int64 { journal.sid }
        func close() {}
        func readSession(_ query: ReadRequest.Query, then action: @escaping @LoopActor (Answer) -> Void) -> Bool {
            false
        }
        func findOthers(
            _ sessionId: String, agent: String?, tenant: String?, then action: @escaping @LoopActor (Answer) -> Void
        ) {}
        func listOthers(
            _ query: ReadRequest.Query, then action: @escaping @LoopActor (SessionListing?) -> Void
        ) {
            answersLeft -= 1
            action(answersLeft < 0 ? nil : parts.others.listing(query))
        }
    }

    @LoopActor private func page(_ log: TwoLogs, offset: Int, limit: Int) -> SessionListing? {
        var found: SessionListing?
        log.read(.list(SessionFilter(), offset: offset, limit: limit)) { answer in
            if case .listing(let listing) = answer { found = listing }
        }
        return found
    }

    /// Two logs with equal times, and with long stretches that only one of them has.
    @LoopActor private func logs(room: Int) -> TwoLogs {
        var own: [(ts: Int64, sid: Int64)] = []
        for number in Int64(1)...60 { own.append((number / 3, number)) }
        var others: [(ts: Int64, sid: Int64)] = []
        for number in Int64(1)...40 { others.append((number < 20 ? number / 2 : number * 2, 1_000 + number)) }
        return TwoLogs(own: ListedLog(own, room: room), others: ListedLog(others, room: room))
    }

    @Test(arguments: [1, 2, 7, 1_000]) @LoopActor func pagesByNumberHaveEachSessionOnce(room: Int) {
        let log = logs(room: room)
        let all = (log.parts.own.records + log.parts.others.records).sorted {
            ($0.lastTs, $0.sid) > ($1.lastTs, $1.sid)
        }
        for limit in [1, 7, 30] where limit <= room {
            for offset in stride(from: 0, to: 100, by: limit) {
                let found = page(log, offset: offset, limit: limit)
                #expect(found?.records.map(\.sid) == all.dropFirst(offset).prefix(limit).map(\.sid))
                #expect(found?.total == 100 && found?.hasMore == (offset + limit < 100))
            }
        }
    }

    @Test @LoopActor func aPageAfterTheEndIsEmptyAndHasNoMore() {
        let found = page(logs(room: 7), offset: 100, limit: 5)
        #expect(found?.records.isEmpty == true && found?.hasMore == false && found?.total == 100)
    }

    @Test @LoopActor func aPageThatHasNoRoomContinuesByItsCursor() {
        let found = page(logs(room: 2), offset: 10, limit: 5)
        #expect((found?.records.count).map { (1..<5).contains($0) } == true && found?.hasMore == true)
    }

    @Test @LoopActor func aPageWithRoomTakesOneReadOfEachLog() {
        let log = logs(room: 1_000)
        _ = page(log, offset: 50, limit: 10)
        #expect(log.parts.own.readCount == 1 && log.parts.others.readCount == 1)
    }

    @Test @LoopActor func thePageIsTheOwnOneIfTheOthersCannotBeListed() {
        let log = logs(room: 1_000)
        log.answersLeft = 0
        let found = page(log, offset: 50, limit: 20)
        #expect(found?.records.map(\.sid) == Array(log.parts.own.records.dropFirst(50).map(\.sid)))
    }

    @Test @LoopActor func aPageOfWhichTooManyRecordsPrecedeIsRefused() {
        var answer: Answer?
        logs(room: 7).read(.list(SessionFilter(), offset: ReadLimit.mergedOffset + 1, limit: 5)) { answer = $0 }
        #expect(answer == .failed(.offsetTooLarge))
    }
}
