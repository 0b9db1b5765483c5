import EventLoop
import Glibc
import Posix
import TestSupport

/// Both ends of one TLS connection in this process, over sockets with small buffers.
final class TLSPair {
    let server: ByteStream
    let client: ByteStream
    private var buffer = [UInt8](repeating: 0, count: ByteStream.recordBytes)

    init(
        certificate: String = TestCertificate.certificate, key: String = TestCertificate.key,
        trusting authorities: String = TestCertificate.certificate, host: String = "localhost"
    ) throws {
        let folder = TemporaryFolder()
        let identity = try TLSContext(
            certificate: folder.file("cert.pem", certificate), key: folder.file("key.pem", key))
        let ends = try SocketPair()
        server = try ByteStream(ends.first, accepting: identity)
        client = try ByteStream(
            ends.second, connectingTo: host, TLSContext(trusting: folder.file("ca.pem", authorities)))
    }

    // A property, because `#expect` cannot inspect a noncopyable value.
    var serverHoldsBytes: Bool { server.holdsBytes }
    var clientFailure: String? { client.failure }

    /// Lets both ends exchange data until neither has more. Returns the data that each end received, and how its stream
    /// ended.
    func settle() -> (atServer: Received, atClient: Received) {
        var atServer = Received()
        var atClient = Received()
        var isQuiet = false
        while !isQuiet {
            _ = server.flush()
            _ = client.flush()
            let fromClient = atServer.read(server, &buffer)
            let fromServer = atClient.read(client, &buffer)
            let hasEnd = atServer.end != nil || atClient.end != nil
            isQuiet = !fromClient && !fromServer && (hasEnd || isSettled)
        }
        return (atServer, atClient)
    }

    /// True when no data that will be read is in transit.
    private var isSettled: Bool {
        !server.holdsBytes && !client.holdsBytes && server.waitingBytes == 0 && client.waitingBytes == 0
    }

    /// The data that one end received.
    struct Received: Equatable {
        var bytes: [UInt8] = []
        /// Nil while more data can arrive.
        var end: ReadOutcome?

        /// Returns false when there was nothing to read.
        fileprivate mutating func read(_ stream: borrowing ByteStream, _ buffer: inout [UInt8]) -> Bool {
            guard end == nil else { return false }
            switch buffer.withUnsafeMutableBytes({ stream.read(into: $0) }) {
            case .bytes(let count):
                bytes += buffer[..<count]
                return true
            case .wouldBlock: return false
            case let outcome:
                end = outcome
                return true
            }
        }
    }
}

/// Two connected sockets with buffers of a few kilobytes.
struct SocketPair: ~Copyable {
    var first: Descriptor
    var second: Descriptor

    init() throws(SystemError) {
        var ends: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0 else { throw SystemError("socketpair") }
        for end in ends {
            var size: Int32 = 4 << 10
            setsockopt(end, SOL_SOCKET, SO_SNDBUF, &size, 4)
        }
        first = Descriptor(owning: ends[0])
        second = Descriptor(owning: ends[1])
    }
}

extension ByteStream {
    borrowing func write(_ bytes: some Collection<UInt8>) -> WriteOutcome {
        Array(bytes).withUnsafeBytes { write($0) }
    }
}
