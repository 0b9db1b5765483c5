import EventLoop
import Glibc
import HTTP1

/// A connection that has not yet said what it wants: one HTTP request, then an answer or an upgrade.
@LoopActor final class IncomingConnection: PollHandler {
    let peer: Peer
    let bridge: Bridge
    let permit: ConnectionPermit
    private var stream: ByteStream?
    private var parser: RequestParser
    private var descriptors: [Int32] = []
    private var watch: Watch?
    private var stage = Stage.reading
    private var fields: AnswerFields?
    private var admitted: (route: Route, identity: Identity)?
    /// The peer has said that it sends no more; it may still read.
    private var inputHasEnded = false

    private enum Stage {
        case reading
        /// The request is whole, and its answer is being made.
        case answering
        case writing(OutgoingResponse)
        /// All is sent; what the peer still sends is read away.
        case lingering
    }

    /// How long a peer may take for the next part of its answer.
    private static let writingPatience = Duration.seconds(30)
    private static let lingeringPatience = Duration.seconds(1)

    init(_ stream: consuming ByteStream, peer: Peer, permit: ConnectionPermit, bridge: Bridge) {
        self.peer = peer
        self.permit = permit
        self.bridge = bridge
        self.stream = consume stream
        let limits = bridge.configuration.limits
        parser = RequestParser(bodyLimitBytes: limits.bodyBytes, headLimitBytes: limits.headBytes)
    }

    func start() {
        guard let fd = stream?.fd, let watch = try? EventLoop.main.watch(fd, .readable, self) else { return close() }
        self.watch = watch
        EventLoop.main.schedule(after: bridge.configuration.limits.admission) { [weak self] in self?.giveUpWaiting() }
    }

    private func giveUpWaiting() {
        guard case .reading = stage else { return }
        refuse(HTTPRefusal(status: 408, reason: "No request came in time."))
        // A socket that nothing was written to has room for this. Where TLS is still to be agreed on nobody can be told.
        if case .writing(let answer) = stage, answer.sentBytes == 0 { close() }
    }

    // MARK: Reading

    func pollReady(_ watch: Watch, _ readiness: Readiness) {
        if readiness.contains(.writable) { writeMore() }
        if !readiness.isDisjoint(with: [.readable, .hangup]) { readMore() }
        updateInterest()
    }

    private func readMore() {
        let chunk = EventLoop.main.readChunk
        switch read(into: chunk) {
        case .bytes(let count):
            guard case .reading = stage else { return }
            parser.append(UnsafeRawBufferPointer(rebasing: chunk[..<count]))
            parse()
        case .wouldBlock: break
        case .failed where stream?.peerIsPlain == true: refusePlain()
        case .failed: close()
        case .endOfStream: inputEnded()
        }
    }

    private func inputEnded() {
        switch stage {
        case .reading, .lingering: close()
        case .answering, .writing: inputHasEnded = true
        }
    }

    /// A front's streams come as descriptors beside the bytes, on a Unix socket only.
    private func read(into chunk: UnsafeMutableRawBufferPointer) -> ReadOutcome {
        guard let fd = stream?.fd else { return .endOfStream }
        guard case .local = peer else { return stream?.read(into: chunk) ?? .endOfStream }
        return DescriptorPassing.receive(into: chunk, on: fd, appendingTo: &descriptors)
    }

    private func updateInterest() {
        var interest: Readiness = inputHasEnded ? [] : .readable
        if case .writing = stage { interest.insert(stream?.writeAwaits ?? .writable) }
        if stream?.holdsBytes == true { interest.insert(.writable) }
        watch?.wait(for: interest)
    }

    /// The head is judged as soon as it is there: a body is waited for only from those who may send one.
    private func parse() {
        do throws(HTTPRefusal) {
            let request = try parser.next()
            guard let head = request?.head ?? parser.pendingHead else { return }
            if fields == nil { judge(head) }
            guard case .reading = stage, let admitted, let request else { return }
            stage = .answering
            answer(request, admitted.route, for: admitted.identity)
        } catch {
            refuse(error)
        }
    }

    private func judge(_ head: RequestHead) {
        let fields = bridge.answerFields(for: head)
        self.fields = fields
        switch bridge.judge(head, from: peer, fields) {
        case .answered(let response): respond(to: head, response)
        case .admitted(let route, let identity): admitted = (route, identity)
        }
    }

    private func answer(_ request: Request, _ route: Route, for identity: Identity) {
        switch route {
        case .tinyvex: upgrade(request.head, identity, to: .tinyvex)
        case .acp: upgrade(request.head, identity, to: .acp)
        case .stdio: upgradeToFront(request.head)
        default:
            bridge.answer(request, route, for: identity) { [self] answered in
                respond(to: request.head, answered.response)
                answered.afterwards()
            }
        }
    }

    // MARK: Becoming another protocol

    /// What came right behind the request.
    func takeRemainder() -> [UInt8] { parser.takeRemainder() }

    /// What came beside it, which is the caller's to close.
    func takeDescriptors() -> [Int32] {
        defer { descriptors = [] }
        return descriptors
    }

    /// Answers that another protocol begins, and gives up the socket; nil when it has gone meanwhile.
    func switchProtocols(_ fields: [(name: String, value: String)]) -> ByteStream? {
        let head = ResponseHead(status: 101, headers: Headers(fields)).bytes()
        // Far smaller than a fresh socket's buffer.
        head.withUnsafeBytes { _ = stream?.write($0) }
        watch?.cancel()
        watch = nil
        return stream.take()
    }

    // MARK: Answering

    func respond(to head: RequestHead, _ response: Response) {
        write(response, omittingBody: head.method == "HEAD")
    }

    /// Whoever asks for `http://` where TLS is spoken is told so in words they can read.
    private func refusePlain() {
        stream = stream.take()?.withoutTLS()
        refuse(HTTPRefusal(status: 400, reason: "This port speaks TLS: connect with wss:// or https://."))
    }

    private func refuse(_ refusal: HTTPRefusal) { write(refusal.response, omittingBody: false) }

    private func write(_ response: Response, omittingBody: Bool) {
        guard stream != nil else { return }
        if response.status >= 400 { bridge.traffic.refusals += 1 }
        let complete = fields?.completing(response) ?? response
        stage = .writing(OutgoingResponse(complete.bytes(omittingBody: omittingBody)))
        writeMore()
        updateInterest()
        closeUnlessRead()
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
        case .finished: linger()
        case .blocked: stage = .writing(response)
        case .failed: close()
        }
    }

    /// Whoever does not read its answer is not waited for.
    private func closeUnlessRead() {
        guard case .writing(let before) = stage else { return }
        EventLoop.main.schedule(after: Self.writingPatience) { [weak self] in
            guard let self, case .writing(let now) = self.stage else { return }
            if now.sentBytes == before.sentBytes { self.close() } else { self.closeUnlessRead() }
        }
    }

    /// Closing with bytes unread would reset the connection and could take the answer with it.
    private func linger() {
        stage = .lingering
        stream?.finishWriting()
        if inputHasEnded { return close() }
        EventLoop.main.schedule(after: Self.lingeringPatience) { [weak self] in self?.close() }
    }

    func end() { close() }

    func close() {
        watch?.cancel()
        watch = nil
        stream = nil
        for fd in descriptors { Glibc.close(fd) }
        descriptors = []
        bridge.incomingClosed(self)
    }
}
