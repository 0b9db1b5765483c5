import Access
import EventLoop
import FileStore
import JSONScan
import LiveQueries
import Posix
import Tinyvex

/// The functions of stored files, and the URLs to which files can be sent.
@LoopActor package final class FileFunctions {
    private let store: FileStore
    private let authenticator: Authenticator
    private let audit: AuditLog
    private let services: LoopServices
    /// The rights to one upload each. An entry has about 200 bytes.
    private var uploads = OneTimeSecrets<Identity>(limit: 4096)
    /// Called after a file was stored or deleted.
    var changed: @LoopActor () -> Void = {}
    /// The URL of the bridge's first TCP listener, for upload URLs: `http://127.0.0.1:7717`.
    package var baseURL = "http://localhost"

    /// The time in which an upload must begin: enough for a person to confirm it in an app.
    private static let uploadURLLife = Duration.seconds(300)
    private static let baseURLLimitBytes = 2048

    package init(store: FileStore, authenticator: Authenticator, audit: AuditLog, services: LoopServices) {
        self.store = store
        self.authenticator = authenticator
        self.audit = audit
        self.services = services
    }

    // MARK: Functions

    /// `files:generateUploadUrl`: the URL, as a string.
    func generateUploadURL(_ arguments: Parameters, by identity: Identity) throws(Rejection) -> [UInt8] {
        let base = try arguments.optionalString("baseUrl", limitBytes: Self.baseURLLimitBytes) ?? baseURL
        guard base.hasPrefix("http://") || base.hasPrefix("https://"),
            base.utf8.allSatisfy({ (0x21...0x7e).contains($0) }), !base.contains("?"), !base.contains("#")
        else { throw .invalidParams("baseUrl must be an http or https URL without a query") }
        guard let secret = RandomText.hexadecimal(byteCount: 16) else {
            throw Rejection(.internalError, "the system cannot provide random numbers")
        }
        let now = services.time.now
        guard uploads.add(secret, identity, until: now + Self.uploadURLLife, at: now) else {
            throw Rejection(.limitExceeded, "too many upload URLs wait to be used; try again in a few minutes")
        }
        audit.record(.called(function: MutationName.filesGenerateUploadUrl.rawValue, nil), by: identity)
        return JSONWriter.scalar((base.hasSuffix("/") ? String(base.dropLast()) : base) + "/v1/files?upload=" + secret)
    }

    /// Returns the identity that requested an upload URL, and forgets the URL. Returns nil if the URL is unknown, was
    /// used or is too old, or if its requester's token was revoked or has expired in the meantime.
    package func identity(showingUpload secret: String) -> Identity? {
        uploads.spend(secret, at: services.time.now)
            .flatMap { authenticator.isGood($0, at: services.time.dateMilliseconds) ? $0 : nil }
    }

    /// `files:get`: the file's facts, or null.
    func get(_ params: Parameters, tenant: String?, then finish: @escaping @LoopActor (QueryOutcome) -> Void) {
        let id: String
        do throws(Rejection) { id = try params.string("storageId") } catch { return finish(.failure(error)) }
        store.file(id, of: tenant) { finish($0.map { $0?.json ?? Array("null".utf8) }) }
    }

    /// `files:list`: one page of the files that the tenant can see, the newest first.
    func list(_ params: Parameters, tenant: String?, then finish: @escaping @LoopActor (QueryOutcome) -> Void) {
        let (limit, cursor): (Int, FilePage.Cursor?)
        do throws(Rejection) {
            limit = Int(try params.optionalInteger("limit", in: 1...FilePage.limit) ?? FilePage.standardLimit)
            cursor = try params.optionalCursor().map { (text) throws(Rejection) in
                guard let cursor = FilePage.Cursor(text) else { throw .unknownCursor }
                return cursor
            }
        } catch {
            return finish(.failure(error))
        }
        store.list(of: tenant, after: cursor, limit: limit) { finish($0.map(\.json)) }
    }

    /// `files:saveFile`: gives a stored file a name and a type. The value is the `storageId`, as a string.
    func save(
        _ arguments: Parameters, by identity: Identity, then finish: @escaping @LoopActor (QueryOutcome) -> Void
    ) {
        let (id, label): (String, FileLabel)
        do throws(Rejection) {
            id = try arguments.string("storageId")
            label = try Self.label(arguments)
        } catch {
            return finish(.failure(error))
        }
        store.save(id, label, of: identity.tenant) { [self] result in
            guard case .success(let file) = result else { return finish(result.map { _ in [] }) }
            guard file != nil else {
                return finish(.failure(.invalidParams("there is no stored file \(quoted(id))")))
            }
            changed()
            finish(.success(JSONWriter.scalar(id)))
        }
    }

    private static func label(_ arguments: Parameters) throws(Rejection) -> FileLabel {
        let name = try arguments.optionalString("filename", limitBytes: FileLabel.nameLimitBytes)
        let type = try arguments.optionalString("mimeType").map { (text) throws(Rejection) in
            guard let type = ContentType(text) else { throw .invalidParams("mimeType is not a media type") }
            return type
        }
        return try FileLabel(name: name, contentType: type)
    }

    /// `files:delete`
    func delete(
        _ arguments: Parameters, by identity: Identity, then finish: @escaping @LoopActor (QueryOutcome) -> Void
    ) {
        let id: String
        do throws(Rejection) { id = try arguments.string("storageId") } catch { return finish(.failure(error)) }
        delete(id, by: identity) { result in
            finish(result.map { wasDeleted in JSONWriter.object { $0.member("deleted", wasDeleted) } })
        }
    }

    // MARK: Files

    /// Deletes a file. The caller must check the role. `finish` is called with false if there is no such file.
    package func delete(
        _ id: String, by identity: Identity, then finish: @escaping @LoopActor (Result<Bool, Rejection>) -> Void
    ) {
        store.delete(id, of: identity.tenant) { [self] result in
            if case .success(true) = result {
                audit.record(.fileDeleted(id: id), by: identity)
                changed()
            }
            finish(result)
        }
    }

    /// Opens a file for reading. The caller must check the role. `finish` is called with nil if there is no such file.
    package func open(
        _ id: String, for identity: Identity,
        then finish: @escaping @LoopActor (Result<OpenedFile?, Rejection>) -> Void
    ) {
        store.open(id, of: identity.tenant, then: finish)
    }

    /// Reads a part of an open file: see ``FileStore/read(_:at:then:)``.
    package func read(
        _ opened: OpenedFile, at offset: Int, then finish: @escaping @LoopActor ([UInt8]?) -> Void
    ) {
        store.read(opened, at: offset, then: finish)
    }

    /// Begins an upload. The caller must check the role.
    ///
    /// - Parameter type: The sender's `Content-Type`, or nil.
    package func upload(
        type: String?, byteCount: Int, by identity: Identity
    ) throws(Rejection) -> FileUpload {
        guard let type = type.map({ ContentType($0) }) ?? .unknown else {
            throw .invalidParams("the Content-Type is not a media type")
        }
        return try store.upload(UploadRequest(contentType: type, byteCount: byteCount, tenant: identity.tenant))
    }

    /// Call after an upload was stored.
    package func noteStored(_ file: StoredFile, by identity: Identity) {
        audit.record(.fileStored(id: file.id, byteCount: file.byteCount), by: identity)
        changed()
    }

    /// Deletes files according to the policy of retention: see ``FileStore/forget(before:)``.
    package func forget(before time: Int64) { store.forget(before: time) }

    /// Ends the thread of the files.
    package func close() { store.close() }

    // MARK: Prompts

    /// Replaces the names of stored files in a prompt by the files' contents.
    ///
    /// A token for one session cannot name files, because it cannot see any.
    func resolve(
        _ prompt: PromptFiles, for identity: Identity,
        then finish: @escaping @LoopActor (Result<[UInt8], Rejection>) -> Void
    ) {
        guard identity.session == nil else { return finish(.failure(SharedSession.refusal)) }
        store.resolve(prompt, of: identity.tenant, then: finish)
    }
}
