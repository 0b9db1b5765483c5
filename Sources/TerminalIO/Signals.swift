import CShims
import Glibc
import Posix
import TinyvexSockets

/// Blocks signals so that they can be read from a descriptor.
package struct BlockedSignals: ~Copyable, Sendable {
    package let descriptor: Descriptor

    package init(_ signals: [Int32]) throws {
        var set = sigset_t()
        sigemptyset(&set)
        for signal in signals { sigaddset(&set, signal) }
        pthread_sigmask(SIG_BLOCK, &set, nil)
        let fd = signalfd(-1, &set, Int32(SFD_CLOEXEC))
        guard fd >= 0 else { throw SystemError("signalfd") }
        descriptor = Descriptor(owning: fd)
    }

    package func next() -> Int32 {
        var info = signalfd_siginfo()
        return read(descriptor.raw, &info, MemoryLayout<signalfd_siginfo>.size) > 0 ? Int32(info.ssi_signo) : 0
    }
}

/// Makes Ctrl-C readable, so that it does not kill the process.
package final class Interruptions: Sendable {
    private let signals: BlockedSignals

    package init() throws { signals = try BlockedSignals([SIGINT]) }

    /// Returns true after Ctrl-C was pressed; false if the task was cancelled first.
    package func next(_ loop: ClientLoop) async -> Bool {
        guard await loop.wait(for: Int32(POLLIN), on: signals.descriptor.raw) else { return false }
        return signals.next() == SIGINT
    }
}
