import EventLoop
import Glibc
import HTTP1
import WebSocket

/// A connection that has not yet said what it wants: one HTTP request, then an answer or an upgrade.
@LoopActor final class IncomingConnection: PollHandler {
    private var stream: ByteStream?
    private let peer: Peer
    private let bridge: Bridge
    private var parser = RequestParser(bodyLimitBytes: 0)
    private var descriptors: [Int32] = []
    private var watch: Watch?
    private var isAnswered = false

    init(_ stream: consuming ByteStream, peer: Peer, bridge: Bridge) {
        self.peer = peer
        self.bridge = bridge
        self.stream = consume stream
    }

    func start() {
        guard let fd = stream?.fd, let watch = try? EventLoop.main.watch(fd, .readable, self) else { return close() }
        self.watch = watch
        EventLoop.main.schedule(after: bridge.configuration.limits.admission) { [weak self] in
            guard let self, !self.isAnswered else { return }
            self.refuse(HTTPRefusal(status: 408, reason: "No request came in time."))
        }
    }

    func pollReady(_ watch: Watch, _ readiness: Readiness) {
        if readiness.contains(.writable) { _ = stream?.flush() }
        readMore()
        waitForMore()
    }

    private func readMore() {
        let chunk = EventLoop.main.readChunk
        switch read(into: chunk) {
        case .bytes(let count):
            guard !isAnswered else { return }
            parser.append(UnsafeRawBufferPointer(rebasing: chunk[..<count]))
            parse()
        case .wouldBlock: break
        case .failed where stream?.peerIsPlain == true: refusePlain()
        case .endOfStream, .failed: close()
        }
    }

    private func waitForMore() {
        watch?.wait(for: stream?.holdsBytes == true ? [.readable, .writable] : .readable)
    }

    /// A front's streams come as descriptors beside the bytes, on a Unix socket only.
    private func read(into chunk: UnsafeMutableRawBufferPointer) -> ReadOutcome {
        guard let fd = stream?.fd else { return .endOfStream }
        guard case .local = peer else { return stream?.read(into: chunk) ?? .endOfStream }
        return DescriptorPassing.receive(into: chunk, on: fd, appendingTo: &descriptors)
    }

    private func parse() {
        do throws(HTTPRefusal) {
            guard let request = try parser.next() else { return }
            route(request.head)
        } catch {
            refuse(error)
        }
    }

    // MARK: Routes

    private func route(_ head: RequestHead) {
        if head.path == "/healthz" { return respond(to: head, health(head)) }
        switch bridge.judge(head, from: peer) {
        case .refused(let status, let reason):
            var headers = Headers()
            if status == 401 { headers.append("WWW-Authenticate", "Bearer") }
            respond(to: head, Response(status: status, headers: headers, body: Array((reason + "\n").utf8)))
        case .admitted(let identity):
            switch head.path {
            case "/tinyvex": upgrade(head, identity, to: .tinyvex)
            case "/acp": upgrade(head, identity, to: .acp)
            case "/stdio": upgradeToFront(head)
            default: respond(to: head, .text("Not found: this bridge serves /tinyvex, /acp and /healthz.", status: 404))
            }
        }
    }

    private func health(_ head: RequestHead) -> Response {
        guard head.method == "GET" || head.method == "HEAD" else {
            return Response(status: 405, headers: Headers([("Allow", "GET, HEAD")]))
        }
        return Response(
            status: 200, headers: Headers([("Content-Type", "application/json"), ("Cache-Control", "no-store")]),
            body: Array("{\"status\":\"ok\"}\n".utf8))
    }

    private func upgrade(_ head: RequestHead, _ identity: Identity, to wire: TinyvexConnection.Wire) {
        let headers = head.headers
        let judged = Handshake.accept(method: head.method, httpMinorVersion: head.minorVersion) { headers.all($0) }
        switch judged {
        case .failure(let refusal):
            let fields = Headers(refusal.fields)
            respond(
                to: head, Response(status: refusal.status, headers: fields, body: Array((refusal.reason + "\n").utf8)))
        case .success(let acceptance):
            let id = RandomText.uuid() ?? ""
            var fields = acceptance.fields(subprotocol: "tinyvex.v1")
            if wire == .acp { fields.append(("Acp-Connection-Id", id)) }
            switchProtocols(fields)
            let remainder = parser.takeRemainder()
            guard let stream = takeStream() else { return }
            bridge.addConnection(
                stream, remainder: remainder, id: id, identity: identity, wire: wire,
                address: GuestAddress(query: head.query))
            close()
        }
    }

    private func upgradeToFront(_ head: RequestHead) {
        guard peer == .local(user: bridge.admission.user) else {
            return respond(to: head, .text("Fronts connect over the Unix socket.", status: 403))
        }
        guard head.method == "GET", head.headers.contains(token: FrontHandshake.upgradeToken, in: "Upgrade") else {
            return respond(
                to: head, Response(status: 426, headers: Headers([("Upgrade", FrontHandshake.upgradeToken)])))
        }
        switchProtocols([("Upgrade", FrontHandshake.upgradeToken), ("Connection", "Upgrade")])
        let remainder = parser.takeRemainder()
        let passed = descriptors
        descriptors = []
        guard let stream = takeStream() else { return }
        bridge.addFront(stream, descriptors: passed, remainder: remainder)
        close()
    }

    // MARK: Answers

    private func switchProtocols(_ fields: [(name: String, value: String)]) {
        write(ResponseHead(status: 101, headers: Headers(fields)).bytes())
    }

    private func respond(to head: RequestHead, _ response: Response) {
        write(response.bytes(omittingBody: head.method == "HEAD"))
        linger()
    }

    /// Whoever asks for `http://` where TLS is spoken is told so in words they can read.
    private func refusePlain() {
        stream = stream.take()?.withoutTLS()
        refuse(HTTPRefusal(status: 400, reason: "This port speaks TLS: connect with wss:// or https://."))
    }

    private func refuse(_ refusal: HTTPRefusal) {
        write(refusal.response.bytes())
        linger()
    }

    /// An answer is far smaller than a fresh socket's buffer: what it does not take is not worth waiting for.
    private func write(_ bytes: [UInt8]) {
        isAnswered = true
        bytes.withUnsafeBytes { _ = stream?.write($0) }
    }

    /// Closing with bytes unread would reset the connection and could take the answer with it.
    private func linger() {
        stream?.finishWriting()
        waitForMore()
        EventLoop.main.schedule(after: .seconds(1)) { [weak self] in self?.close() }
    }

    private func takeStream() -> ByteStream? {
        watch?.cancel()
        watch = nil
        return stream.take()
    }

    func end() { close() }

    private func close() {
        watch?.cancel()
        watch = nil
        stream = nil
        for fd in descriptors { Glibc.close(fd) }
        descriptors = []
        bridge.incomingClosed(self)
    }
}
