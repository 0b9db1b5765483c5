import Posix

/// Limits the lines that repeat: other users and failing disks can cause them at any rate. Pure.
struct RepetitionLimit {
    /// Lines with the same key in one interval.
    static let lines = 10
    static let interval = Duration.seconds(10)

    private struct Window {
        let start: Instant
        var lineCount = 0
        var suppressed = 0
    }

    /// There are as many keys as the program's source has.
    private var windows: [String: Window] = [:]

    /// Returns nil if the line must be suppressed, otherwise the number of lines that were suppressed before it.
    mutating func admit(_ key: String, at now: Instant) -> Int? {
        let last = windows[key]
        guard let window = last, now - window.start < Self.interval else {
            windows[key] = Window(start: now, lineCount: 1)
            return last?.suppressed ?? 0
        }
        if window.lineCount < Self.lines {
            windows[key]?.lineCount += 1
            return 0
        }
        windows[key]?.suppressed += 1
        return nil
    }
}
