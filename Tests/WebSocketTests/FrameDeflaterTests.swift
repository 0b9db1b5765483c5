import Testing
import WebSocket

@Suite struct FrameDeflaterTests {
    private struct OutOfMemory: Error {}

    private static func deflated(
        _ pieces: [[UInt8]], _ direction: PermessageDeflate.Direction = .init()
    ) throws -> [UInt8] {
        guard var deflater = FrameDeflater(direction) else { throw OutOfMemory() }
        for piece in pieces { try piece.withUnsafeBytes { try deflater.append($0) } }
        return deflater.output
    }

    private static func read(_ bytes: [UInt8], _ direction: PermessageDeflate.Direction = .init()) -> Transcript {
        var reader = MessageReader(role: .client, deflate: PermessageDeflate(server: direction))
        var transcript = Transcript()
        reader.append(bytes.span)
        do throws(ProtocolViolation) {
            while let event = try reader.next() { transcript.events.append(event) }
        } catch {
            transcript.violation = error
        }
        return transcript
    }

    private static let words = Array(String(repeating: "{\"jsonrpc\":\"2.0\"} and on ", count: 20).utf8)
    private static let frames =
        frame(.text, "Hello") + frame(.ping, "p") + frame(.text) + frame(.text, words) + frame(.binary, [0xFF])
        + frame(.text, words) + frame(.close, [0x03, 0xE8])
    private static let events: [MessageAssembler.Event] = [
        .text(Array("Hello".utf8)), .ping(Array("p".utf8)), .text([]), .text(words), .binary([0xFF]), .text(words),
        .close(.normalClosure, reason: []),
    ]

    @Test(arguments: [true, false])
    func theSameMessagesArriveForAllCuts(keepsContext: Bool) throws {
        let direction = PermessageDeflate.Direction(keepsContext: keepsContext, windowBits: 12)
        let whole = try Self.deflated([Self.frames], direction)
        #expect(Self.read(whole, direction) == Transcript(events: Self.events))
        #expect(whole.count < Self.frames.count / 4)
        for pieces in Self.frames.cutInTwo + [Self.frames.singleBytes] {
            #expect(Self.read(try Self.deflated(pieces, direction), direction) == Transcript(events: Self.events))
        }
    }

    @Test func aFragmentedMessageArrivesAsOneMessage() throws {
        let frames =
            frame(.text, "a", fin: false) + frame(.ping) + frame(.continuation, "b", fin: false)
            + frame(.continuation) + frame(.text, "c")
        let expected: [MessageAssembler.Event] = [.ping([]), .text(Array("ab".utf8)), .text(Array("c".utf8))]
        #expect(Self.read(try Self.deflated([frames])) == Transcript(events: expected))
    }

    /// Incompressible data is sent on as it arrives, in fragments. It is not buffered.
    @Test func aLongMessageIsNotBuffered() throws {
        var generator = SystemRandomNumberGenerator()
        let noise = (0..<1_000_000).map { _ in UInt8.random(in: 0...255, using: &generator) }
        let bytes = frame(.binary, noise)
        guard var deflater = FrameDeflater(.init()) else { throw OutOfMemory() }
        var sent: [UInt8] = []
        var most = 0
        for start in stride(from: 0, to: bytes.count, by: 16 << 10) {
            try bytes[start..<min(start + (16 << 10), bytes.count)].withUnsafeBytes { try deflater.append($0) }
            most = max(most, deflater.output.count)
            sent += deflater.output
            deflater.output = []
        }
        #expect(Self.read(sent) == Transcript(events: [.binary(noise)]))
        #expect(most < 128 << 10)
    }

    @Test func bytesThatAreNotFramesAreRefused() {
        #expect(throws: ProtocolViolation.self) { try Self.deflated([[0x83, 0x00]]) }
    }
}
