import CSQLite
import Glibc

/// Why the log refused or failed. The description is for the person who can act, and never holds what a session said.
public enum LogError: Error, Equatable, Sendable {
    /// Another process, or another `SessionLog`, has the file open.
    case locked(lockPath: String)
    /// The file was written by a later version of this program.
    case newerSchema(path: String, found: Int64, supported: Int64)
    /// The file is an SQLite database, but no session log.
    case notASessionLog(path: String)
    /// The file system cannot hold a write-ahead log: <https://sqlite.org/wal.html>.
    case walUnavailable(path: String)
    /// The append expected another head; nothing was stored. After an unknown outcome `head` tells whether it had been.
    case gap(head: Int64)
    /// A later claim owns the session; this writer must stop. `epoch` is the one in force, 0 if nobody has claimed it.
    case fenced(epoch: Int64)
    /// No session has this number.
    case unknownSession(sid: Int64)
    /// An agent serves the session, so it cannot be deleted.
    case sessionIsLive(sid: Int64)
    /// The bytes of a run hold another number of lines than it says, or do not end with a line feed.
    case miscountedRun(said: Int, found: Int)
    /// The disk is full. The log goes on by itself when there is room.
    case full(EngineFailure)
    /// SQLite failed in another way.
    case engine(EngineFailure)
    /// A system call failed.
    case system(operation: String, path: String, errno: Int32)
    /// The file was deleted, moved or replaced while the log was open, and cannot be put back yet.
    case filesLost(path: String, reason: String)
    /// The request came after `close()`.
    case closed
}

/// A failure that SQLite reported.
public struct EngineFailure: Equatable, Sendable {
    /// The extended result code: <https://sqlite.org/rescode.html>.
    public let code: Int32

    /// The primary code, the low byte of the extended one.
    public var primaryCode: Int32 { code & 0xff }
}

extension LogError {
    /// The error for a result code that is neither OK, ROW nor DONE.
    init(sqlite code: Int32) {
        let failure = EngineFailure(code: code)
        self = failure.primaryCode == SQLITE_FULL ? .full(failure) : .engine(failure)
    }

    /// What is asked for lies where the file is damaged. Other sessions may be whole.
    public var isDamage: Bool {
        guard case .engine(let failure) = self else { return false }
        return failure.primaryCode == SQLITE_CORRUPT || failure.primaryCode == SQLITE_NOTADB
    }

    /// The error for the system call that has just failed.
    static func lastSystemError(_ operation: String, _ path: String) -> LogError {
        .system(operation: operation, path: path, errno: errno)
    }
}

extension EngineFailure: CustomStringConvertible {
    public var description: String { "\(advice) (SQLite code \(code), see https://sqlite.org/rescode.html)" }

    private var advice: String {
        switch primaryCode {
        case SQLITE_FULL:
            "The disk that holds the session log is full. Free some space; the log then goes on by itself."
        case SQLITE_IOERR: "The disk that holds the session log failed. Look into the system's log for its errors."
        case SQLITE_READONLY:
            "The session log cannot be written. Check its owner and mode, and how the disk is mounted."
        case SQLITE_CANTOPEN, SQLITE_PERM: "The session log cannot be opened. Check the owner and mode of its folder."
        case SQLITE_CORRUPT, SQLITE_NOTADB:
            "The session log is damaged. Move it aside; `sqlite3 FILE .recover` saves what it can."
        case SQLITE_BUSY, SQLITE_LOCKED: "Another program keeps the session log locked. Close that program."
        case SQLITE_NOMEM: "There was no memory left for the session log."
        case SQLITE_TOOBIG: "A run of lines is larger than SQLite can store (1 GB)."
        default: "The session log failed: \(String(cString: sqlite3_errstr(code)))."
        }
    }
}

extension LogError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .locked(let lockPath):
            "Another process has this session log open: it holds the lock on \(lockPath). End it, or choose another file."
        case .newerSchema(let path, let found, let supported):
            "\(path) has schema version \(found), and this program knows up to \(supported). Use the newer program."
        case .notASessionLog(let path): "\(path) is an SQLite database, but no session log. Choose another file."
        case .walUnavailable(let path):
            "The file system of \(path) cannot hold SQLite's WAL. Choose a folder on a local disk."
        case .gap(let head): "The session's last update is number \(head), and the append expected another."
        case .fenced(let epoch): "The session belongs to a later claim (epoch \(epoch))."
        case .unknownSession(let sid): "The log has no session \(sid)."
        case .sessionIsLive(let sid): "An agent serves session \(sid), so it cannot be deleted."
        case .miscountedRun(let said, let found): "A run said it had \(said) lines, and has \(found)."
        case .full(let failure), .engine(let failure): failure.description
        case .system(let operation, let path, let errno): "\(operation) \(path): \(String(cString: strerror(errno)))."
        case .filesLost(let path, let reason):
            "\(path) was deleted, moved or replaced while it was open, and cannot be put back: \(reason)"
        case .closed: "The session log is closed."
        }
    }
}
