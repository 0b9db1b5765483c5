import Posix
import TinyvexMachine
import TinyvexSync

extension SyncClient {
    /// A client that does all its work, including its connections, on this loop's thread.
    ///
    /// - Parameter authorities: see ``SocketTransport``.
    package convenience init(
        _ configuration: SyncConfiguration, token: String? = nil, authorities: String? = nil, loop: ClientLoop
    ) {
        self.init(
            configuration, token: token, transport: SocketTransport(authorities: authorities, loop: loop),
            seed: .random(in: .min ... .max), time: .on(loop))
    }
}

extension EngineTime {
    fileprivate static func on(_ loop: ClientLoop) -> EngineTime {
        EngineTime(
            now: { .now }, sleep: { await loop.sleep(until: Instant.now + ($0 - ContinuousClock.now)) }, executor: loop)
    }
}
