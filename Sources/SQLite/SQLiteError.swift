import CSQLite
import Glibc

/// A failure that SQLite reported.
package struct SQLiteError: Error, Equatable, Sendable {
    /// The extended result code: <https://sqlite.org/rescode.html>.
    package let code: Int32

    /// - Parameter code: A result code other than OK, ROW and DONE.
    package init(code: Int32) { self.code = code }

    /// The primary code, which is the low byte of the extended code.
    package var primaryCode: Int32 { code & 0xff }

    /// SQLite's own text for the code.
    package var text: String { String(cString: sqlite3_errstr(code)) }

    /// `SQLITE_CORRUPT`.
    package static let corrupt = SQLiteError(code: SQLITE_CORRUPT)
    /// `SQLITE_NOMEM`.
    package static let outOfMemory = SQLiteError(code: SQLITE_NOMEM)

    /// `SQLITE_FULL`.
    package static let full = SQLiteError(code: SQLITE_FULL)
    /// `SQLITE_IOERR_READ`. Swift does not import the extended codes, because they are expressions.
    package static let readFailed = SQLiteError(code: SQLITE_IOERR | 1 << 8)
    /// `SQLITE_IOERR_WRITE`.
    package static let writeFailed = SQLiteError(code: SQLITE_IOERR | 3 << 8)
    /// `SQLITE_IOERR_FSYNC`.
    package static let syncFailed = SQLiteError(code: SQLITE_IOERR | 4 << 8)

    /// As SQLite reports a write that has failed.
    ///
    /// - Parameter number: `errno`.
    package init(ofWrite number: Int32) {
        self = [ENOSPC, EDQUOT, EFBIG].contains(number) ? .full : .writeFailed
    }

    /// True if the requested data lies in a damaged part of the file. Other parts can be intact.
    package var isDamage: Bool { primaryCode == SQLITE_CORRUPT || primaryCode == SQLITE_NOTADB }

    /// True if the disk, or the file's own limit, has no room.
    package var isFull: Bool { primaryCode == SQLITE_FULL }
}
