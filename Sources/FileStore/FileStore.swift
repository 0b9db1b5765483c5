import Diagnostics
import EventLoop
import Glibc
import JSONScan
import Posix
import Tinyvex

/// Files that clients upload, as seen from the loop. Their disk is used on a thread of its own, which starts with the
/// first use.
///
/// A file belongs to the tenant that stored it. A nil tenant sees all files. A file that a tenant cannot see is reported
/// as nonexistent.
@LoopActor package final class FileStore {
    private let path: String
    package let limits: FileLimits
    private let services: LoopServices
    private var thread: FileThread?
    private var listener: WakeUpListener?

    /// - Parameter path: The folder of the files. It is created for the first upload.
    package init(path: String, limits: FileLimits, services: LoopServices = .main) {
        self.path = path
        self.limits = limits
        self.services = services
    }

    /// Time for the disk to end the present step.
    private static let closePatience = Duration.seconds(1)

    /// Ends the thread, or leaves it to the end of the process. Uploads under way are discarded when the next bridge uses
    /// the folder.
    package func close() {
        thread?.close(within: Self.closePatience)
        thread = nil
        listener?.cancel()
    }

    // MARK: Files

    /// `finish` is called once with the file; nil if there is none.
    package func file(
        _ id: String, of tenant: String?, then finish: @escaping @LoopActor (Result<StoredFile?, Rejection>) -> Void
    ) {
        perform { (shelf) throws(Rejection) in
            try shelf.file(id, of: tenant)
        } then: {
            finish($0)
        }
    }

    /// `finish` is called once with one page of the tenant's files, the newest first.
    ///
    /// - Parameter cursor: ``FilePage/next`` of the page before; nil for the first page.
    package func list(
        of tenant: String?, after cursor: FilePage.Cursor?, limit: Int,
        then finish: @escaping @LoopActor (Result<FilePage, Rejection>) -> Void
    ) {
        perform { (shelf) throws(Rejection) in
            try shelf.page(of: tenant, after: cursor, limit: limit)
        } then: {
            finish($0)
        }
    }

    /// `finish` is called once with the open file; nil if there is none.
    package func open(
        _ id: String, of tenant: String?, then finish: @escaping @LoopActor (Result<OpenedFile?, Rejection>) -> Void
    ) {
        perform { (shelf) throws(Rejection) in
            try shelf.open(id, of: tenant)
        } then: {
            finish($0)
        }
    }

    /// The bytes of one part of a download: 256 KiB.
    package static let partBytes = 256 << 10

    /// Reads the part of an open file at `offset`. `finish` is called once with the bytes; nil if they cannot be read.
    package func read(
        _ opened: OpenedFile, at offset: Int, then finish: @escaping @LoopActor ([UInt8]?) -> Void
    ) {
        let count = min(Self.partBytes, opened.file.byteCount - offset)
        perform { (_) throws(Rejection) -> [UInt8]? in
            let bytes = orLog("reading a stored file") { try opened.read(at: offset, count: count) }
            return bytes?.count == count ? bytes : nil
        } then: { result in
            finish(try? result.get())
        }
    }

    /// Names a file. `finish` is called once with the file; nil if there is none.
    package func save(
        _ id: String, _ label: FileLabel, of tenant: String?,
        then finish: @escaping @LoopActor (Result<StoredFile?, Rejection>) -> Void
    ) {
        perform { (shelf) throws(Rejection) in
            try shelf.save(id, label, of: tenant)
        } then: {
            finish($0)
        }
    }

    /// `finish` is called once with false if there is no such file.
    package func delete(
        _ id: String, of tenant: String?, then finish: @escaping @LoopActor (Result<Bool, Rejection>) -> Void
    ) {
        perform { (shelf) throws(Rejection) in
            try shelf.delete(id, of: tenant)
        } then: {
            finish($0)
        }
    }

    /// Deletes files that were created before this time, in milliseconds since 1970: at most 100 at each call.
    package func forget(before time: Int64) {
        // A bridge without files needs no thread for them.
        guard thread != nil || access(path, F_OK) == 0 else { return }
        perform { (shelf) throws(Rejection) in
            try shelf.forget(before: time)
        } then: { result in
            _ = orLog("deleting old files") { try result.get() }
        }
    }

    // MARK: Prompts

    /// Replaces the blocks of a prompt that name stored files by ACP's blocks with the files' bytes.
    ///
    /// - Parameter prompt: ACP's content blocks: see ``PromptFiles``.
    package func resolve(
        _ prompt: PromptFiles, of tenant: String?,
        then finish: @escaping @LoopActor (Result<[UInt8], Rejection>) -> Void
    ) {
        perform { (shelf) throws(Rejection) in
            try prompt.resolved(by: shelf.contents(prompt.ids, of: tenant))
        } then: {
            finish($0)
        }
    }

    // MARK: Uploads

    /// Begins an upload, whose bytes the caller passes on as they arrive.
    ///
    /// - Throws: if the system cannot start the upload.
    package func upload(_ request: UploadRequest) throws(Rejection) -> FileUpload {
        guard let id = StoredFile.newId() else {
            throw Rejection(.internalError, "the system cannot provide random numbers")
        }
        return FileUpload(id, request, self)
    }

    /// Milliseconds since 1970.
    var now: Int64 { services.time.dateMilliseconds }

    // MARK: The thread

    func perform<Value: Sendable>(
        _ work: @escaping @Sendable (inout FileShelf) throws(Rejection) -> Value,
        then finish: @escaping @LoopActor (Result<Value, Rejection>) -> Void
    ) {
        do throws(SystemError) {
            try startedThread().perform { shelf in
                let result: Result<Value, Rejection>
                do throws(Rejection) { result = .success(try work(&shelf)) } catch { result = .failure(error) }
                return { finish(result) }
            }
        } catch {
            finish(.failure(Rejection(.mutationFailed, "files cannot be used: \(error)", rpcCode: .internalError)))
        }
    }

    private func startedThread() throws(SystemError) -> FileThread {
        if let thread { return thread }
        let thread = try FileThread(name: "files") { [path, limits] in FileShelf(path: path, limits: limits) }
        listener = try thread.listen(on: services.poller)
        self.thread = thread
        return thread
    }
}
