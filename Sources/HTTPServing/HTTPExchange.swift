import Access
import Diagnostics
import EventLoop
import FileStore
import HTTP1
import Tinyvex

/// One request on a connection, and its response: the checks of its head, the upload that is its body, and its answer.
@LoopActor final class HTTPExchange {
    /// Released when the connection closes or begins its next exchange.
    private let connection: IncomingConnection
    private var fields: AnswerFields?
    /// `client` is the peer, or its client if the peer is a trusted proxy that has named one.
    private var admitted: (route: IdentifiedRoute, identity: Identity, client: Peer)?
    private var upload: FileUpload?
    /// The number of bytes of the upload that have arrived.
    private(set) var uploadedBytes = 0
    /// The rest of the response's body, if it is a stored file.
    private(set) var download: FileDownload?
    private var isAnswered = false

    init(on connection: IncomingConnection) { self.connection = connection }

    var server: HTTPServer { connection.server }

    var peer: Peer { connection.peer }

    var permit: ConnectionPermit { connection.permit }

    /// The client for the audit log.
    var client: Peer { admitted?.client ?? peer }

    /// The upload has enough bytes in memory, and none are read until the disk has taken them.
    var waitsForDisk: Bool { upload?.isFull == true }

    /// Checks the head as soon as it is complete. The bridge waits for a body only if the peer has the right to send
    /// one.
    ///
    /// - Parameter request: Nil while its body is incomplete.
    func handle(_ head: RequestHead, _ request: Request?) {
        if fields == nil { judge(head) }
        guard !isAnswered, let admitted else { return }
        switch admitted.route {
        case .upload: receive(request, head, from: admitted.identity)
        case .upgrade(let route): answer(request) { upgrade($0.head, admitted.identity, to: route) }
        case .request(let route): answer(request) { answer($0, route, for: admitted.identity) }
        }
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

    /// Releases what the exchange holds, after its response or when its connection closes.
    func end() {
        isAnswered = true
        cancelUpload()
        download = nil
    }

    // MARK: Uploads

    /// Passes the bytes of an upload on as they arrive.
    private func receive(_ request: Request?, _ head: RequestHead, from identity: Identity) {
        do throws(Rejection) {
            let upload = try begunUpload(head, identity)
            let part = request?.body ?? connection.takeBodyPart()
            uploadedBytes += part.count
            upload.append(part)
            guard request != nil else { return }
            connection.beginAnswering()
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
            self?.connection.sendContinue()
            self?.connection.continueReading()
        }
        upload.onRoom = { [weak self] in self?.connection.continueReading() }
        upload.onFailure = { [weak self] rejection in
            guard let self, self.upload != nil else { return }
            cancelUpload()
            respond(to: head, FileResources.error(rejection))
        }
        return upload
    }

    private func cancelUpload() {
        upload?.cancel()
        upload = nil
    }

    // MARK: Answering

    /// Begins the answer, or lets the client send the body.
    private func answer(_ request: Request?, with answer: (Request) -> Void) {
        guard let request else { return connection.sendContinue() }
        connection.beginAnswering()
        answer(request)
    }

    private func upgrade(_ head: RequestHead, _ identity: Identity, to route: UpgradeRoute) {
        // The next bridge gets the client when it connects again.
        if server.isClosed { return close() }
        switch route {
        case .tinyvex: upgrade(head, identity, speaking: .tinyvex)
        case .acp: upgrade(head, identity, speaking: .acp)
        case .stdio: upgradeToShim(head)
        }
    }

    private func answer(_ request: Request, _ route: RequestRoute, for identity: Identity) {
        server.answer(request, route, for: identity) { [self] answered in
            respond(to: request.head, answered)
            answered.afterwards()
        }
    }

    private func respond(to head: RequestHead, _ answer: HTTPAnswer) {
        guard !isAnswered else { return }
        download = answer.rest
        respond(to: head, answer.response)
    }

    func respond(to head: RequestHead, _ response: Response) {
        guard !isAnswered else { return }
        isAnswered = true
        connection.send(fields?.completing(response) ?? response, to: head, of: self)
    }

    func dropDownload() { download = nil }

    /// Notes in the bridge's log that this response is sent.
    func record(_ status: Int, to head: RequestHead) {
        DiagnosticLog.daemon.record(
            .answered(method: head.method, path: head.path, status: status, id: fields?.requestId ?? ""))
    }

    /// Ends the exchange with an error, which replaces any other response. Returns the response.
    ///
    /// - Parameter head: The head that was refused, if it could be read.
    func refused(_ refusal: HTTPRefusal, _ head: RequestHead?) -> Response {
        let fields = self.fields ?? server.answerFields(for: head)
        self.fields = fields
        end()
        return fields.completing(fields.error(refusal.status, refusal.reason))
    }

    // MARK: Switching to another protocol

    /// See ``IncomingConnection/takeRemainder()``.
    func takeRemainder() -> [UInt8] { connection.takeRemainder() }

    /// See ``IncomingConnection/takeDescriptors()``.
    func takeDescriptors() -> [Int32] { connection.takeDescriptors() }

    /// See ``IncomingConnection/switchProtocols(_:)``.
    func switchProtocols(_ fields: [(name: String, value: String)]) -> ByteStream? {
        connection.switchProtocols(fields)
    }

    func close() { connection.close() }
}
