import Hashing
import Posix
import Tinyvex

/// The files on disk, their table, and the uploads under way. Used by one thread: see ``FileThread``.
struct FileShelf {
    private let folder: FileFolder
    private let limits: FileLimits
    private var table: FileTable
    private var uploads: [String: OpenUpload] = [:]
    private var isLoaded = false

    /// An upload under way: its open file, and the hash of the bytes so far.
    private final class OpenUpload {
        let request: UploadRequest
        let descriptor: Descriptor
        var hash = SHA256()
        var byteCount = 0

        init(_ request: UploadRequest, _ descriptor: consuming Descriptor) {
            self.request = request
            self.descriptor = descriptor
        }
    }

    init(path: String, limits: FileLimits) {
        folder = FileFolder(path: path)
        self.limits = limits
        table = FileTable(limits)
    }

    // MARK: Uploads

    /// - Throws: TVX012 if there is no room.
    mutating func begin(_ id: String, _ request: UploadRequest) throws(Rejection) {
        try load()
        try table.reserve(request.byteCount, of: request.tenant)
        do throws(SystemError) {
            uploads[id] = OpenUpload(request, try folder.create(id))
        } catch {
            table.end(reservation: request.byteCount, of: request.tenant)
            throw .storing(error)
        }
    }

    /// Does nothing if the upload was cancelled or has failed.
    mutating func write(_ bytes: [UInt8], to id: String) throws(Rejection) {
        guard let upload = uploads[id] else { return }
        upload.hash.add(bytes)
        upload.byteCount += bytes.count
        do throws(SystemError) {
            try folder.write(bytes, to: upload.descriptor.raw)
        } catch {
            cancel(id)
            throw .storing(error)
        }
    }

    /// - Parameter now: Milliseconds since 1970.
    mutating func finish(_ id: String, now: Int64) throws(Rejection) -> StoredFile {
        guard let upload = uploads.removeValue(forKey: id) else {
            throw Rejection(.mutationFailed, "the upload has failed", rpcCode: .internalError)
        }
        table.end(reservation: upload.request.byteCount, of: upload.request.tenant)
        let file = StoredFile(
            id: id, contentType: upload.request.contentType, byteCount: upload.byteCount,
            sha256: Hexadecimal.text(of: upload.hash.digest()), createdTs: now, tenant: upload.request.tenant)
        do throws(SystemError) {
            try folder.commit(file, upload.descriptor.raw)
        } catch {
            folder.discard(id)
            throw .storing(error)
        }
        table.add(file)
        return file
    }

    mutating func cancel(_ id: String) {
        guard let upload = uploads.removeValue(forKey: id) else { return }
        table.end(reservation: upload.request.byteCount, of: upload.request.tenant)
        folder.discard(id)
    }

    // MARK: Files

    /// Returns nil if there is no such file, or if it belongs to another tenant.
    mutating func file(_ id: String, of tenant: String?) throws(Rejection) -> StoredFile? {
        try load()
        return table.file(id, of: tenant)
    }

    mutating func page(
        of tenant: String?, after cursor: FilePage.Cursor?, limit: Int
    ) throws(Rejection) -> FilePage {
        try load()
        return table.page(of: tenant, after: cursor, limit: limit)
    }

    mutating func open(_ id: String, of tenant: String?) throws(Rejection) -> OpenedFile? {
        guard let file = try file(id, of: tenant) else { return nil }
        do throws(SystemError) { return OpenedFile(file, try folder.open(id)) } catch { throw .reading(error) }
    }

    /// Replaces the name of a file, and its type if there is a new one. Returns nil if there is no such file.
    mutating func save(_ id: String, _ label: FileLabel, of tenant: String?) throws(Rejection) -> StoredFile? {
        guard var file = try file(id, of: tenant) else { return nil }
        file.name = label.name
        file.contentType = label.contentType ?? file.contentType
        do throws(SystemError) { try folder.replaceRecord(of: file) } catch { throw .storing(error) }
        table.add(file)
        return file
    }

    /// Returns false if there is no such file.
    mutating func delete(_ id: String, of tenant: String?) throws(Rejection) -> Bool {
        guard try file(id, of: tenant) != nil else { return false }
        do throws(SystemError) { try folder.remove(id) } catch { throw .storing(error) }
        table.remove(id)
        return true
    }

    /// Deletes files that were created before this time, at most 100 of them, so that a wrong clock or option needs
    /// hours to delete many. Returns their number.
    mutating func forget(before time: Int64) throws(Rejection) -> Int {
        try load()
        let old = table.files(before: time, limit: Self.forgottenAtOnce)
        for file in old { _ = try delete(file.id, of: nil) }
        return old.count
    }

    private static let forgottenAtOnce = 100

    /// The bytes of the files that a prompt names.
    ///
    /// - Throws: if there is no such file, or if the files together exceed the limit of one file.
    mutating func contents(_ ids: Set<String>, of tenant: String?) throws(Rejection) -> [String: FileContents] {
        var room = limits.fileBytes
        var contents: [String: FileContents] = [:]
        for id in ids {
            guard let opened = try open(id, of: tenant) else {
                throw .invalidParams("there is no stored file \(quoted(id))")
            }
            room -= opened.file.byteCount
            guard room >= 0 else {
                throw Rejection(
                    .limitExceeded, "the files of a prompt are together larger than \(limits.fileBytes) bytes",
                    rpcCode: .invalidRequest)
            }
            do throws(SystemError) {
                let bytes = try opened.read(at: 0, count: opened.file.byteCount)
                contents[id] = FileContents(contentType: opened.file.contentType, bytes: bytes)
            } catch {
                throw .reading(error)
            }
        }
        return contents
    }

    /// Reads the records at the first use. Until then the bridge does no work for files.
    private mutating func load() throws(Rejection) {
        guard !isLoaded else { return }
        do throws(SystemError) {
            for file in try folder.load() { table.add(file) }
        } catch {
            throw .reading(error)
        }
        isLoaded = true
    }
}

/// The facts of a file that a client chooses after the upload.
package struct FileLabel: Sendable, Equatable {
    /// Nil removes the name.
    package let name: String?
    /// Nil keeps the type of the upload.
    package let contentType: ContentType?

    /// The limit of names on file systems.
    package static let nameLimitBytes = 255

    /// - Throws: if the name is empty or has control characters.
    package init(name: String?, contentType: ContentType?) throws(Rejection) {
        let isName = name?.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7f } ?? true
        guard isName, name?.isEmpty != true else {
            throw .invalidParams("filename must not be empty or have control characters")
        }
        self.name = name
        self.contentType = contentType
    }
}

/// An upload before its first byte.
package struct UploadRequest: Sendable {
    package let contentType: ContentType
    /// The length that the sender declared.
    package let byteCount: Int
    package let tenant: String?

    package init(contentType: ContentType, byteCount: Int, tenant: String?) {
        self.contentType = contentType
        self.byteCount = byteCount
        self.tenant = tenant
    }
}

/// A stored file, open for reading. It can be read to its end also if it is deleted meanwhile.
package final class OpenedFile: Sendable {
    package let file: StoredFile
    private let descriptor: Descriptor

    init(_ file: StoredFile, _ descriptor: consuming Descriptor) {
        self.file = file
        self.descriptor = descriptor
    }

    func read(at offset: Int, count: Int) throws(SystemError) -> [UInt8] {
        try FileFolder.read(descriptor.raw, at: offset, count: count)
    }
}

/// The bytes of a file, with their type.
struct FileContents: Sendable {
    let contentType: ContentType
    let bytes: [UInt8]
}

extension Rejection {
    fileprivate static func storing(_ error: SystemError) -> Rejection {
        Rejection(.mutationFailed, "the file could not be stored: \(error.reason)", rpcCode: .internalError)
    }

    fileprivate static func reading(_ error: SystemError) -> Rejection {
        Rejection(.mutationFailed, "the stored file could not be read: \(error.reason)", rpcCode: .internalError)
    }
}
