import Glibc
import Posix
import SessionRecords
import TestSupport
import Testing

@testable import SessionLog

/// The schedule, with a clock that the test sets.
@Suite struct SyncScheduleTests {
    private let start = Instant.now

    private func at(_ milliseconds: Int) -> Instant { start + .milliseconds(milliseconds) }

    @Test func noSyncStartsWithoutUnsyncedUpdates() {
        var schedule = SyncSchedule()
        schedule.committed(since: at(0))
        _ = schedule.walSyncBegins()
        for time in [0, 40, 80, 1_000] {
            if case .sync = schedule.step(spooledSince: nil, at: at(time)) { Issue.record("a sync at \(time)") }
        }
    }

    /// A look that finds nothing can be followed by an update at once, which is due as late as the next look.
    @Test func afterASteadyStreamTheThreadLooksOnceBeforeItRests() {
        var schedule = SyncSchedule()
        for start in [0, 10_000] {
            #expect(schedule.step(spooledSince: at(start), at: at(start + 40)) == .sync(spool: true, wal: false))
            // A slow disk makes the stream no less steady.
            #expect(schedule.step(spooledSince: at(start + 50), at: at(start + 300)) == .sync(spool: true, wal: false))
            #expect(schedule.step(spooledSince: nil, at: at(start + 310)) == .wait(until: at(start + 350)))
            #expect(schedule.step(spooledSince: nil, at: at(start + 350)) == .rest)
            #expect(schedule.step(spooledSince: nil, at: at(start + 5_000)) == .rest)
        }
        #expect(SyncSchedule.dueTime(since: at(1)) == at(41))
    }

    /// At ten updates a second, such a look would cost more than to have the timer set for each update.
    @Test func atASlowPaceTheThreadRestsAfterEachSync() {
        var schedule = SyncSchedule()
        for oldest in [0, 81, 180, 10_000] {
            #expect(schedule.step(spooledSince: at(oldest), at: at(oldest)) == .wait(until: at(oldest + 40)))
            #expect(schedule.step(spooledSince: at(oldest), at: at(oldest + 40)) == .sync(spool: true, wal: false))
            #expect(schedule.step(spooledSince: nil, at: at(oldest + 41)) == .rest)
        }
    }

    @Test func theOldestUpdateDeterminesTheSyncTime() {
        var schedule = SyncSchedule()
        #expect(schedule.step(spooledSince: at(3), at: at(5)) == .wait(until: at(43)))
        schedule.committed(since: at(4))
        #expect(schedule.step(spooledSince: at(3), at: at(5)) == .wait(until: at(43)))
        // The writer's thread was busy, and commits an early update late.
        schedule.committed(since: at(1))
        #expect(schedule.step(spooledSince: at(4), at: at(5)) == .wait(until: at(41)))
        #expect(schedule.step(spooledSince: at(4), at: at(41)) == .sync(spool: false, wal: true))
        #expect(schedule.step(spooledSince: at(1), at: at(41)) == .sync(spool: true, wal: true))
    }

    @Test func theSpoolIsSyncedIfTheWriterIsLate() {
        var schedule = SyncSchedule()
        #expect(schedule.step(spooledSince: at(0), at: at(40)) == .sync(spool: true, wal: false))
    }

    /// Updates come at any time, the writer's thread moves them into the WAL sooner or later, and syncs take as long as
    /// the disk needs. The sync of each update starts within the bound, or when the previous sync has ended.
    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func aSyncStartsWithinTheBoundOfTheOldestUpdate(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var schedule = SyncSchedule()
        var spool = SpoolModel()
        var committed: [Int] = []
        var syncEnds = 0
        // Updates come in groups with long pauses. Only what is due earlier than the thread's next look sets the timer.
        var lookTime = 0
        var settingCount = 0
        func look(since: Int) {
            guard lookTime > since + 40 else { return }
            lookTime = since + 40
            settingCount += 1
        }
        for now in 0..<20_000 {
            if now % 2_000 < 1_500, Int.random(in: 0..<8, using: &random) == 0 {
                if spool.unsynced.isEmpty { look(since: now) }
                spool.add(now, transferAfter: Int.random(in: 20...120, using: &random))
            }
            if let batch = spool.transfer(at: now) {
                if batch.mustSync {
                    committed = []
                } else {
                    schedule.committed(since: at(batch.oldest))
                    committed += batch.unsynced
                    look(since: batch.oldest)
                }
            }
            guard now >= max(syncEnds, lookTime) else { continue }
            let step = schedule.step(spooledSince: spool.unsynced.first.map { at($0) }, at: at(now))
            if case .wait(let time) = step { lookTime = now + Int((time - at(now)) / .milliseconds(1)) }
            if step == .rest { lookTime = .max }
            guard case .sync(let isSpool, let isWal) = step else { continue }
            for update in (isSpool ? spool.unsynced : []) + (isWal ? committed : []) {
                #expect(now - update < 50 || now == syncEnds, "the update of \(update) at \(now)")
            }
            if isWal {
                _ = schedule.walSyncBegins()
                committed = []
            }
            if isSpool { spool.unsynced = [] }
            syncEnds = now + (Int.random(in: 0..<5, using: &random) == 0 ? 300 : 1)
        }
        #expect(10...60 ~= settingCount, "\(settingCount) instead of one for each sync: some hundred")
    }

    /// Times of updates that the writer's thread has not taken yet.
    private struct SpoolModel {
        private var oldest: Int?
        private var transferAt = Int.max
        var unsynced: [Int] = []

        mutating func add(_ now: Int, transferAfter delay: Int) {
            if oldest == nil { (oldest, transferAt) = (now, now + delay) }
            unsynced.append(now)
        }

        /// Returns the updates that are committed now. If the spool was synced meanwhile, the writer's thread syncs the
        /// WAL itself.
        mutating func transfer(at now: Int) -> (oldest: Int, unsynced: [Int], mustSync: Bool)? {
            guard now >= transferAt, let first = oldest else { return nil }
            defer { (oldest, transferAt, unsynced) = (nil, .max, []) }
            return (first, unsynced, unsynced.first != first)
        }
    }
}

/// The threads follow the schedule.
@Suite struct SyncTests {
    /// The writer is busy as in a long transaction or checkpoint. Without the spool's sync, the update would stay
    /// unsynced for that long.
    @Test func theSpoolIsSyncedWhileTheWriterIsBusy() throws {
        let folder = TemporaryFolder()
        let client = try BlockingLogClient(folder.log)
        let lease = try client.claim()
        var isSynced = false
        client.log.holdWriter {
            let answer = client.ask(.append(sid: lease.sid, epoch: 1, after: 0, items: [.run(["x"])]))
            #expect(answer == .appended(head: 1, timelineHead: 1))
            for _ in 0..<30_000 where !isSynced {
                isSynced = client.log.hasUnsyncedSpool == false
                poll(nil, 0, 1)
            }
        }
        #expect(isSynced)
        #expect(try client.page(lease.sid).count == 1)
    }
}
