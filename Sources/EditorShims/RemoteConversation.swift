import Glibc
import JSONRPC
import Posix
import RemoteAgent
import TinyvexSockets
import TinyvexTransport

/// Moves lines between an editor and a remote bridge, and reconnects after a lost connection. The machine makes all
/// decisions.
actor RemoteConversation {
    var machine: RemoteMachine
    let editor: StandardStreams
    let loop: ClientLoop
    /// Lines for the editor. Above the limit this actor stops reading from the bridge, so the buffer holds at most the
    /// limit and one batch.
    var unwritten = UnwrittenBytes()
    private(set) var ending: RemoteEnding?
    private let request: ConnectionRequest
    private let transport: SocketTransport
    private var connection: SocketConnection?
    private var waiting: [CheckedContinuation<Void, Never>] = []

    private static let unwrittenLimitBytes = 1 << 20

    init(
        _ machine: RemoteMachine, _ request: ConnectionRequest, _ transport: SocketTransport,
        _ editor: consuming StandardStreams, _ loop: ClientLoop
    ) {
        self.machine = machine
        self.request = request
        self.transport = transport
        self.editor = editor
        self.loop = loop
    }

    /// Returns when the editor has left, the agent has ended, or the machine gives up.
    ///
    /// - Parameter signals: becomes readable when this program must end.
    func run(signals: Int32) async -> RemoteEnding {
        await withDiscardingTaskGroup { group in
            group.addTask { await self.readEditor() }
            group.addTask { await self.keepConnected() }
            group.addTask { await self.watch(signals) }
            group.addTask { await self.watchReader() }
            await writeEditor()
            group.cancelAll()
            changed()
        }
        if ending == .left { await connection?.close(code: 1000) }
        return ending ?? .left
    }

    /// Only the first reason counts. The editor gets an error for each request that stays unanswered, then the
    /// remaining output.
    func end(_ reason: RemoteEnding) {
        guard ending == nil else { return }
        ending = reason
        if reason != .left { unwritten.append(contentsOf: machine.failures(because: reason)) }
        changed()
    }

    func endIfDone() {
        if machine.isDone { end(.left) }
    }

    // MARK: Waiting

    func changed() {
        let waiting = self.waiting
        self.waiting = []
        for waiter in waiting { waiter.resume() }
    }

    /// Returns after the next change. The caller must check whether the condition it waits for holds.
    func nextChange() async { await withCheckedContinuation { waiting.append($0) } }

    private func watch(_ signals: Int32) async {
        guard await loop.wait(for: POLLIN, on: signals) else { return }
        unwritten.removeAll()
        end(.left)
    }

    // MARK: The bridge

    private func keepConnected() async {
        while ending == nil {
            switch await serveConnection() {
            case .connect(let delay): await loop.sleep(until: .now + delay)
            case .end(let reason): end(reason)
            }
        }
    }

    /// Connects, serves the connection until it ends, and returns the next step.
    private func serveConnection() async -> RemoteMachine.Step {
        var request = self.request
        request.fields = machine.openingFields + [RemoteMachine.errorTextField]
        do throws(TransportFailure) {
            let connection = try await transport.open(request)
            if let reason = machine.lineOpened(connection.field) { return .end(reason) }
            self.connection = connection
            async let sending: Void = send(on: connection)
            let step = await receive(on: connection)
            // A connection that the editor left is closed in order.
            if ending != .left { self.connection = nil }
            changed()
            await sending
            return step
        } catch {
            return machine.lineFailed(error, at: .now)
        }
    }

    private func receive(on connection: SocketConnection) async -> RemoteMachine.Step {
        do throws(TransportFailure) {
            while true {
                while unwritten.count > Self.unwrittenLimitBytes, ending == nil { await nextChange() }
                let batch = try await connection.receive()
                do throws(RemoteEnding) {
                    unwritten.append(contentsOf: try machine.bridgeSaid(batch))
                } catch {
                    return .end(error)
                }
                Self.writeError(machine.takeErrorText())
                endIfDone()
                changed()
            }
        } catch {
            return machine.lineFailed(error, at: .now)
        }
    }

    /// Writes the agent's standard error to this program's own, as far as its reader takes it at once. The conversation
    /// does not wait for a reader of errors.
    private static func writeError(_ text: [UInt8]) {
        var rest = text[...]
        while !rest.isEmpty {
            var room = pollfd(fd: STDERR_FILENO, events: Int16(POLLOUT), revents: 0)
            // A pipe that is ready takes PIPE_BUF bytes without blocking.
            let part = rest.prefix(Int(PIPE_BUF))
            guard poll(&room, 1, 0) == 1, part.withUnsafeBytes({ write(STDERR_FILENO, $0.baseAddress, $0.count) }) > 0
            else { return }
            rest = rest.dropFirst(part.count)
        }
    }

    /// Sends until the connection is lost or the conversation has ended.
    private func send(on connection: SocketConnection) async {
        while ending == nil, self.connection === connection {
            guard let outgoing = machine.takeOutgoing() else {
                await nextChange()
                continue
            }
            guard (try? await connection.send(outgoing.lines, binary: outgoing.receipt)) != nil else { return }
            changed()
        }
    }
}
