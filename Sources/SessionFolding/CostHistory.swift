import ACPRouting
import JSONScan

/// The cost of a session at the end of each quarter of an hour in which it changed. Pure.
///
/// The days of all time zones begin with a quarter of an hour, so a reader can compute the cost of each of its days.
package struct CostHistory: Sendable {
    package struct Point: Sendable, Equatable {
        /// Milliseconds since 1970.
        package let ts: Int64
        /// The cost of the whole session until then.
        package let cost: UsageCost
    }

    private static let quarterHour: Int64 = 900_000
    /// 250 hours with changes, in 48 KiB. Beyond that the oldest point is left out, so its cost counts at the next one.
    package static let limit = 1_000

    package private(set) var points: [Point] = []

    package init() {}

    /// - Parameter cost: the cost of the whole session. In another currency than before, the earlier points are left out.
    /// - Parameter ts: Milliseconds since 1970.
    package mutating func note(_ cost: UsageCost, at ts: Int64) {
        if let last = points.last {
            guard last.cost != cost else { return }
            if last.cost.currency != cost.currency {
                points.removeAll()
            } else if last.ts / Self.quarterHour == ts / Self.quarterHour {
                points.removeLast()
            }
        }
        points.append(Point(ts: ts, cost: cost))
        if points.count > Self.limit { points.removeFirst() }
    }

    /// Writes `{"ts":1763697600123,"amount":0.42,"currency":"USD"}` for each point.
    package func write(to writer: inout JSONWriter) {
        for point in points {
            writer.object { writer in
                writer.member("ts", point.ts)
                point.cost.write(to: &writer)
            }
        }
    }
}
