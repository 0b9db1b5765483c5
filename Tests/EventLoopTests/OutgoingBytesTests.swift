import EventLoop
import Glibc
import Posix
import TestSupport
import Testing

/// In turn, because all tests share the limit of files.
@Suite(.serialized) struct OutgoingBytesTests {
    private static let size = 300_000
    private static let content = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 11) }

    private func buffer(receivers: Int) -> OutgoingBuffer {
        let buffer = OutgoingBuffer(byteCount: Self.size, receiverCount: receivers)
        buffer.bytes.copyBytes(from: Self.content)
        return buffer
    }

    /// Reads what has arrived.
    private func received(_ stream: borrowing ByteStream) -> [UInt8] {
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 50_000)
        while case .bytes(let count) = part.withUnsafeMutableBytes({ stream.read(into: $0) }) {
            bytes += part[..<count]
        }
        return bytes
    }

    /// Two ends of a Unix socket.
    private struct Streams: ~Copyable {
        let sender: ByteStream
        let receiver: ByteStream

        init(isBlocking: Bool = false) throws {
            let ends = try Sockets.pair()
            if isBlocking { _ = fcntl(ends.near, F_SETFL, 0) }
            sender = ByteStream(Descriptor(owning: ends.near))
            receiver = ByteStream(Descriptor(owning: ends.far))
        }

        consuming func closeReceiver() -> ByteStream { sender }
    }

    @Test func onlyLargeBytesForManyReceiversAreSentByReference() {
        let few = buffer(receivers: 2)
        let many = buffer(receivers: 100)
        #expect(!few.outgoing(0..<Self.size).isSentByReference)
        #expect(many.outgoing(0..<Self.size).isSentByReference)
        #expect(!many.outgoing(0..<1_000).isSentByReference)
        #expect(!many.outgoing(0..<Self.size).dropFirst(Self.size - 1_000).isSentByReference)
    }

    @Test(arguments: [2, 100]) func eachReceiverGetsAllBytesInOrder(receivers: Int) throws {
        let buffer = buffer(receivers: receivers)
        for _ in 0..<3 {
            let streams = try Streams()
            var (sent, bytes) = (0, [UInt8]())
            while sent < Self.size {
                switch streams.sender.write(buffer.outgoing(0..<Self.size).dropFirst(sent)) {
                case .wrote(let count): sent += count
                case .wouldBlock: bytes += received(streams.receiver)
                case .failed(let error): throw error
                }
            }
            bytes += received(streams.receiver)
            #expect(bytes == Self.content)
        }
    }

    @Test func bytesUnderWayOutliveTheirBuffer() throws {
        let streams = try Streams()
        let taken: WriteOutcome
        do {
            let buffer = buffer(receivers: 100)
            taken = streams.sender.write(buffer.outgoing(0..<Self.size))
        }
        // Takes the pages that the buffer has given back, if it has.
        let other = OutgoingBuffer(byteCount: Self.size, receiverCount: 100)
        other.bytes.copyBytes(from: [UInt8](repeating: 0xff, count: Self.size))
        guard case .wrote(let count) = taken else { throw SystemError("write") }
        #expect(received(streams.receiver) == Array(Self.content[..<count]))
    }

    @Test(arguments: [2, 100]) func aFullSocketDoesNotBlock(receivers: Int) throws {
        let streams = try Streams()
        let buffer = buffer(receivers: receivers)
        var outcome = WriteOutcome.wrote(0)
        while case .wrote = outcome { outcome = streams.sender.write(buffer.outgoing(0..<Self.size)) }
        #expect(outcome == .wouldBlock)
    }

    /// Its flag can be shared with another process.
    @Test func aBlockingSocketGetsACopy() throws {
        let streams = try Streams(isBlocking: true)
        let buffer = buffer(receivers: 100)
        var outcome = WriteOutcome.wrote(0)
        while case .wrote = outcome { outcome = streams.sender.write(buffer.outgoing(0..<Self.size)) }
        #expect(outcome == .wouldBlock)
    }

    @Test(arguments: [2, 100]) func aPeerThatIsGoneIsAFailure(receivers: Int) throws {
        LoopThread.start
        let sender = try Streams().closeReceiver()
        guard case .failed(let error) = sender.write(buffer(receivers: receivers).outgoing(0..<Self.size)) else {
            throw SystemError("write")
        }
        #expect(error.code == EPIPE)
    }

    @Test func moreBuffersThanDescriptorsAllowAreOnTheHeap() {
        var files: [Held] = []
        while files.last?.isFile != false, files.count < 1_000 { files.append(Held()) }
        #expect(files.count > 1)
        #expect(files.count < 1_000)
    }

    private final class Held {
        private let buffer = OutgoingBuffer(byteCount: 40_000, receiverCount: 100)
        var isFile: Bool { buffer.outgoing(0..<40_000).isSentByReference }
    }
}
