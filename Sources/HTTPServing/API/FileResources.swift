import Access
import EventLoop
import FileStore
import Functions
import HTTP1
import JSONScan
import Tinyvex

/// The requests for stored files: uploads, downloads, deletion.
@LoopActor struct FileResources {
    let files: FileFunctions
    /// The TCP listeners use TLS.
    let usesTLS: Bool
    /// The URL at the proxy in front of the bridge, with which upload URLs begin; nil if it is not known.
    var publicURL: String?

    // MARK: Uploads

    /// The identity of a request with an upload URL; nil if the request has none.
    ///
    /// - Throws: TVX006 if the URL is not valid.
    func identity(uploading head: RequestHead) throws(Rejection) -> Identity? {
        let secrets = (head.queryMembers ?? []).filter { $0.name == "upload" }
        guard let secret = secrets.first else { return nil }
        guard secrets.count == 1, let identity = files.identity(showingUpload: secret.value) else {
            throw Rejection(
                .unauthorized, "the upload URL was used or is too old: get another one from files:generateUploadUrl")
        }
        return identity
    }

    /// Begins an upload, whose body the caller passes on.
    ///
    /// - Parameter limitBytes: The size of the largest file. A body in chunks reserves as much.
    func upload(_ head: RequestHead, limitBytes: Int, by identity: Identity) throws(Rejection) -> FileUpload {
        try identity.require(.control)
        let declared = head.headers.first("Content-Length").flatMap { Int($0) }
        guard let length = head.isChunked ? limitBytes : declared else {
            throw .invalidParams("Content-Length is not a number")
        }
        return try files.upload(type: head.headers.first("Content-Type"), byteCount: length, by: identity)
    }

    /// `{"storageId":"5f…"}`
    func answer(toUpload result: Result<StoredFile, Rejection>, by identity: Identity) -> HTTPAnswer {
        switch result {
        case .success(let file):
            files.noteStored(file, by: identity)
            return HTTPAnswer(response: .json(JSONWriter.object { $0.member("storageId", file.id) }))
        case .failure(let rejection): return Self.error(rejection)
        }
    }

    static func error(_ rejection: Rejection) -> HTTPAnswer {
        HTTPAnswer(response: .error(rejection.httpStatus, rejection.message))
    }

    /// The arguments of a function. The upload URLs of a client over HTTP begin with the address that it uses itself,
    /// unless it names another one.
    func arguments(of call: CallRequest, _ head: RequestHead) throws(Rejection) -> Parameters {
        guard call.name == MutationName.filesGenerateUploadUrl.rawValue, call.arguments.value("baseUrl") == nil,
            publicURL == nil, let host = head.headers.first("Host"), !host.isEmpty
        else { return call.arguments }
        let text = JSONWriter.object { writer in
            for (name, value) in call.arguments.members where name != "baseUrl" {
                writer.member(name, raw: value.rawText)
            }
            writer.member("baseUrl", (usesTLS ? "https://" : "http://") + host)
        }
        return Parameters(try JSONBody.object(text))
    }

    // MARK: Stored files

    func answer(
        _ head: RequestHead, _ id: String, for identity: Identity, then finish: @escaping HTTPCompletionHandler
    ) {
        do throws(Rejection) {
            try identity.require(head.method == "DELETE" ? .control : .observe)
        } catch {
            return finish(Self.error(error))
        }
        if head.method == "DELETE" { return delete(id, identity, finish) }
        files.open(id, for: identity) { result in
            switch result {
            case .failure(let rejection): finish(Self.error(rejection))
            case .success(nil): finish(Self.missing)
            case .success(let opened?): send(opened, head, finish)
            }
        }
    }

    private func delete(_ id: String, _ identity: Identity, _ finish: @escaping HTTPCompletionHandler) {
        files.delete(id, by: identity) { result in
            switch result {
            case .failure(let rejection): finish(Self.error(rejection))
            case .success(false): finish(Self.missing)
            case .success(true):
                finish(HTTPAnswer(response: .json(JSONWriter.object { $0.member("success", true) })))
            }
        }
    }

    private static let missing = HTTPAnswer(response: .error(404, "There is no such file."))

    private func send(_ opened: OpenedFile, _ head: RequestHead, _ finish: @escaping HTTPCompletionHandler) {
        let headers = FileHeaders.fields(of: opened.file)
        guard !head.hasRepresentation(opened.file.entityTag) else {
            return finish(HTTPAnswer(response: Response(status: 304, headers: headers)))
        }
        let download = FileDownload(opened, files)
        guard head.method != "HEAD" else {
            return finish(HTTPAnswer(response: Response(status: 200, headers: headers), rest: download))
        }
        download.next { part in
            guard let part else { return finish(HTTPAnswer(response: .error(500, "The file cannot be read."))) }
            finish(HTTPAnswer(response: Response(status: 200, headers: headers, body: part), rest: download))
        }
    }
}

/// The header fields of a stored file. Pure.
enum FileHeaders {
    /// A browser shows only types that cannot run scripts; it downloads all others. `nosniff` and the
    /// `Content-Security-Policy` are on every answer: see ``AnswerFields``.
    static func fields(of file: StoredFile) -> Headers {
        Headers([
            ("Content-Type", file.contentType.text),
            ("Content-Disposition", file.contentType.isSafeInline ? "inline" : "attachment"),
            ("ETag", file.entityTag),
            // The bytes never change, but the right to read them can end.
            ("Cache-Control", "private, no-cache"),
        ])
    }
}

/// The parts of a stored file that is sent, one after the other.
@LoopActor final class FileDownload {
    private let opened: OpenedFile
    private let files: FileFunctions
    private var offset = 0

    init(_ opened: OpenedFile, _ files: FileFunctions) {
        self.opened = opened
        self.files = files
    }

    /// The length of the whole file.
    var byteCount: Int { opened.file.byteCount }

    /// True after the last part.
    var isComplete: Bool { offset == byteCount }

    /// Reads the next part. `finish` is called once with its bytes; nil if they cannot be read.
    func next(then finish: @escaping @LoopActor ([UInt8]?) -> Void) {
        files.read(opened, at: offset) { [self] part in
            offset += part?.count ?? 0
            finish(part)
        }
    }
}
