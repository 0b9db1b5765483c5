import Hub
import Invocations
import JSONScan
import TerminalIO

/// `acpbridge hub retain`: deletes old sessions at the hub, day by day, and reports each day when it is done.
struct HubRetention {
    private let database: HubDatabase
    private let options: HubOptions

    init(_ database: HubDatabase, _ options: HubOptions) { (self.database, self.options) = (database, options) }

    /// The outcome for one day.
    struct Outcome: Equatable {
        let day: HubDay
        /// The number of sessions that were deleted, or would be.
        let deleted: Int64
        /// The day's partition was dropped, or would be.
        let isDropped: Bool
    }

    func run(_ age: Duration) throws(HubError) {
        let cutoff = try database.time(before: age)
        if !options.isDryRun {
            for day in try database.finishRetention() { Console.report("\(day): the partition is dropped.") }
        }
        var total: Int64 = 0
        for day in try database.expiredDays(before: cutoff) {
            let outcome = try options.isDryRun ? plan(day) : expire(day, before: cutoff)
            total += outcome.deleted
            show(outcome)
        }
        guard !options.json else { return }
        Console.report(options.isDryRun ? "\(total) sessions would be deleted." : "\(total) sessions were deleted.")
    }

    private func plan(_ day: HubDay) -> Outcome { Outcome(day: day, deleted: day.expired, isDropped: day.isWhole) }

    private func expire(_ day: HubDay, before cutoff: Int64) throws(HubError) -> Outcome {
        if day.isWhole { try database.detachPartition(of: day.day) }
        var deleted: Int64 = 0
        while true {
            let count = try database.expire(day.day, before: cutoff, keepsRows: day.isWhole)
            guard count > 0 else { break }
            deleted += count
        }
        let isDropped = day.isWhole ? try database.finishPartition(of: day.day) : false
        return Outcome(day: day, deleted: deleted, isDropped: isDropped)
    }

    private func show(_ outcome: Outcome) {
        do {
            guard options.json else { return try Console.print("\(outcome.line(isPlan: options.isDryRun))") }
            try Console.printRecord(outcome.json)
        } catch {
            // The output's reader has closed it. The deletion continues.
            Console.report("Error: \(error)")
        }
    }
}

extension HubRetention.Outcome {
    /// `2026-01-31: 12 of 12 sessions were deleted, and the partition with 18 MiB was dropped`
    func line(isPlan: Bool) -> String {
        let were = isPlan ? "would be" : "were"
        let was = isPlan ? "would be" : "was"
        var line = "\(day.day): \(deleted) of \(day.sessions) sessions \(were) deleted"
        guard isDropped else { return line }
        let mebibytes = ((day.partitionBytes ?? 0) + (1 << 20) - 1) >> 20
        line += ", and the partition with \(mebibytes) MiB \(was) dropped"
        return line
    }

    /// `{"day":"2026-01-31","sessions":12,"deletedSessions":12,"isPartitionDropped":true}`
    fileprivate var json: [UInt8] {
        JSONWriter.object { writer in
            writer.member("day", day.day)
            writer.member("sessions", day.sessions)
            writer.member("deletedSessions", deleted)
            writer.member("isPartitionDropped", isDropped)
        }
    }
}
