import EventLoop
import Glibc
import JSONRPC
import TinyvexSync

/// Moves lines between an editor and a bridge elsewhere, and makes their connection anew when it is lost. What is decided
/// is decided by the machine.
actor RemoteConversation {
    var machine: RemoteMachine
    let editor: EditorStreams
    let loop: ClientLoop
    /// Lines for the editor. Past the limit the bridge is not read from, so that it is this and one batch at most.
    var unwritten: [UInt8] = []
    private(set) var ending: RemoteEnding?
    private let request: ConnectionRequest
    private let transport: SocketTransport
    private var connection: SocketConnection?
    private var waiting: [CheckedContinuation<Void, Never>] = []

    private static let unwrittenLimitBytes = 1 << 20

    init(
        _ machine: RemoteMachine, _ request: ConnectionRequest, _ transport: SocketTransport,
        _ editor: consuming EditorStreams, _ loop: ClientLoop
    ) {
        self.machine = machine
        self.request = request
        self.transport = transport
        self.editor = editor
        self.loop = loop
    }

    /// Returns when the editor has left, the agent has ended, or there is no hope any more.
    ///
    /// - Parameter signals: readable when this program is to end.
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

    /// The first reason counts. What the editor will not be answered it is told, and the rest of what it is owed.
    func end(_ reason: RemoteEnding) {
        guard ending == nil else { return }
        ending = reason
        if reason != .left { unwritten += machine.failures(because: reason) }
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

    /// Returns when something has changed; whoever waits looks again whether it is what they wait for.
    func nextChange() async { await withCheckedContinuation { waiting.append($0) } }

    private func watch(_ signals: Int32) async {
        guard await loop.wait(for: POLLIN, on: signals) else { return }
        unwritten = []
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

    /// Makes a connection, serves it to its end, and tells what comes then.
    private func serveConnection() async -> RemoteMachine.Step {
        var request = self.request
        request.fields = machine.openingFields
        do throws(TransportFailure) {
            let connection = try await transport.open(request)
            if let reason = machine.lineOpened(connection.field) { return .end(reason) }
            self.connection = connection
            async let sending: Void = send(on: connection)
            let step = await receive(on: connection)
            // One that is left is closed in order.
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
                    unwritten += try machine.bridgeSaid(batch)
                } catch {
                    return .end(error)
                }
                endIfDone()
                changed()
            }
        } catch {
            return machine.lineFailed(error, at: .now)
        }
    }

    /// Until the connection is lost, or nothing more is to be said.
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
