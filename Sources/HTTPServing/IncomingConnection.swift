import Access
import Diagnostics
import EventLoop
import FileStore
import Glibc
import HTTP1
import Tinyvex

/// A connection before its purpose is known: it reads one HTTP request, and then sends a response or upgrades.
@LoopActor final class IncomingConnection: PollHandler {
    let peer: Peer
    let server: HTTPServer
    let permit: ConnectionPermit
    private let services: LoopServices
    private var stream: ByteStream?
    private var parser: RequestParser
    private var descriptors: [Int32] = []
    private var watch: Watch?
    private var stage = Stage.reading
    private var fields: AnswerFields?
    /// `client` is the peer, or its client if the peer is a trusted proxy that has named one.
    private var admitted: (route: Route, identity: Identity, client: Peer)?
    /// The peer has closed its sending direction. It can still read.
    private var inputHasEnded = false
    private var upload: FileUpload?
    /// The number of bytes of the upload that have arrived.
    private var uploadedBytes = 0
    /// The rest of the response's body, if it is a stored file.
    private var download: FileDownload?

    private enum Stage {
        case reading
        /// The request is complete, and its response is being computed.
        case answering
        case writing(OutgoingResponse)
        /// The response has been sent. Bytes that the peer still sends are read and discarded.
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
        waitForRequest()
    }

    private func waitForRequest() {
        let arrivedBytes = uploadedBytes
        services.timers.schedule(after: server.limits.admission) { [weak self] in
            guard let self else { return }
            // An upload can take longer, as long as some of it arrives, or waits for the disk.
            guard let upload, uploadedBytes > arrivedBytes || upload.isFull else { return giveUpWaiting() }
            waitForRequest()
        }
    }

    private func giveUpWaiting() {
        guard case .reading = stage else { return }
        refuse(HTTPRefusal(status: 408, reason: "No complete request arrived in time."))
        // A socket without earlier output has room for this response. If the TLS handshake is not complete, the
        // response cannot be sent.
        if case .writing(let answer) = stage, answer.sentBytes == 0 { close() }
    }

    // MARK: Reading

    func pollReady(_ watch: Watch, _ readiness: Readiness) {
        if readiness.contains(.writable) { writeMore() }
        if !readiness.isDisjoint(with: [.readable, .hangup]) { readMore() }
        updateInterest()
    }

    private func readMore() {
        let chunk = services.poller.readChunk
        switch read(into: chunk) {
        case .bytes(let count):
            guard case .reading = stage else { return }
            parser.append(UnsafeRawBufferPointer(rebasing: chunk[..<count]))
            parse()
            if case .reading = stage, !permit.holds(bytes: parser.unfinishedBytes) { refuse(Self.memoryIsFull) }
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

    /// Reads bytes. The streams of a stdio shim arrive as descriptors together with the bytes, and only on a Unix
    /// socket.
    private func read(into chunk: UnsafeMutableRawBufferPointer) -> ReadOutcome {
        guard let fd = stream?.fd else { return .endOfStream }
        guard case .local = peer else { return stream?.read(into: chunk) ?? .endOfStream }
        return DescriptorPassing.receive(into: chunk, on: fd, appendingTo: &descriptors)
    }

    private func updateInterest() {
        var interest: Readiness = inputHasEnded || upload?.isFull == true ? [] : .readable
        if case .writing = stage { interest.insert(stream?.writeAwaits ?? .writable) }
        if stream?.holdsBytes == true { interest.insert(.writable) }
        watch?.wait(for: interest)
    }

    /// Checks the head as soon as it is complete. The bridge waits for a body only if the peer has the right to send
    /// one.
    private func parse() {
        do throws(HTTPRefusal) {
            let request = try parser.next().map(server.local)
            guard let head = request?.head ?? parser.pendingHead.map(server.local) else { return }
            if fields == nil { judge(head) }
            guard case .reading = stage, let admitted else { return }
            if admitted.route == .files { return receive(request, head, from: admitted.identity) }
            guard let request else { return sendContinue() }
            stage = .answering
            answer(request, admitted.route, for: admitted.identity)
        } catch {
            refuse(error)
        }
    }

    /// Sends `100 Continue` to a client that waits for it, after the checks of the head.
    private func sendContinue() {
        guard case .reading = stage, parser.awaitsContinue else { return }
        parser.noteContinue()
        let head = ResponseHead(status: 100).bytes()
        // The head is far smaller than the buffer of a socket without earlier output.
        let outcome = head.withUnsafeBytes { stream?.write($0) }
        guard outcome == .wrote(head.count) else { return close() }
        _ = stream?.flush()
    }

    private func judge(_ head: RequestHead) {
        let fields = server.answerFields(for: head)
        self.fields = fields
        let client = server.client(head, from: peer)
        if let refusal = server.refuse(permit, from: client, by: peer, fields) { return respond(to: head, refusal) }
        switch server.judge(head, from: peer, client: client, fields) {
        case .answered(let response): respond(to: head, response)
        case .admitted(let route, let identity): admitted = (route, identity, client)
        }
    }

    /// The client for the audit log.
    var client: Peer { admitted?.client ?? peer }

    // MARK: Uploads

    /// Passes the bytes of an upload on as they arrive.
    private func receive(_ request: Request?, _ head: RequestHead, from identity: Identity) {
        do throws(Rejection) {
            let upload = try begunUpload(head, identity)
            let part = request?.body ?? parser.takeBodyPart()
            uploadedBytes += part.count
            upload.append(part)
            guard request != nil else { return }
            stage = .answering
            self.upload = nil
            upload.finish { [self] result in respond(to: head, server.files.answer(toUpload: result, by: identity)) }
        } catch {
            respond(to: head, FileResources.error(error))
        }
    }

    private func begunUpload(_ head: RequestHead, _ identity: Identity) throws(Rejection) -> FileUpload {
        if let upload { return upload }
        let upload = try server.files.upload(head, limitBytes: server.limits.fileBytes, by: identity)
        self.upload = upload
        upload.onBegin = { [weak self] in
            self?.sendContinue()
            self?.updateInterest()
        }
        upload.onRoom = { [weak self] in self?.updateInterest() }
        upload.onFailure = { [weak self] rejection in
            guard let self, case .reading = stage else { return }
            cancelUpload()
            respond(to: head, FileResources.error(rejection))
        }
        return upload
    }

    private func cancelUpload() {
        upload?.cancel()
        upload = nil
    }

    // MARK: Answering requests

    private func answer(_ request: Request, _ route: Route, for identity: Identity) {
        switch route {
        case .tinyvex: upgrade(request.head, identity, to: .tinyvex)
        case .acp: upgrade(request.head, identity, to: .acp)
        case .stdio: upgradeToShim(request.head)
        default:
            server.answer(request, route, for: identity) { [self] answered in
                respond(to: request.head, answered)
                answered.afterwards()
            }
        }
    }

    // MARK: Upgrading to another protocol

    /// Returns the bytes that arrived directly after the request.
    func takeRemainder() -> [UInt8] { parser.takeRemainder() }

    /// Returns the descriptors that arrived with the request. The caller must close them.
    func takeDescriptors() -> [Int32] {
        defer { descriptors = [] }
        return descriptors
    }

    /// Sends the response that starts another protocol, and gives up the socket. Returns nil if the socket is already
    /// closed.
    func switchProtocols(_ fields: [(name: String, value: String)]) -> ByteStream? {
        let head = ResponseHead(status: 101, headers: Headers(fields)).bytes()
        // The head is far smaller than the buffer of a new socket.
        head.withUnsafeBytes { _ = stream?.write($0) }
        watch?.cancel()
        watch = nil
        return stream.take()
    }

    // MARK: Answering

    private func respond(to head: RequestHead, _ answer: HTTPAnswer) {
        download = answer.rest
        respond(to: head, answer.response)
    }

    func respond(to head: RequestHead, _ response: Response) { write(response, to: head) }

    /// Sends a readable plain-text error to a peer that uses `http://` on a TLS port.
    private func refusePlain() {
        stream = stream.take()?.withoutTLS()
        refuse(HTTPRefusal(status: 400, reason: "This port speaks TLS: connect with wss:// or https://."))
    }

    private static let memoryIsFull = HTTPRefusal(
        status: 503, reason: "Too much waits to be received or read by clients. Try again later.")

    private func refuse(_ refusal: HTTPRefusal, _ head: RequestHead? = nil) {
        let fields = self.fields ?? server.answerFields(for: parser.refusedHead.map(server.local))
        self.fields = fields
        // Received bytes are no longer counted.
        parser.discard()
        write(fields.error(refusal.status, refusal.reason), to: head)
    }

    /// - Parameter head: Nil for a request whose head is not complete, or whose body is not.
    private func write(_ response: Response, to head: RequestHead?) {
        guard stream != nil else { return }
        let omittingBody = head.map { $0.method == "HEAD" } ?? parser.isHead
        if response.status >= 400 { server.noteRefusal() }
        let complete = fields?.completing(response) ?? response
        let bytes = complete.bytes(omittingBody: omittingBody, bodyBytes: download?.byteCount)
        if omittingBody { download = nil }
        guard permit.holds(bytes: bytes.count) else {
            download = nil
            return refuse(Self.memoryIsFull, head)
        }
        if let head {
            DiagnosticLog.daemon.record(
                .answered(
                    method: head.method, path: head.path, status: response.status, id: fields?.requestId ?? ""))
        }
        stage = .writing(OutgoingResponse(bytes))
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
        case .finished: finishedWriting(response)
        case .blocked: stage = .writing(response)
        case .failed: close()
        }
    }

    /// Continues with the next part of a stored file, if there is one.
    private func finishedWriting(_ response: OutgoingResponse) {
        guard let download, !download.isComplete else { return linger() }
        stage = .answering
        let sentBytes = response.totalSentBytes
        download.next { [weak self] part in
            // The length is already sent, so only a closed connection can report a failure.
            guard let self, stream != nil, let part, permit.holds(bytes: part.count) else { self?.close(); return }
            stage = .writing(OutgoingResponse(part, after: sentBytes))
            writeMore()
            updateInterest()
        }
    }

    /// Closes the connection if the peer does not read its response.
    private func closeUnlessRead() {
        guard case .writing(let response) = stage else { return }
        closeUnlessRead(after: response.totalSentBytes)
    }

    private func closeUnlessRead(after sentBytes: Int) {
        services.timers.schedule(after: Self.writingPatience) { [weak self] in
            guard let self else { return }
            guard case .writing(let now) = stage else {
                // Between two parts of a file.
                if case .answering = stage { closeUnlessRead(after: sentBytes) }
                return
            }
            if now.totalSentBytes == sentBytes { close() } else { closeUnlessRead(after: now.totalSentBytes) }
        }
    }

    /// Waits before closing: closing with unread bytes would reset the connection, and the peer could lose the
    /// response.
    private func linger() {
        stage = .lingering
        _ = permit.holds(bytes: 0)
        stream?.finishWriting()
        if inputHasEnded { return close() }
        services.timers.schedule(after: Self.lingeringPatience) { [weak self] in self?.close() }
    }

    func end() { close() }

    func close() {
        cancelUpload()
        download = nil
        watch?.cancel()
        watch = nil
        stream = nil
        for fd in descriptors { Glibc.close(fd) }
        descriptors = []
        server.closed(self)
    }
}
