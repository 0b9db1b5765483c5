import CShims
import EventLoop
import Glibc
import Posix
import TinyvexSync

/// Blocks signals so that they can be read from a descriptor.
struct BlockedSignals: ~Copyable, Sendable {
    let descriptor: Descriptor

    init(_ signals: [Int32]) throws {
        var set = sigset_t()
        sigemptyset(&set)
        for signal in signals { sigaddset(&set, signal) }
        pthread_sigmask(SIG_BLOCK, &set, nil)
        let fd = signalfd(-1, &set, Int32(SFD_CLOEXEC))
        guard fd >= 0 else { throw SystemError("signalfd") }
        descriptor = Descriptor(owning: fd)
    }

    func next() -> Int32 {
        var info = signalfd_siginfo()
        return read(descriptor.raw, &info, MemoryLayout<signalfd_siginfo>.size) > 0 ? Int32(info.ssi_signo) : 0
    }
}

/// Makes Ctrl-C readable, so that it does not kill the process.
final class Interruptions: Sendable {
    private let signals: BlockedSignals

    init() throws { signals = try BlockedSignals([SIGINT]) }

    /// Returns true after Ctrl-C was pressed; false if the task was cancelled first.
    func next(_ loop: ClientLoop) async -> Bool {
        guard await loop.wait(for: Int32(POLLIN), on: signals.descriptor.raw) else { return false }
        return signals.next() == SIGINT
    }
}
