import Glibc

/// Times on the command line: `2026-11-21T04:00:00.123Z`, and for a person `3m ago`.
enum Dates {
    static func iso(milliseconds: Int64) -> String {
        var seconds = time_t(milliseconds / 1000)
        var fields = tm()
        gmtime_r(&seconds, &fields)
        return padded(Int(fields.tm_year) + 1900, 4) + "-" + padded(Int(fields.tm_mon) + 1, 2) + "-"
            + padded(Int(fields.tm_mday), 2) + "T" + padded(Int(fields.tm_hour), 2) + ":"
            + padded(Int(fields.tm_min), 2)
            + ":" + padded(Int(fields.tm_sec), 2) + "." + padded(Int(milliseconds % 1000), 3) + "Z"
    }

    static func ago(milliseconds: Int64) -> String {
        let seconds = max(0, milliseconds / 1000)
        switch seconds {
        case 0..<60: return "\(seconds)s ago"
        case 60..<3600: return "\(seconds / 60)m ago"
        case 3600..<86400: return "\(seconds / 3600)h ago"
        default: return "\(seconds / 86400)d ago"
        }
    }

    private static func padded(_ number: Int, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
