import AgentProcess
import Agents
import Connections
import Glibc
import JSONRPC
import TestSupport
import Testing
import WebSocket

@testable import Clients
@testable import EventLoop
@testable import Posix

/// The bridge's client on top of the editor.
@LoopActor private final class Bridge: TransportOwner {
    var messages: [String] = []
    var isClosed = false

    func messagesArrived(through transport: any ClientTransport) {
        while let arrival = transport.next() {
            if case .text(let message) = arrival { messages.append(String(decoding: message, as: UTF8.self)) }
        }
    }

    var takesMessages: Bool { true }
    func hasRoom(in transport: any ClientTransport) {}
    func willClose(_ transport: any ClientTransport) {}
    func closed(_ transport: any ClientTransport) { isClosed = true }
}

/// An editor adapter on the process's loop, and the editor's ends of its streams.
@LoopActor private final class Parts {
    let bridge = Bridge()
    let transport = MessageTransport(limits: MessageLimits(), turns: FairScheduler(), timers: EventLoop.main)
    private(set) var status: TerminationStatus?
    private let input: Descriptor
    private let output: Descriptor
    private lazy var editor = EditorAdapter(transport, lines: LineSplitter(limitBytes: 1 << 20)) { [unowned self] in
        status = $0
    }
    /// Whether the bridge has an answer for the editor.
    var awaitsAnswer: Bool

    /// - Parameter hasInput: False if the editor closed its input before a hand-over.
    init(hasInput: Bool = true, awaitsAnswer: Bool = false) throws {
        self.awaitsAnswer = awaitsAnswer
        let (input, output, error) = (try Sockets.pair(), try Sockets.pair(), try Sockets.pair())
        self.input = Descriptor(owning: input.far)
        self.output = Descriptor(owning: output.far)
        close(error.far)
        let streams = EditorStreams(
            input: ByteStream(Descriptor(owning: input.near)), output: ByteStream(Descriptor(owning: output.near)),
            error: ByteStream(Descriptor(owning: error.near)))
        editor.awaitsAnswer = { [unowned self] in self.awaitsAnswer }
        var released = streams.release()
        if !hasInput {
            released.input.map { _ = close($0) }
            released.input = nil
        }
        try editor.start(released)
        #expect(transport.start(bridge))
    }

    func write(_ text: String) {
        _ = Array(text.utf8).withUnsafeBytes { Glibc.send(input.raw, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
    }

    func endInput() { shutdown(input.raw, Int32(SHUT_WR)) }

    /// Returns the bytes that are ready.
    func read() -> [UInt8] {
        var chunk = [UInt8](repeating: 0, count: 256 << 10)
        let count = recv(output.raw, &chunk, chunk.count, Int32(MSG_DONTWAIT))
        return Array(chunk.prefix(max(0, count)))
    }

    /// Lets the loop run until the condition is true, for at most 10,000 turns.
    func turns(until isTrue: () -> Bool) async {
        for _ in 0..<10_000 where !isTrue() {
            await withCheckedContinuation { continuation in
                EventLoop.main.schedule(after: .zero) { continuation.resume() }
            }
        }
        #expect(isTrue())
    }
}

@Suite(.serialized) struct EditorAdapterTests {
    init() { LoopThread.start }

    @Test @LoopActor func linesAndMessagesAreConvertedIntoEachOther() async throws {
        let parts = try Parts()
        parts.write("one\n\ntwo\nthr")
        await parts.turns { parts.bridge.messages.count == 2 }
        #expect(parts.bridge.messages == ["one", "two"])
        parts.transport.send(Array("answer".utf8))
        #expect(parts.read() == Array("answer\n".utf8))
        parts.endInput()
        await parts.turns { parts.status != nil }
        #expect(parts.status == .exited(code: 0) && parts.bridge.isClosed)
    }

    /// An earlier fault: the answers to requests before the end of the input were lost.
    @Test(arguments: [true, false])
    @LoopActor func anEditorWithoutInputGetsItsAnswersBeforeItLeaves(hasInput: Bool) async throws {
        let parts = try Parts(hasInput: hasInput, awaitsAnswer: true)
        if hasInput {
            parts.write("prompt\n")
            parts.endInput()
            await parts.turns { parts.bridge.messages == ["prompt"] }
        }
        parts.transport.send(Array("update".utf8))
        var text: [UInt8] = []
        await parts.turns {
            text += parts.read()
            return text == Array("update\n".utf8)
        }
        #expect(parts.status == nil && !parts.bridge.isClosed)
        parts.transport.send(Array("answer".utf8))
        parts.awaitsAnswer = false
        // Without a wait for a timer.
        await parts.turns { parts.status != nil }
        #expect(parts.status == .exited(code: 0) && parts.bridge.isClosed)
        #expect(parts.read() == Array("answer\n".utf8))
    }

    @Test @LoopActor func theAgentsStatusReachesTheEditorAfterTheLastLine() async throws {
        let parts = try Parts()
        parts.transport.send(Array("last".utf8))
        parts.transport.close(.internalError, TerminationStatus.exited(code: 3).closeReason)
        await parts.turns { parts.status != nil }
        #expect(parts.status == .exited(code: 3) && parts.bridge.isClosed)
        #expect(parts.read() == Array("last\n".utf8))
    }

    @Test @LoopActor func messagesForAnEditorThatDoesNotReadStayInTheBridge() async throws {
        let parts = try Parts()
        let message = [UInt8](repeating: 0x61, count: 1 << 20)
        for _ in 0..<4 { parts.transport.send(message) }
        #expect(parts.transport.writer.isOverControlLimit && !parts.transport.isQuiet)
        var text: [UInt8] = []
        await parts.turns {
            text += parts.read()
            return text.count >= 4 * (message.count + 1)
        }
        #expect(text == Array(repeating: message + [0x0a], count: 4).flatMap { $0 })
        await parts.turns { parts.transport.isQuiet }
    }
}
