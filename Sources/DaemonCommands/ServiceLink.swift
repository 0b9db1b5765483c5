import EventLoop
import Posix

/// Reports the state of the daemon to the service manager, and feeds its watchdog.
///
/// The watchdog checks only that the loop runs. A slow disk does not stop the loop.
@LoopActor final class ServiceLink {
    private let manager: ServiceManager

    init(_ manager: ServiceManager) { self.manager = manager }

    /// Clients can connect from now on.
    ///
    /// - Parameter status: One line for `systemctl status`.
    func ready(_ status: String) {
        manager.notify("READY=1", "STATUS=\(status)")
        if let limit = manager.watchdogLimit { feed(every: limit / 2) }
    }

    func stopping() { manager.notify("STOPPING=1") }

    private func feed(every pause: Duration) {
        manager.notify("WATCHDOG=1")
        EventLoop.main.schedule(after: pause) { [self] in feed(every: pause) }
    }
}
