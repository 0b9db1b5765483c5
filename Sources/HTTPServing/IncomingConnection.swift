import Access
import Diagnostics
import EventLoop
import Glibc
import HTTP1

/// A connection until it switches to another protocol: the socket, its buffers, limits and deadlines. It carries one request after the
/// other, each in an ``HTTPExchange``, and is kept between them. Source: RFC 9112, section 9.3.
@LoopActor final class IncomingConnection: PollHandler {
    let peer: Peer
    let server: HTTPServer
    let permit: ConnectionPermit
    private let services: LoopServices
    private var stream: ByteStream?
    /// The unread bytes: at most an incomplete request within its limits and one read of the loop, because nothing is read from a
    /// complete request until its answer is sent.
    private var parser: RequestParser
    /// At most three, which arrived with the present request.
    private var descriptors: [Int32] = []
    private var watch: Watch?
    private var stage = Stage.reading
    private var exchange: HTTPExchange?
    /// The deadline of the present stage.
    private var deadline: Timer?
    /// The present request was read to its end, and another one can follow.
    private var canBeKept = false
    /// The peer has closed its sending direction. It can still read.
    private var inputHasEnded = false

    private enum Stage {
        /// Kept: the answer is sent, and no byte of a further request has arrived.
        case idle
        /// Kept: bytes of a further request have arrived already. They are handled after other connections had their turn.
        case resuming
        case reading
        /// The request is complete, and its response is being computed.
        case answering
        case writing(OutgoingResponse)
        /// The last response has been sent. Bytes that the peer still sends are read and discarded.
        case lingering
    }

    /// How long a peer can take to read the next part of its response.
    private static let writingPatience = Duration.seconds(30)
    private static let lingeringPatience = Duration.seconds(1)

    init(_ stream: consuming ByteStream, peer: Peer, permit: ConnectionPermit, server: HTTPServer) {
        self.peer = peer
        self.permit = permit
        self.server = server
        services = server.services
        self.stream = consume stream
        let limits = server.limits
        parser = RequestParser(
            headLimitBytes: limits.headBytes, bodyLimitBytes: server.bodyLimitBytes)
    }

    func start() {
        guard let fd = stream?.fd else { return close() }
        watch = orLog("watching a new connection") { try services.poller.watch(fd, .readable, self) }
        guard watch != nil else { return close() }
        exchange = HTTPExchange(on: self)
        limitReading()
    }

    // MARK: Deadlines

    /// Replaces the deadline of the stage before.
    private func setDeadline(after delay: Duration, _ action: @escaping @LoopActor (IncomingConnection) -> Void) {
        deadline?.cancel()
        deadline = services.timers.schedule(after: delay) { [weak self] in
            if let self { action(self) }
        }
    }

    private func clearDeadline() {
        deadline?.cancel()
        deadline = nil
    }

    private func limitReading() {
        let arrivedBytes = exchange?.uploadedBytes
        setDeadline(after: server.limits.admission) { connection in
            // An upload can take longer, as long as some of it arrives, or waits for the disk.
            let exchange = connection.exchange
            guard exchange?.uploadedBytes != arrivedBytes || exchange?.waitsForDisk == true else {
                return connection.giveUpReading()
            }
            connection.limitReading()
        }
    }

    private func giveUpReading() {
        guard case .reading = stage else { return }
        refuse(HTTPRefusal(status: 408, reason: "No complete request arrived in time."))
        // A socket without earlier output has room for this response. If the TLS handshake is not complete, the
        // response cannot be sent.
        if case .writing(let answer) = stage, answer.sentBytes == 0 { close() }
    }

    /// Closes the connection if the peer does not read its response.
    private func limitWriting(after sentBytes: Int) {
        setDeadline(after: Self.writingPatience) { connection in
            switch connection.stage {
            case .writing(let now) where now.totalSentBytes == sentBytes: connection.close()
            case .writing(let now): connection.limitWriting(after: now.totalSentBytes)
            // Between two parts of a file.
            case .answering: connection.limitWriting(after: sentBytes)
            case .idle, .resuming, .reading, .lingering: break
            }
        }
    }

    // MARK: Reading

    func pollReady(_ watch: Watch, _ readiness: Readiness) {
        if readiness.contains(.writable) || isWriting { writeMore() }
        guard reads else {
            // Nobody is left to read the answer.
            if readiness.contains(.hangup) { close() }
            return updateInterest()
        }
        if !readiness.isDisjoint(with: [.readable, .hangup]) { readMore() }
        updateInterest()
    }

    private var isWriting: Bool { if case .writing = stage { true } else { false } }

    /// False while the answer of a complete request is due, so that the bytes of further requests stay in the socket. The rest of a
    /// request that ends the connection is read and discarded.
    private var reads: Bool {
        guard stream != nil, !inputHasEnded else { return false }
        switch stage {
        case .idle, .lingering: return true
        case .reading: return exchange?.waitsForDisk != true
        case .resuming: return false
        case .answering, .writing: return !canBeKept
        }
    }

    private func updateInterest() {
        // Without any interest, not even the peer's close is reported: it would be in every turn.
        var interest: Readiness = reads ? .readable : inputHasEnded || exchange?.waitsForDisk == true ? [] : .hangup
        if isWriting { interest.insert(stream?.writeAwaits ?? .writable) }
        if stream?.holdsBytes == true { interest.insert(.writable) }
        watch?.wait(for: interest)
    }

    private func readMore() {
        let chunk = services.poller.readChunk
        switch read(into: chunk) {
        case .bytes(let count): handle(UnsafeRawBufferPointer(rebasing: chunk[..<count]))
        case .wouldBlock: break
        case .failed where stream?.peerIsPlain == true: refusePlain()
        case .failed: close()
        case .endOfStream: inputEnded()
        }
    }

    private func handle(_ bytes: UnsafeRawBufferPointer) {
        switch stage {
        case .idle:
            stage = .reading
            server.noteBusy(self)
            // The deadline of the idle connection. Most requests arrive as a whole, and need none.
            clearDeadline()
        case .reading: break
        case .resuming, .answering, .writing, .lingering: return
        }
        parser.append(bytes)
        parse()
    }

    private func inputEnded() {
        switch stage {
        case .idle, .reading, .resuming, .lingering: close()
        case .answering, .writing: inputHasEnded = true
        }
    }

    /// Reads bytes. The streams of a stdio shim arrive as descriptors together with the bytes, and only on a Unix
    /// socket.
    private func read(into chunk: UnsafeMutableRawBufferPointer) -> ReadOutcome {
        guard let fd = stream?.fd else { return .endOfStream }
        guard case .local = peer else { return stream?.read(into: chunk) ?? .endOfStream }
        return DescriptorPassing.receive(into: chunk, on: fd, appendingTo: &descriptors)
    }

    private func parse() {
        do throws(HTTPRefusal) {
            let request = try parser.next().map(server.local)
            if let head = request?.head ?? parser.pendingHead.map(server.local) {
                canBeKept = request != nil && head.keepsConnection
                exchange?.handle(head, request)
            }
        } catch {
            return refuse(error)
        }
        guard stream != nil, case .reading = stage else { return }
        guard permit.setHeld(bytes: parser.unfinishedBytes) else { return refuse(Self.memoryIsFull) }
        if deadline == nil { limitReading() }
    }

    // MARK: The present exchange

    /// Returns and removes the bytes of an incomplete body that have arrived.
    func takeBodyPart() -> [UInt8] { parser.takeBodyPart() }

    /// Sends `100 Continue` to a client that waits for it, after the checks of the head.
    func sendContinue() {
        guard case .reading = stage, parser.awaitsContinue else { return }
        parser.noteContinue()
        guard writeAtOnce(ResponseHead(status: 100).bytes()) else { return close() }
        _ = stream?.flush()
    }

    /// Call when the request is complete and its response is being computed.
    func beginAnswering() {
        stage = .answering
        clearDeadline()
    }

    /// Call when the exchange can receive more of its body.
    func continueReading() { updateInterest() }

    /// The first line says whether the response to a request without a complete head has a body.
    private func omitsBody(_ head: RequestHead?) -> Bool { head.map { $0.method == "HEAD" } ?? parser.isHead }

    /// Sends the response of the present exchange, and then waits for the next request, if there can be one.
    ///
    /// - Parameter head: Nil for a request whose head is not complete, or whose body is not.
    func send(_ response: Response, to head: RequestHead?, of exchange: HTTPExchange) {
        guard stream != nil, self.exchange === exchange else { return }
        if response.status >= 400 { server.noteRefusal() }
        let omitsBody = omitsBody(head)
        if server.endsConnections { canBeKept = false }
        let bytes = response.bytes(
            omittingBody: omitsBody, bodyBytes: exchange.download?.byteCount, keepingConnection: canBeKept)
        if omitsBody { exchange.dropDownload() }
        guard setHeld(bytes.count) else {
            exchange.dropDownload()
            return refuse(Self.memoryIsFull, head)
        }
        if let head { exchange.record(response.status, to: head) }
        clearDeadline()
        write(OutgoingResponse(bytes))
    }

    /// Counts a part of a response, and the bytes of further requests. Returns false if there is no memory for them.
    private func setHeld(_ byteCount: Int) -> Bool { permit.setHeld(bytes: byteCount + parser.unfinishedBytes) }

    private static let memoryIsFull = HTTPRefusal(
        status: 503, reason: "Too much waits to be received or read by clients. Try again later.")

    /// Sends an error after which the connection ends, because the end of the request is not known or not wanted.
    private func refuse(_ refusal: HTTPRefusal, _ head: RequestHead? = nil) {
        guard let exchange else { return }
        canBeKept = false
        let response = exchange.refused(refusal, parser.refusedHead.map(server.local))
        // Received bytes are no longer counted.
        parser.discard()
        send(response, to: head, of: exchange)
    }

    /// Sends a readable plain-text error to a peer that uses `http://` on a TLS port.
    private func refusePlain() {
        stream = stream.take()?.withoutTLS()
        refuse(HTTPRefusal(status: 400, reason: "This port speaks TLS: connect with wss:// or https://."))
    }

    // MARK: Writing

    /// Writes bytes that are far smaller than the buffer of a socket without earlier output. Returns false if they do not fit.
    private func writeAtOnce(_ bytes: [UInt8]) -> Bool {
        bytes.withUnsafeBytes { stream?.write($0) } == .wrote(bytes.count)
    }

    private func write(_ response: OutgoingResponse) {
        stage = .writing(response)
        writeMore()
        updateInterest()
        if case .writing(let rest) = stage, deadline == nil { limitWriting(after: rest.totalSentBytes) }
    }

    private func writeMore() {
        guard case .writing(var response) = stage else {
            _ = stream?.flush()
            return
        }
        let progress = response.write {
            stream?.write($0)
        } flush: {
            stream?.flush()
        }
        switch progress {
        case .finished: finishedWriting(response)
        case .blocked: stage = .writing(response)
        case .failed: close()
        }
    }

    /// Continues with the next part of a stored file, if there is one.
    private func finishedWriting(_ response: OutgoingResponse) {
        guard let download = exchange?.download, !download.isComplete else { return endExchange() }
        stage = .answering
        let sentBytes = response.totalSentBytes
        download.next { [weak self] part in
            // The length is already sent, so only a closed connection can report a failure.
            guard let self, stream != nil, let part, setHeld(part.count) else { self?.close(); return }
            write(OutgoingResponse(part, after: sentBytes))
        }
    }

    private func endExchange() {
        exchange?.end()
        closeDescriptors()
        guard canBeKept else { return linger() }
        canBeKept = false
        permit.forgetAddress()
        exchange = HTTPExchange(on: self)
        _ = permit.setHeld(bytes: parser.unfinishedBytes)
        guard parser.unfinishedBytes == 0 else { return resume() }
        stage = .idle
        server.noteIdle(self)
        setDeadline(after: server.limits.keepAlive) { $0.endIdle() }
        // The bridge began to end while it sent this answer.
        if server.endsConnections { endUnlessInUse() }
    }

    /// Reads the next request from the bytes that have arrived with the last one. Not at once, because a peer can send thousands of
    /// requests at a time.
    private func resume() {
        stage = .resuming
        clearDeadline()
        services.timers.soon { [weak self] in
            guard let self, stream != nil, case .resuming = stage else { return }
            stage = .reading
            parse()
            updateInterest()
        }
    }

    // MARK: Switching to another protocol

    /// Returns the bytes that arrived directly after the request.
    func takeRemainder() -> [UInt8] { parser.takeRemainder() }

    /// Returns the descriptors that arrived with the request. The caller must close them.
    func takeDescriptors() -> [Int32] {
        defer { descriptors = [] }
        return descriptors
    }

    /// Sends the response that starts another protocol, and gives up the socket. Returns nil if the socket is already
    /// closed, or is full of unread answers.
    func switchProtocols(_ fields: [(name: String, value: String)]) -> ByteStream? {
        guard writeAtOnce(ResponseHead(status: 101, headers: Headers(fields)).bytes()) else { return nil }
        watch?.cancel()
        watch = nil
        return stream.take()
    }

    // MARK: The end

    /// Waits before closing: closing with unread bytes would reset the connection, and the peer could lose the
    /// response.
    private func linger() {
        stage = .lingering
        permit.releaseHeld()
        stream?.finishWriting()
        if inputHasEnded { return close() }
        setDeadline(after: Self.lingeringPatience) { $0.close() }
    }

    /// Closes the connection if it waits for a further request.
    func endIdle() {
        guard case .idle = stage else { return }
        stream?.finishWriting()
        close()
        permit.giveBack()
    }

    /// A request has begun to arrive, its answer is not completely sent, or the peer has not closed after it.
    var isInUse: Bool {
        switch stage {
        case .idle, .reading:
            parser.unfinishedBytes > 0 || parser.pendingHead != nil || (stream?.waitingBytes ?? 0) > 0
        case .resuming, .answering, .writing, .lingering: true
        }
    }

    /// Closes the connection if there is no request. Otherwise the next answer ends it. A new connection is closed only if the bridge stops,
    /// because a replacement can fail.
    func endUnlessInUse() {
        guard !isInUse else { return }
        if case .idle = stage { endIdle() } else if server.isClosed { close() }
    }

    func close() {
        clearDeadline()
        exchange?.end()
        exchange = nil
        watch?.cancel()
        watch = nil
        stream = nil
        closeDescriptors()
        server.closed(self)
    }

    private func closeDescriptors() {
        for fd in descriptors { Glibc.close(fd) }
        descriptors = []
    }
}
