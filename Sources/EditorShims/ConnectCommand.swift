import BridgeRequests
import CommandContext
import Glibc
import Invocations
import Posix
import RemoteAgent
import TerminalIO
import TinyvexSockets
import TinyvexSync
import TinyvexTransport

/// `acpbridge connect`: an editor starts it as its agent if the agent runs under a remote bridge.
package struct ConnectCommand {
    private let context: ProcessContext

    package init(_ context: ProcessContext) { self.context = context }

    /// Returns the agent's exit status. Does not return if a signal killed the agent.
    package func run(_ options: ConnectOptions) throws -> Int32 {
        let request = try request(options)
        let signals = try BlockedSignals([SIGTERM, SIGHUP, SIGINT])
        let streams = try PassedStreams()
        defer { streams.finish() }
        let ending = try runConversation(request, options, streams, signals.descriptor.raw)
        streams.finish()
        return try exitStatus(for: ending, signals)
    }

    /// After this function returns, nothing uses the editor's streams.
    private func runConversation(
        _ request: ConnectionRequest, _ options: ConnectOptions, _ streams: PassedStreams, _ signals: Int32
    ) throws -> RemoteEnding {
        let editor = try StandardStreams(streams)
        streams.closeDescriptors()
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
        return ConnectionRequest(endpoint: endpoint, token: try BridgeAccess.token(options.connection, context))
    }

    private func exitStatus(for ending: RemoteEnding, _ signals: borrowing BlockedSignals) throws -> Int32 {
        switch ending {
        case .left:
            let signal = signals.pending()
            if signal > 0 { endProcess(withSignal: signal) }
            return 0
        case .agentExited(let code): return code
        case .agentKilled(let signal): endProcess(withSignal: signal)
        case .failed(let reason): throw Failure(message: "\(reason)")
        }
    }
}

extension BlockedSignals {
    /// Returns a signal that is pending, or 0 if there is none.
    fileprivate borrowing func pending() -> Int32 {
        var wait = pollfd(fd: descriptor.raw, events: Int16(POLLIN), revents: 0)
        return poll(&wait, 1, 0) > 0 ? next() : 0
    }
}
