import Glibc

/// Formats times for people.
package enum Dates {
    package static func ago(milliseconds: Int64) -> String {
        let seconds = max(0, milliseconds / 1000)
        switch seconds {
        case 0..<60: return "\(seconds)s ago"
        case 60..<3600: return "\(seconds / 60)m ago"
        case 3600..<86400: return "\(seconds / 3600)h ago"
        default: return "\(seconds / 86400)d ago"
        }
    }

    /// The day of a time in the local time zone: `2026-11-23`.
    ///
    /// - Parameter milliseconds: since 1970.
    package static func day(milliseconds: Int64) -> String {
        var seconds = time_t(milliseconds / 1000)
        var parts = tm()
        localtime_r(&seconds, &parts)
        let fields = [Int(parts.tm_year) + 1900, Int(parts.tm_mon) + 1, Int(parts.tm_mday)].map(String.init)
        return fields.map { $0.count < 2 ? "0\($0)" : $0 }.joined(separator: "-")
    }

    /// The beginnings of the local days up to now, in rising order and milliseconds since 1970. The first one is `start`, if that
    /// is not more than `limit` days ago.
    package static func dayStarts(from start: Int64, to now: Int64, limit: Int) -> [Int64] {
        var seconds = time_t(now / 1000)
        var today = tm()
        localtime_r(&seconds, &today)
        var starts: [Int64] = []
        for daysAgo in 0..<limit {
            var day = today
            day.tm_mday -= Int32(daysAgo)
            (day.tm_hour, day.tm_min, day.tm_sec, day.tm_isdst) = (0, 0, 0, -1)
            let begin = Int64(mktime(&day)) * 1000
            starts.append(max(begin, start))
            if begin <= start { break }
        }
        return starts.reversed()
    }
}
