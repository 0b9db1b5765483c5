import BridgeRequests
import CommandContext
import Glibc
import HTTP1
import Invocations
import Posix
import RemoteAgent
import TerminalIO
import TerminalText
import TinyvexSockets
import TinyvexSync
import TinyvexTransport

/// `acpbridge connect`: an editor starts it as its agent, if the agent runs under a remote bridge, or to join a session that
/// runs.
package struct ConnectCommand {
    private let context: ProcessContext

    package init(_ context: ProcessContext) { self.context = context }

    /// Returns the agent's exit status. Does not return if a signal killed the agent.
    package func run(_ options: ConnectOptions) throws -> Int32 {
        let request = try requestOrRefusal(options)
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

    /// Returns the request. If there is none, the editor gets the cause before the error is thrown.
    private func requestOrRefusal(_ options: ConnectOptions) throws -> ConnectionRequest {
        do {
            return try request(options)
        } catch {
            EditorRefusal.send("\(error)")
            throw error
        }
    }

    private func request(_ options: ConnectOptions) throws -> ConnectionRequest {
        let endpoint: Endpoint
        switch options.target {
        case .session(let name): endpoint = try self.endpoint(ofSession: name, options)
        case .url(.unixSocket(let path, let query)): endpoint = Endpoint(.unix(path: path), target: "/acp" + query)
        case .url(.webSocket(let url)):
            do throws(Endpoint.ParseError) {
                endpoint = try Endpoint(url)
            } catch {
                throw Failure(message: "\(error)", status: Failure.wrongUsage)
            }
        }
        return ConnectionRequest(endpoint: endpoint, token: try BridgeAccess.token(options.connection, context))
    }

    /// The address of a running session at the user's own bridge. The bridge is not started: then no session runs.
    private func endpoint(ofSession name: String, _ options: ConnectOptions) throws -> Endpoint {
        let access = try BridgeAccess(options.connection, context: context)
        let session = try access.withRunningSession(name) { _, session in session }
        try session.checkJoinable()
        let folder: TerminalText = session.folder.map { " in \($0)" } ?? ""
        Console.report(
            "acpbridge: joining \(Table.cell(session.id)) of \(session.agent)\(folder); a new session in this editor is that one"
        )
        return Endpoint(.unix(path: try context.home.socket), target: session.joiningTarget)
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

extension ListedSession {
    /// Throws if an editor cannot join the session at this bridge.
    fileprivate func checkJoinable() throws(Failure) {
        if let bridge {
            throw Failure(
                message: """
                    session '\(Table.cell(id))' runs at the bridge \(Table.cell(bridge)), and this command joins only those \
                    of your own bridge; `acpbridge connect 'wss://HOST/acp?session=\(PercentEncoding.encode(id))' \
                    --token-file FILE` joins it there
                    """)
        }
        if let parentId {
            throw Failure(
                message: """
                    session '\(Table.cell(id))' is a subagent; `acpbridge connect '\(Table.cell(parentId))'` joins its \
                    session
                    """)
        }
    }

    /// The path and query at the session's own bridge. The journal distinguishes it from another session of this id.
    fileprivate var joiningTarget: String {
        let target = "/acp?session=\(PercentEncoding.encode(id))"
        return journal.isEmpty ? target : target + "&journal=\(PercentEncoding.encode(journal))"
    }
}

extension BlockedSignals {
    /// Returns a signal that is pending, or 0 if there is none.
    fileprivate borrowing func pending() -> Int32 {
        var wait = pollfd(fd: descriptor.raw, events: Int16(POLLIN), revents: 0)
        return poll(&wait, 1, 0) > 0 ? next() : 0
    }
}
