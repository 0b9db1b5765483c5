import CShims
import Glibc
import Posix

/// Delivers signals as events of the loop. The signals are blocked for the whole process from then on, so create this
/// before any thread.
@LoopActor package final class SignalWatch: PollHandler {
    private let descriptor: Descriptor
    private let action: @LoopActor (Int32) -> Void
    private var watch: Watch?

    package init(_ signals: [Int32], _ action: @escaping @LoopActor (Int32) -> Void) throws(SystemError) {
        var set = sigset_t()
        sigemptyset(&set)
        for signal in signals { sigaddset(&set, signal) }
        pthread_sigmask(SIG_BLOCK, &set, nil)
        let fd = signalfd(-1, &set, Int32(SFD_CLOEXEC | SFD_NONBLOCK))
        guard fd >= 0 else { throw SystemError("signalfd") }
        descriptor = Descriptor(owning: fd)
        self.action = action
        watch = try EventLoop.main.watch(fd, .readable, self)
    }

    package func pollReady(_ watch: Watch, _ readiness: Readiness) {
        var info = signalfd_siginfo()
        while read(descriptor.raw, &info, MemoryLayout<signalfd_siginfo>.size) > 0 { action(Int32(info.ssi_signo)) }
    }
}
