import BenchMeasuring
import EventLoop
import Glibc
import Posix

/// Writes updates to stdout, for one session after the other, from the same bytes each time.
struct Flood {
    private let options: AgentOptions
    /// A whole number of writes that contain the same number of updates for each session.
    private var bytes: [UInt8] = []

    init(sessions: [String], _ options: AgentOptions) {
        self.options = options
        let writes = (sessions.count + options.linesPerWrite - 1) / options.linesPerWrite
        let lines = sessions.map { UpdateLine(sessionId: $0, byteCount: options.lineBytes).bytes }
        for index in 0..<(writes * options.linesPerWrite) { bytes += lines[index % lines.count] }
    }

    /// Returns false when the reader has closed its end.
    mutating func write(lines: Int) -> Bool {
        let start = Instant.now
        var written = 0
        var place = 0
        while written < lines {
            let count = min(options.linesPerWrite, lines - written)
            let range = place..<(place + count * options.lineBytes)
            if let rate = options.rate {
                Self.sleep(until: start + .nanoseconds(written * 1_000_000_000 / rate))
                stamp(range)
            }
            guard writeOut(range) else { return false }
            written += count
            place = range.upperBound < bytes.count ? range.upperBound : 0
        }
        return true
    }

    private mutating func stamp(_ range: Range<Int>) {
        bytes.withUnsafeMutableBytes { buffer in
            for line in stride(from: range.lowerBound, to: range.upperBound, by: options.lineBytes) {
                let target = UnsafeMutableRawBufferPointer(rebasing: buffer[(line + UpdateLine.stampOffset)...])
                Stamp.write(Instant.now.nanoseconds, to: target)
            }
        }
    }

    private func writeOut(_ range: Range<Int>) -> Bool {
        bytes.withUnsafeBytes { buffer in
            (try? BlockingWrite.all(UnsafeRawBufferPointer(rebasing: buffer[range]), to: STDOUT_FILENO)) != nil
        }
    }

    private static func sleep(until instant: Instant) {
        let nanoseconds = instant.nanoseconds
        var time = timespec(tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
        while clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, nil) == EINTR {}
    }
}
