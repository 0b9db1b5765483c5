import CShims
import Glibc
import Posix
import TinyvexSockets

/// Blocks signals so that they can be read from a descriptor.
package struct BlockedSignals: ~Copyable, Sendable {
    package let descriptor: Descriptor
    private let signals: [Int32]

    package init(_ signals: [Int32]) throws {
        self.signals = signals
        var set = Self.set(of: signals)
        pthread_sigmask(SIG_BLOCK, &set, nil)
        let fd = signalfd(-1, &set, Int32(SFD_CLOEXEC) | Int32(SFD_NONBLOCK))
        guard fd >= 0 else { throw SystemError("signalfd") }
        descriptor = Descriptor(owning: fd)
    }

    private static func set(of signals: [Int32]) -> sigset_t {
        var set = sigset_t()
        sigemptyset(&set)
        for signal in signals { sigaddset(&set, signal) }
        return set
    }

    /// Gives the signals their usual effects on this thread, or takes these away again.
    package func setBlocked(_ isBlocked: Bool) {
        var set = Self.set(of: signals)
        pthread_sigmask(isBlocked ? SIG_BLOCK : SIG_UNBLOCK, &set, nil)
    }

    /// Returns those signals that this process was not started to ignore, such as SIGHUP by nohup(1).
    package static func heeded(_ signals: [Int32]) -> [Int32] { signals.filter { !isIgnored($0) } }

    private static func isIgnored(_ number: Int32) -> Bool {
        var action = sigaction()
        guard sigaction(number, nil, &action) == 0 else { return false }
        // SIG_IGN is not a function that could be compared.
        return unsafe unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1
    }

    /// Returns 0 if no signal waits. A signal that was readable is gone if its usual effects were given back meanwhile.
    package func next() -> Int32 {
        var info = signalfd_siginfo()
        return read(descriptor.raw, &info, MemoryLayout<signalfd_siginfo>.size) > 0 ? Int32(info.ssi_signo) : 0
    }
}

extension BlockedSignals {
    /// Returns the next signal; nil if the task was cancelled first.
    func next(_ loop: ClientLoop) async -> Int32? {
        while await loop.wait(for: Int32(POLLIN), on: descriptor.raw) {
            let signal = next()
            if signal != 0 { return signal }
        }
        return nil
    }
}

/// Makes Ctrl-C readable, so that it does not kill the process.
package final class Interruptions: Sendable {
    private let signals: BlockedSignals

    /// - Parameter others: more signals that shall be readable. Those that this process was started to ignore stay ignored.
    package init(and others: [Int32] = []) throws {
        signals = try BlockedSignals([SIGINT] + BlockedSignals.heeded(others))
    }

    /// Returns the next signal, SIGINT for Ctrl-C; nil if the task was cancelled first.
    package func next(_ loop: ClientLoop) async -> Int32? {
        await signals.next(loop)
    }

    /// Gives the signals their usual effects.
    package func end() { signals.setBlocked(false) }

    /// Runs a task until it ends or a signal comes.
    ///
    /// - Throws: ``Interrupted`` after a signal, and what the task throws.
    package func unlessInterrupted<Value: Sendable>(
        _ loop: ClientLoop, _ task: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        try await withThrowingTaskGroup(of: Value.self) { group in
            group.addTask { try await task() }
            group.addTask {
                guard let signal = await self.next(loop) else { throw CancellationError() }
                throw Interrupted(signal: signal)
            }
            defer { group.cancelAll() }
            guard let value = try await group.next() else { throw CancellationError() }
            return value
        }
    }
}

/// A signal has ended the command. The process ends with it after the command's last work.
package struct Interrupted: Error {
    package let signal: Int32

    package init(signal: Int32) { self.signal = signal }
}

/// The signals after which a question must be shown again: the terminal's size has changed, or the process was stopped.
final class TerminalSignals: Sendable {
    private static let numbers = [SIGTSTP, SIGCONT, SIGWINCH]
    private let signals: BlockedSignals

    init() throws { signals = try BlockedSignals(Self.numbers) }

    /// Returns nil if the task was cancelled.
    func next(_ loop: ClientLoop) async -> Int32? {
        await signals.next(loop)
    }

    /// Lets Ctrl-Z stop the process, and returns when the process continues.
    func stopProcess() {
        signals.setBlocked(false)
        raise(SIGTSTP)
        signals.setBlocked(true)
    }

    /// Gives the signals their usual effects.
    func unblock() { signals.setBlocked(false) }
}
