import Glibc
import TestSupport

@testable import Connections
@testable import EventLoop
@testable import Posix

/// A stream that sends the given frames, one in each turn.
@LoopActor final class FrameStream: OutgoingStream {
    let subId = ""
    let tenant: String? = nil
    var isQueued = false
    private(set) var isClosed = false
    private(set) var isAtEnd = false
    let keepsPace = false
    private var frames: [[UInt8]]
    private var sent = 0
    private let began: @LoopActor () -> Void

    /// - Parameter began: called when a frame is about to be sent.
    init(frames: [[UInt8]] = [], began: @escaping @LoopActor () -> Void = {}) {
        self.frames = frames
        self.began = began
    }

    var isMidFrame: Bool { sent > 0 }

    func send(through writer: ConnectionWriter, limitBytes: Int) -> SendOutcome {
        guard let frame = frames.first else { return .atEnd }
        if sent == 0 { began() }
        sent += frame[sent...].withUnsafeBytes { writer.write($0) }
        return finishFrame(frame.count) ? .turnEnded : .blocked
    }

    private func finishFrame(_ size: Int) -> Bool {
        guard sent == size else { return false }
        frames.removeFirst()
        sent = 0
        return true
    }

    func reachedEnd() { isAtEnd = true }
    func close() { isClosed = true }
}

/// A writer on one end of a socketpair. The test reads the other end.
@LoopActor final class WriterPair {
    let writer: ConnectionWriter
    private let counter = Counter()
    private let far: Descriptor

    private final class Counter { @LoopActor var count = 0 }

    init(_ turns: FairScheduler) throws {
        let (near, far) = try Sockets.pair()
        self.far = Descriptor(owning: far)
        // The kernel doubles this size. A frame of more than twice this size blocks the writer.
        var size: Int32 = 4 << 10
        setsockopt(near, SOL_SOCKET, SO_SNDBUF, &size, socklen_t(MemoryLayout<Int32>.size))
        writer = ConnectionWriter(stream: ByteStream(Descriptor(owning: near)), deflate: nil, turns: turns) {
            [counter] in counter.count += 1
        }
    }

    var interestChangeCount: Int { counter.count }

    /// Returns what has arrived at the peer.
    func received() -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        let count = recv(far.raw, &buffer, buffer.count, Int32(MSG_DONTWAIT))
        return Array(buffer.prefix(max(0, count)))
    }

    /// Returns everything that the writer sends while the peer reads.
    func receivedUntilQuiet() -> [UInt8] {
        var all: [UInt8] = []
        while true {
            let piece = received()
            if piece.isEmpty { return all }
            all += piece
            writer.becameWritable()
        }
    }
}

extension [UInt8] {
    static func frame(_ character: Character, count: Int = 1) -> [UInt8] {
        [UInt8](repeating: character.asciiValue ?? 0, count: count)
    }

    /// The bytes as text, with each run of equal characters written once.
    var runs: String {
        String(decoding: enumerated().filter { $0 == 0 || self[$0 - 1] != $1 }.map(\.element), as: UTF8.self)
    }
}
