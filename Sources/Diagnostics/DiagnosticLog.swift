import Posix
import Synchronization

/// The daemon's own log: what an operator needs to know about the program, one event per line. It is not the session
/// log, which stores the agents' updates.
///
/// Every thread can record events. A line that cannot be written is counted, and the next line reports the number. The
/// log never waits for its reader.
package final class DiagnosticLog: Sendable {
    /// The log of this process. It discards all events until ``start(_:_:clock:write:)``. It is global, like the
    /// standard error stream to which it usually writes, so that every ignored error can reach it.
    package static let daemon = DiagnosticLog()

    /// A reading of both clocks.
    package struct ClockReading: Sendable {
        let now: Instant
        let dateMilliseconds: Int64

        package init(now: Instant, dateMilliseconds: Int64) {
            self.now = now
            self.dateMilliseconds = dateMilliseconds
        }

        /// Reads the system's clocks.
        @Sendable package static func system() -> ClockReading {
            ClockReading(now: .now, dateMilliseconds: wallClockMilliseconds())
        }
    }

    fileprivate struct Output {
        let level: DiagnosticLevel
        let format: DiagnosticFormat
        let clock: @Sendable () -> ClockReading
        let write: @Sendable ([UInt8]) -> Int
        var repetitions = RepetitionLimit()
        /// Lost lines that no later line has reported.
        var unreportedLines = 0
        /// A part of a line was written last.
        var isMidLine = false
    }

    private let output = Mutex<Output?>(nil)

    package init() {}

    /// - Parameters:
    ///   - level: The least important level that is logged.
    ///   - write: Writes bytes without waiting, and returns how many were accepted. It can be
    ///     called on any thread, but never on two at once.
    package func start(
        _ level: DiagnosticLevel, _ format: DiagnosticFormat,
        clock: @escaping @Sendable () -> ClockReading = ClockReading.system,
        write: @escaping @Sendable ([UInt8]) -> Int
    ) {
        output.withLock { $0 = Output(level: level, format: format, clock: clock, write: write) }
    }

    package func record(_ event: DiagnosticEvent) { output.withLock { $0?.record(event) } }
}

extension DiagnosticLog.Output {
    fileprivate mutating func record(_ event: DiagnosticEvent) {
        guard event.level <= level else { return }
        let reading = clock()
        guard let suppressed = admit(event, at: reading.now) else { return }
        var fields = event.fields
        if suppressed > 0 { fields.append(.integer("suppressed", Int64(suppressed))) }
        if unreportedLines > 0 { fields.append(.integer("unreported", Int64(unreportedLines))) }
        let line = DiagnosticLine(
            date: reading.dateMilliseconds, level: event.level, event: event.name, fields: fields)
        append(line.bytes(format))
    }

    private mutating func admit(_ event: DiagnosticEvent, at now: Instant) -> Int? {
        event.rateKey.map { repetitions.admit($0, at: now) } ?? 0
    }

    private mutating func append(_ line: [UInt8]) {
        let bytes = isMidLine ? [0x0a] + line : line
        let count = write(bytes)
        if count > 0 { isMidLine = count < bytes.count }
        unreportedLines = count == bytes.count ? 0 : unreportedLines + 1
    }
}

/// Returns the value of `body`. If `body` throws, the error is logged, and the result is nil.
///
/// Every error that the daemon ignores passes this function. `try?` is only for probes, where an error is one of the
/// expected answers: "is this JSON?"
///
/// - Parameter doing: The activity, as a part of a sentence: "watching a socket".
@discardableResult
package func orLog<Value: ~Copyable, Failure: Error>(
    _ doing: StaticString, to log: DiagnosticLog = .daemon, _ body: () throws(Failure) -> Value
) -> Value? {
    do throws(Failure) {
        return try body()
    } catch {
        log.record(.failed(doing: doing, error: "\(error)"))
        return nil
    }
}
