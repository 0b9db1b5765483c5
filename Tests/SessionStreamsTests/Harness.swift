import Access
import Connections
import EventLoop
import Glibc
import LogAccess
import SessionRecords
import TestSupport
import Tinyvex

@testable import Connections
@testable import EventLoop
@testable import Posix
@testable import SessionLog
@testable import SessionStreams

/// A log that answers when the test calls for it, and keeps the lines of one session in memory.
@LoopActor final class FakeLog: LogClient {
    let damaged: (path: String, rescuedSessions: Int)? = nil
    var syncFailed: @LoopActor (LogError?) -> Void = { _ in }
    var filesRestored: @LoopActor ([String]) -> Void = { _ in }
    var filesLost: @LoopActor (LogError) -> Void = { _ in }
    private(set) var lines: [String] = []
    private var timelineCount: Int64 = 0
    private var epoch: Int64 = 0
    /// Updates before this number are no longer kept.
    var oldest: Int64 = 1
    private(set) var writes: [(WriteRequest.Operation, @LoopActor (Answer) -> Void)] = []
    private(set) var reads: [(ReadRequest.Query, @LoopActor (Answer) -> Void)] = []

    nonisolated init() {}

    var isIdle: Bool { writes.isEmpty && reads.isEmpty }
    func checkFiles() {}
    func close() {}

    func write(_ request: WriteRequest.Operation, then action: @escaping @LoopActor (Answer) -> Void) {
        writes.append((request, action))
    }

    func read(_ request: ReadRequest.Query, then action: @escaping @LoopActor (Answer) -> Void) {
        reads.append((request, action))
    }

    /// Performs and answers all requests, including those that the answers cause.
    func answerAll() {
        while !isIdle {
            if writes.isEmpty { answerRead() } else { answerWrite() }
        }
    }

    func answerWrite() {
        let (request, action) = writes.removeFirst()
        action(perform(request))
    }

    func failWrite(_ error: LogError = .diskIsFull) {
        let (_, action) = writes.removeFirst()
        action(.failed(error))
    }

    /// - Parameter answer: given instead of the lines in memory.
    func answerRead(_ answer: Answer? = nil) {
        let (query, action) = reads.removeFirst()
        action(answer ?? page(query))
    }

    func failRead(_ error: LogError) { answerRead(.failed(error)) }

    private func perform(_ request: WriteRequest.Operation) -> Answer {
        switch request {
        case .claim:
            epoch += 1
            return .claimed(.of(sid: 1, epoch: epoch, head: Int64(lines.count), timelineHead: timelineCount))
        case .append(_, _, _, let items):
            lines += items.filter { $0.lineCount > 0 }.flatMap(\.texts)
            timelineCount += items.reduce(0) { $0 + Int64(max(1, $1.lineCount)) }
            return .appended(head: Int64(lines.count), timelineHead: timelineCount)
        default: return .described
        }
    }

    private func page(_ query: ReadRequest.Query) -> Answer {
        guard case .page(_, let from, _) = query else { return .failed(.closed) }
        let first = max(from, oldest)
        let rest = lines[(Int(first) - 1)...]
        return .page(
            UpdatePage(first: first, count: rest.count, lines: rest.flatMap { Array($0.utf8) + [0x0a] }, isAtEnd: true))
    }
}

extension [(WriteRequest.Operation, @LoopActor (Answer) -> Void)] {
    /// The requests, shortened.
    var texts: [String] {
        map { request, _ in
            switch request {
            case .claim: "claim"
            case .append(_, _, _, let items): "append \(items.flatMap(\.texts).joined(separator: " "))"
            case .describe: "describe"
            default: "other"
            }
        }
    }
}

/// A connection over a socket pair. The test reads the other end.
@LoopActor final class FakeConnection: StreamConnection {
    let writer: ConnectionWriter
    let takesChunks = false
    private(set) var messages: [String] = []
    private(set) var notices: [String] = []
    private(set) var isFailed = false
    private var streams: [String: any OutgoingStream] = [:]
    private let far: Posix.Descriptor

    init(_ registry: SessionRegistry) throws {
        let (near, far) = try Sockets.pair()
        self.far = Posix.Descriptor(owning: far)
        let stream = ByteStream(Posix.Descriptor(owning: near))
        writer = ConnectionWriter(stream: stream, deflate: nil, turns: registry.turns) {}
    }

    func add(_ stream: any OutgoingStream) {
        streams[stream.subId] = stream
        writer.enqueue(stream)
    }

    func send(_ message: [UInt8]) { messages.append(String(decoding: message, as: UTF8.self)) }
    func notify(_ notice: [UInt8]) { notices.append(String(decoding: notice, as: UTF8.self)) }
    func reachedAnEnd() {}
    func closeAfterFailure() { isFailed = true }

    func removeSubscription(_ subId: String) -> Bool {
        guard let stream = streams.removeValue(forKey: subId) else { return false }
        writer.end(stream)
        return true
    }

    /// The payloads of the frames that have arrived since the last call.
    func received() -> [String] {
        var buffer = [UInt8](repeating: 0, count: 256 << 10)
        let count = recv(far.raw, &buffer, buffer.count, Int32(MSG_DONTWAIT))
        var rest = buffer[..<max(0, count)]
        var payloads: [String] = []
        while rest.count >= 2 {
            let isLong = rest[rest.startIndex + 1] == 126
            let size =
                isLong ? rest.dropFirst(2).prefix(2).reduce(0) { $0 << 8 | Int($1) } : Int(rest.dropFirst().first ?? 0)
            rest = rest.dropFirst(isLong ? 4 : 2)
            payloads.append(String(decoding: rest.prefix(size), as: UTF8.self))
            rest = rest.dropFirst(size)
        }
        return payloads
    }
}

/// A registry with a log and a clock that the test drives.
@LoopActor final class SessionRig {
    let log = FakeLog()
    let loop = ManualLoop()
    let registry: SessionRegistry
    private var connections: [FakeConnection] = []

    /// Sessions and readers refer to their registry and connection without owning them, and a request without an answer
    /// keeps its session. So nothing is released at the end of a test.
    private static var kept: [SessionRig] = []

    init(limits: Limits = Limits()) {
        registry = SessionRegistry(log: log, limits: limits, services: loop.services, loop: nil)
        Self.kept.append(self)
    }

    /// Creates a session without an answer to its claim.
    func session() -> Session {
        let session = Session(agent: "agent", id: "s", tenant: nil, registry: registry)
        session.claim(.fresh)
        return session
    }

    func receive(_ lines: String..., by session: Session) {
        for line in lines {
            Array(line.utf8).withUnsafeBufferPointer { session.receive($0.span, at: 0, isReplay: false) }
        }
        session.flush()
    }

    /// Creates a reader of the session's updates on a connection of its own.
    func reader(
        of session: Session, _ stream: Subscription.Stream = .updates, from next: Int64 = 1, until: Int64? = nil,
        policy: PolicyTerms = PolicyTerms(.lossless)
    ) throws -> (FakeConnection, Subscription) {
        let connection = try connection()
        let reader = Subscription(
            subId: "r", stream: stream, session: session, next: next, until: until, policy: policy,
            connection: connection,
            registry: registry)
        connection.add(reader)
        return (connection, reader)
    }

    /// Creates a connection that lives as long as the rig.
    func connection() throws -> FakeConnection {
        let connection = try FakeConnection(registry)
        connections.append(connection)
        return connection
    }
}

extension FrameChunk {
    /// For tests whose lines always have the stated count.
    static var none: FrameChunk { FrameChunk(frames: [], count: 0, first: 0) }
}
