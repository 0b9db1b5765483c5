import CSQLite
import Glibc
import SQLite

/// The reason why the log refused a request or failed. The description is for the person who can act on it. It never
/// contains text from a session.
package enum LogError: Error, Equatable, Sendable {
    /// Another process, or another `SessionLog`, has the file open.
    case locked(lockPath: String)
    /// Another user owns the file and could have written anything in it.
    case foreignFile(path: String, owner: uid_t)
    /// A later version of this program wrote the file.
    case newerSchema(path: String, found: Int64, supported: Int64)
    /// The file is an SQLite database, but not a session log.
    case notASessionLog(path: String)
    /// The file system cannot hold a write-ahead log: <https://sqlite.org/wal.html>.
    case walUnavailable(path: String)
    /// The append expected another head, so nothing was stored. After an unknown outcome, `head` shows whether the
    /// earlier append was stored.
    case gap(head: Int64)
    /// A later claim owns the session, so this writer must stop. `epoch` is the current epoch, or 0 if the session has
    /// never been claimed.
    case fenced(epoch: Int64)
    /// No session has this number.
    case unknownSession(sid: Int64)
    /// An agent serves the session, so it cannot be deleted.
    case sessionIsLive(sid: Int64)
    /// The number of lines in a run differs from the stated count, or the run does not end with a line feed.
    case miscountedRun(said: Int, found: Int)
    /// The disk is full. The log continues by itself when there is room.
    case full(SQLiteError)
    /// SQLite failed in another way.
    case engine(SQLiteError)
    /// A system call failed.
    case system(operation: String, path: String, errno: Int32)
    /// The file was deleted, moved or replaced while the log was open, and cannot be restored yet.
    case filesLost(path: String, reason: String)
    /// The request came after `close()`.
    case closed
    /// The session is in another bridge's log, and the hub cannot be read.
    case hubFailed(reason: String)
    /// The session is in the log of a peer that cannot be reached.
    case peerFailed(bridge: String, reason: String)
    /// The session is in another bridge's log, so this bridge cannot change it.
    case atOtherBridge
    /// The page of a list with sessions of other bridges begins after ``ReadLimit/mergedOffset`` records.
    case offsetTooLarge
}

extension LogError {
    package init(_ error: SQLiteError) { self = error.isFull ? .full(error) : .engine(error) }

    /// The log's file is damaged.
    package static let damaged = LogError(.corrupt)

    /// Returns the result of `body`. Throws SQLite's errors as the log's.
    package static func wrapping<Result: ~Copyable>(
        _ body: () throws(SQLiteError) -> Result
    ) throws(LogError) -> Result {
        do throws(SQLiteError) {
            return try body()
        } catch {
            throw LogError(error)
        }
    }

    /// True if the requested data lies in a damaged part of the file. Other sessions can be intact.
    package var isDamage: Bool {
        guard case .engine(let error) = self else { return false }
        return error.isDamage
    }

    /// True if the log can answer the same request later: it has no room or memory, its files are being restored, or it is
    /// closed. A damaged part stays unreadable.
    package var isTemporary: Bool {
        switch self {
        case .full, .filesLost, .closed: true
        case .engine(let error): error == .outOfMemory
        default: false
        }
    }

    /// Returns the error for the system call that has just failed.
    package static func lastSystemError(_ operation: String, _ path: String) -> LogError {
        .system(operation: operation, path: path, errno: errno)
    }
}

extension SQLiteError {
    /// The failure with the action that a person can take.
    fileprivate var advised: String { "\(advice) (SQLite code \(code), see https://sqlite.org/rescode.html)" }

    private var advice: String {
        switch primaryCode {
        case SQLITE_FULL:
            "The disk that holds the session log is full. Free some space; the log then continues by itself."
        // The file of shared memory could not grow: `SQLITE_IOERR_SHMSIZE`. SQLite does not report the cause.
        case SQLITE_IOERR where code == SQLITE_IOERR | 19 << 8:
            "The disk that holds the session log is full or failed. Free some space, or see the system's log for its errors."
        case SQLITE_IOERR: "The disk that holds the session log failed. See the system's log for its errors."
        case SQLITE_READONLY:
            "The session log cannot be written. Check its owner and mode, and how the disk is mounted."
        case SQLITE_CANTOPEN, SQLITE_PERM: "The session log cannot be opened. Check the owner and mode of its folder."
        case SQLITE_CORRUPT, SQLITE_NOTADB:
            "The session log is damaged. Move it aside; `sqlite3 FILE .recover` saves what it can."
        case SQLITE_BUSY, SQLITE_LOCKED: "Another program keeps the session log locked. Close that program."
        case SQLITE_NOMEM: "There is not enough memory for the session log."
        case SQLITE_TOOBIG: "A run of lines is larger than SQLite can store (1 GB)."
        default: "The session log failed: \(text)."
        }
    }
}

extension LogError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .locked(let lockPath):
            "Another process has this session log open: it holds the lock on \(lockPath). End it, or choose another file."
        case .foreignFile(let path, let owner):
            "\(path) belongs to another user (uid \(owner)). Move it away, or choose another folder."
        case .newerSchema(let path, let found, let supported):
            "\(path) has schema version \(found), but this program supports versions up to \(supported). Install the newer version again, or move the file and \(path)-lines away to begin a new log."
        case .notASessionLog(let path): "\(path) is an SQLite database, but not a session log. Choose another file."
        case .walUnavailable(let path):
            "The file system of \(path) cannot hold SQLite's WAL. Choose a folder on a local disk."
        case .gap(let head): "The session's last update is number \(head), and the append expected another."
        case .fenced(let epoch): "The session belongs to a later claim (epoch \(epoch))."
        case .unknownSession(let sid): "The log has no session \(sid)."
        case .sessionIsLive(let sid): "An agent serves session \(sid), so it cannot be deleted."
        case .miscountedRun(let said, let found): "A run was declared with \(said) lines, but has \(found)."
        case .full(let error), .engine(let error): error.advised
        case .system(let operation, let path, let errno): "\(operation) \(path): \(String(cString: strerror(errno)))."
        case .filesLost(let path, let reason):
            "\(path) was deleted, moved or replaced while it was open, and cannot be restored: \(reason)"
        case .closed: "The session log is closed."
        case .hubFailed(let reason): "The hub cannot be read: \(reason)."
        case .peerFailed(let bridge, let reason): "Bridge \(bridge) cannot be reached: \(reason)."
        case .atOtherBridge: "The session is in the log of another bridge."
        case .offsetTooLarge:
            "A list with sessions of other bridges has pages of its first \(ReadLimit.mergedOffset) sessions; the others follow by `cursor`."
        }
    }
}
