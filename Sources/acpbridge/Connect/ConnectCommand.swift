import CLI
import EventLoop
import Glibc
import TinyvexSync

/// `acpbridge connect`: what an editor starts as its agent, where the agent runs under a bridge elsewhere.
struct ConnectCommand {
    private let machine: Machine

    init(_ machine: Machine) { self.machine = machine }

    /// Returns the agent's exit status, or does not return where the agent died of a signal.
    func run(_ options: ConnectOptions) throws -> Int32 {
        let request = try request(options)
        let signals = try BlockedSignals([SIGTERM, SIGHUP, SIGINT])
        let streams = try PassedStreams()
        defer { streams.finish() }
        let ending = try converse(request, options, streams, signals.descriptor.raw)
        streams.finish()
        return try leave(with: ending, signals)
    }

    /// When it returns, nobody has the editor's streams any more.
    private func converse(
        _ request: ConnectionRequest, _ options: ConnectOptions, _ streams: PassedStreams, _ signals: Int32
    ) throws -> RemoteEnding {
        let editor = try EditorStreams(streams)
        streams.letGo()
        var generator = SystemRandomNumberGenerator()
        let loop = try ClientLoop()
        let conversation = RemoteConversation(
            RemoteMachine(patience: options.giveUp, seed: generator.next()), request,
            SocketTransport(authorities: options.connection.authoritiesFile), editor, loop)
        return try loop.run { await conversation.run(signals: signals) }
    }

    private func request(_ options: ConnectOptions) throws -> ConnectionRequest {
        let endpoint: Endpoint
        switch options.url {
        case .unixSocket(let path, let query): endpoint = Endpoint(.unix(path: path), target: "/acp" + query)
        case .webSocket(let url):
            do throws(Endpoint.ParseError) {
                endpoint = try Endpoint(url)
            } catch {
                throw Failure(message: "\(error)", status: Failure.wrongUsage)
            }
        }
        return ConnectionRequest(endpoint: endpoint, token: try BridgeAccess.token(options.connection, machine))
    }

    private func leave(with ending: RemoteEnding, _ signals: borrowing BlockedSignals) throws -> Int32 {
        switch ending {
        case .left:
            let signal = signals.pending()
            if signal > 0 { dieOf(signal) }
            return 0
        case .agentExited(let code): return code
        case .agentKilled(let signal): dieOf(signal)
        case .failed(let reason): throw Failure(message: "\(reason)")
        }
    }
}

extension BlockedSignals {
    /// One that has come; 0 where none has.
    fileprivate borrowing func pending() -> Int32 {
        var wait = pollfd(fd: descriptor.raw, events: Int16(POLLIN), revents: 0)
        return poll(&wait, 1, 0) > 0 ? next() : 0
    }
}
