import Diagnostics
import EventLoop
import Glibc
import Posix

/// A listening socket, and the callback for each accepted connection.
@LoopActor final class Listener: PollHandler {
    /// The address that was requested; nil for the Unix socket.
    let address: String?
    /// A service manager owns the socket.
    let isPassed: Bool
    private let descriptor: Descriptor
    private let timers: any TimerScheduler
    private let accepted: @LoopActor (consuming Descriptor) -> Void
    private var watch: Watch?

    /// How long to leave connections in the queue if no descriptor is available.
    private static let exhaustedPause = Duration.milliseconds(100)

    init(
        _ descriptor: consuming Descriptor, address: String?, isPassed: Bool = false, services: LoopServices,
        accepted: @escaping @LoopActor (consuming Descriptor) -> Void
    ) throws(SystemError) {
        self.descriptor = descriptor
        self.accepted = accepted
        self.address = address
        self.isPassed = isPassed
        timers = services.timers
        watch = try services.poller.watch(self.descriptor.raw, .readable, self)
    }

    func pollReady(_ watch: Watch, _ readiness: Readiness) {
        do throws(SystemError) {
            while let connection = try Sockets.accept(on: descriptor) { accepted(connection) }
        } catch {
            // No descriptors or memory are available. Connections wait in the queue until there is room again.
            watch.wait(for: [])
            DiagnosticLog.daemon.record(.failed(doing: "accepting a connection", error: "\(error)"))
            timers.schedule(after: Self.exhaustedPause) { watch.wait(for: .readable) }
        }
    }

    var fd: Int32 { descriptor.raw }

    func close() { watch?.cancel() }
}
