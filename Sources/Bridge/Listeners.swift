import Access
import Diagnostics
import EventLoop
import Glibc
import Posix

/// The sockets on which a bridge listens, its Unix socket and TCP addresses, and the lock of its home. A deleted socket
/// or lock is created again.
@LoopActor final class Listeners {
    private let configuration: BridgeConfiguration
    private let certificate: ServerCertificate?
    private let accepted: @LoopActor (consuming ByteStream, Peer) -> Void
    private let services: LoopServices
    private var lock: FileLock
    private var listeners: [Listener] = []
    private var socketKeeper: SocketKeeper?
    /// A service manager listens on the Unix socket, so this bridge must not delete or create it.
    private var isSocketPassed = false
    private var hasReportedLostSocket = false
    /// The addresses with the ports that the system chose: `127.0.0.1:7717`.
    private var tcpAddresses: [String] = []

    /// - Parameter accepted: Called for each new connection.
    init(
        _ configuration: BridgeConfiguration, _ lock: consuming FileLock, certificate: ServerCertificate?,
        services: LoopServices, accepted: @escaping @LoopActor (consuming ByteStream, Peer) -> Void
    ) {
        self.lock = lock
        self.services = services
        self.configuration = configuration
        self.certificate = certificate
        self.accepted = accepted
    }

    func close() {
        for listener in listeners { listener.close() }
        listeners = []
        socketKeeper?.close()
        if !isSocketPassed { unlink(configuration.home.socket) }
    }

    /// The descriptors that the program that replaces this one inherits.
    var states: (lock: Int32, listeners: [HandOver.ListenerState]) {
        (
            lock.fd,
            listeners.map { HandOver.ListenerState(fd: $0.fd, address: $0.address, isPassed: $0.isPassed ? true : nil) }
        )
    }

    /// - Parameter previous: The sockets of the previous program, in its process; nil for a new process. After an
    ///   upgrade, an address that cannot be used is only reported, because a bridge that ends would end its agents.
    func listen(inheriting previous: [HandOver.ListenerState]?) throws {
        var inherited = (previous ?? []) + configuration.listening.passedSockets.map(HandOver.ListenerState.init)
        func removeInherited(_ address: String?) -> Descriptor? {
            guard let index = inherited.firstIndex(where: { $0.address == address }) else { return nil }
            return Descriptor(owning: inherited.remove(at: index).fd)
        }
        isSocketPassed = inherited.contains { $0.isPassed == true && $0.address == nil }
        let usesConfigured = configuration.listening.hasChosenAddresses || !inherited.contains { $0.isPassed == true }
        for passed in inherited where passed.isPassed == true {
            guard let address = passed.address, let descriptor = removeInherited(address) else { continue }
            try listenOnPassed(descriptor, address)
        }
        for address in usesConfigured ? configuration.listening.addresses : []
        where !listeners.contains(where: { $0.address == address.description }) {
            do {
                try listenOnTCP(address, removeInherited(address.description))
            } catch {
                guard previous != nil else { throw error }
                configuration.warn("The bridge does not listen on \(address): \(error).")
            }
        }
        try listenOnSocket(removeInherited(nil))
        // The remaining sockets have addresses that are no longer configured.
        for listener in inherited { Glibc.close(listener.fd) }
        socketKeeper = SocketKeeper(configuration.home, services: services) { [unowned self] in try restore() }
        DiagnosticLog.daemon.record(.listening(address: configuration.home.socket))
        for address in tcpAddresses { DiagnosticLog.daemon.record(.listening(address: address)) }
    }

    /// Creates the socket and the lock again, whichever was deleted. Their folder can be missing too.
    private func restore() throws {
        let home = configuration.home
        try home.prepare()
        if access(home.daemonLock, F_OK) != 0 { lock = try FileLock(path: home.daemonLock) }
        if access(home.socket, F_OK) != 0 { try isSocketPassed ? reportLostSocket() : restoreSocket() }
    }

    private func reportLostSocket() {
        guard !hasReportedLostSocket else { return }
        hasReportedLostSocket = true
        configuration.warn(
            "\(configuration.home.socket) was deleted. The service manager listens on it: restart the socket's unit.")
    }

    private func restoreSocket() throws {
        let lost = listeners.filter { $0.address == nil }
        try listenOnSocket(nil)
        for listener in lost { listener.close() }
        listeners.removeAll { listener in lost.contains { $0 === listener } }
    }

    private var keptPort: KeptPort { KeptPort(path: configuration.home.port) }

    private func bindTCP(_ address: SocketAddress, _ host: String, _ port: UInt16) throws -> Descriptor {
        if configuration.listening.mayTakeAnotherPort, port == 0 { return try bindAnyPort(host) }
        do throws(SystemError) {
            return try Sockets.listen(on: address)
        } catch {
            guard error.code == EADDRINUSE else { throw error }
            guard configuration.listening.mayTakeAnotherPort else {
                throw BridgeStartError.portInUse(host: host, port: port)
            }
            return try bindAnyPort(host)
        }
    }

    /// Takes the home's last port if it is free, so that open pages and links stay valid. Otherwise the system chooses one.
    private func bindAnyPort(_ host: String) throws(SystemError) -> Descriptor {
        if let last = keptPort.last, let descriptor = try? Sockets.listen(on: .ip(host: host, port: last)) {
            return descriptor
        }
        return try Sockets.listen(on: .ip(host: host, port: 0))
    }

    private func listenOnTCP(_ address: SocketAddress, _ inherited: consuming Descriptor?) throws {
        guard case .ip(let host, let port) = address else { return }
        let descriptor: Descriptor
        if let inherited { descriptor = inherited } else { descriptor = try bindTCP(address, host, port) }
        let bound = Sockets.localPort(of: descriptor)
        if configuration.listening.mayTakeAnotherPort, bound != port {
            orLog("storing the port") { try keptPort.store(bound) }
        }
        tcpAddresses.append(SocketAddress.ip(host: host, port: bound).description)
        try add(descriptor, address: address.description, isPassed: false)
    }

    /// - Parameter address: The socket's address, with its port.
    private func listenOnPassed(_ descriptor: consuming Descriptor, _ address: String) throws {
        tcpAddresses.append(address)
        try add(descriptor, address: address, isPassed: true)
    }

    private func add(_ descriptor: consuming Descriptor, address: String, isPassed: Bool) throws {
        listeners.append(
            try Listener(descriptor, address: address, isPassed: isPassed, services: services) {
                [unowned self] connection in
                Sockets.setNoDelay(connection.raw)
                let address = NetworkAddress(peerOf: connection.raw)
                if let stream = stream(on: connection) { accepted(stream, .network(address)) }
            })
    }

    /// Returns nil if no memory is available.
    private func stream(on connection: consuming Descriptor) -> ByteStream? {
        guard let certificate else { return ByteStream(connection) }
        do throws(SystemError) {
            return try ByteStream(connection, accepting: certificate.context)
        } catch {
            DiagnosticLog.daemon.record(.failed(doing: "preparing TLS for a connection", error: "\(error)"))
            return nil
        }
    }

    /// Where TCP clients connect: `wss://127.0.0.1:7717`.
    var urls: [String] { tcpAddresses.map { (certificate == nil ? "ws://" : "wss://") + $0 } }

    /// Replaces the socket of a killed bridge atomically, so that clients always find a socket.
    private func listenOnSocket(_ inherited: consuming Descriptor?) throws {
        let descriptor: Descriptor
        if let inherited { descriptor = inherited } else { descriptor = try bindSocket() }
        listeners.append(
            try Listener(descriptor, address: nil, isPassed: isSocketPassed, services: services) {
                [unowned self] connection in
                guard let user = Sockets.peerUser(of: connection.raw) else { return }
                accepted(ByteStream(connection), .local(user: user))
            })
    }

    private func bindSocket() throws -> Descriptor {
        let path = configuration.home.socket
        let temporary = path + ".new"
        unlink(temporary)
        let descriptor = try Sockets.listen(on: .unix(path: temporary))
        guard rename(temporary, path) == 0 else { throw SystemError("rename \(path)") }
        return descriptor
    }
}

extension HandOver.ListenerState {
    /// The Unix socket has no address here, as in the first format.
    fileprivate init(_ socket: PassedSocket) {
        let address: String? = if case .unix = socket.address { nil } else { socket.address.description }
        self.init(fd: socket.fd, address: address, isPassed: true)
    }
}
