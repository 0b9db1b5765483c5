import Tinyvex

/// The files of a bridge: who can see them, and whether another one fits. Pure.
///
/// An upload reserves its whole length when it begins, so that uploads at the same time cannot exceed a limit together.
struct FileTable {
    private struct Use {
        var byteCount = 0
        var count = 0
    }

    private let limits: FileLimits
    private var files: [String: StoredFile] = [:]
    private var uses: [String?: Use] = [:]
    private var uploadCount = 0

    init(_ limits: FileLimits) { self.limits = limits }

    var count: Int { files.count }

    /// Returns the file if it belongs to the tenant. A nil tenant sees all files.
    func file(_ id: String, of tenant: String?) -> StoredFile? {
        files[id].flatMap { tenant == nil || tenant == $0.tenant ? $0 : nil }
    }

    /// Reserves room for an upload. ``end(reservation:of:)`` must follow.
    ///
    /// - Throws: TVX012.
    mutating func reserve(_ byteCount: Int, of tenant: String?) throws(Rejection) {
        let use = uses[tenant] ?? Use()
        guard byteCount <= limits.fileBytes else { throw Self.exceeded("the file exceeds the limit of one file") }
        guard uploadCount < limits.uploads else {
            throw Self.exceeded("too many uploads are under way; try again later")
        }
        guard use.count < limits.count, use.byteCount <= limits.totalBytes - byteCount else {
            throw Self.exceeded(
                "the stored files have reached their limit; delete some with files:delete, or send Content-Length with a smaller file"
            )
        }
        uploadCount += 1
        change(tenant, by: byteCount, 1)
    }

    /// Ends an upload, whether or not its file is added then.
    mutating func end(reservation byteCount: Int, of tenant: String?) {
        uploadCount -= 1
        change(tenant, by: -byteCount, -1)
    }

    /// Adds a file that is on disk. Files that exist are never refused, also after a limit was lowered.
    mutating func add(_ file: StoredFile) {
        remove(file.id)
        files[file.id] = file
        change(file.tenant, by: file.byteCount, 1)
    }

    mutating func remove(_ id: String) {
        guard let file = files.removeValue(forKey: id) else { return }
        change(file.tenant, by: -file.byteCount, -1)
    }

    /// The files that were created before this time, the oldest first, at most `limit` of them.
    ///
    /// - Parameter time: Milliseconds since 1970.
    func files(before time: Int64, limit: Int) -> [StoredFile] {
        Array(files.values.filter { $0.createdTs < time }.sorted { $0.createdTs < $1.createdTs }.prefix(limit))
    }

    /// The page of the files that a tenant can see, the newest first.
    ///
    /// - Parameter cursor: The position after which the page begins; nil for the first page.
    func page(of tenant: String?, after cursor: FilePage.Cursor?, limit: Int) -> FilePage {
        let visible = files.values.filter { tenant == nil || tenant == $0.tenant }
            .map { (file: $0, position: FilePage.Cursor($0)) }
            .filter { file in cursor.map { file.position < $0 } ?? true }
            .sorted { $1.position < $0.position }
        let page = visible.prefix(limit)
        return FilePage(files: page.map(\.file), next: page.count < visible.count ? page.last?.position : nil)
    }

    private mutating func change(_ tenant: String?, by byteCount: Int, _ count: Int) {
        var use = uses[tenant] ?? Use()
        use.byteCount += byteCount
        use.count += count
        uses[tenant] = use.count > 0 ? use : nil
    }

    private static func exceeded(_ message: String) -> Rejection {
        Rejection(.limitExceeded, message, rpcCode: .invalidRequest)
    }
}
