import EventLoop
import SQLite
import SessionSearch

/// The file of the search index, used on a thread of its own. The first use opens it.
@LoopActor struct IndexFile {
    private let path: String
    private let thread: SearchThread
    /// The log of the index. Nil until a session is known: without any session, the index does not exist.
    private(set) var logId: UInt32?

    init(path: String, thread: SearchThread) { (self.path, self.thread) = (path, thread) }

    mutating func setLog(_ id: UInt32) { logId = id }

    /// Runs `body` on the index's thread, and `action` with the result. Returns false if there is no index; then nothing is
    /// called. After a failure, the next use opens the index again.
    func use<Result: Sendable>(
        _ body: @escaping @Sendable (SearchIndex) throws(SQLiteError) -> Result,
        then action: @escaping @LoopActor (Swift.Result<Result, SearchFailure>) -> Void
    ) -> Bool {
        guard let logId else { return false }
        let path = path
        thread.perform { index in
            Self.use(&index, path: path, logId: logId, body)
        } then: {
            action($0)
        }
        return true
    }

    private nonisolated static func use<Result>(
        _ index: inout SearchIndex?, path: String, logId: UInt32,
        _ body: (SearchIndex) throws(SQLiteError) -> Result
    ) -> Swift.Result<Result, SearchFailure> {
        do throws(SearchFailure) {
            let open = if let index { index } else { try SearchIndex(path: path, logId: logId) }
            index = open
            do throws(SQLiteError) {
                return .success(try body(open))
            } catch {
                throw .engine(error)
            }
        } catch {
            // The next use opens the file again, which replaces a damaged one.
            index = nil
            if error.isDamage { SearchIndex.remove(path) }
            return .failure(error)
        }
    }
}
