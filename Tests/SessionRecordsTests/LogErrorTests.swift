import CSQLite
import SQLite
import Testing

@testable import SessionRecords

@Suite struct LogErrorTests {
    @Test func aFullDiskHasItsOwnError() {
        #expect(LogError(SQLiteError(code: SQLITE_FULL)) == .full(SQLiteError(code: SQLITE_FULL)))
        #expect(LogError(.corrupt) == .engine(.corrupt))
    }

    @Test(arguments: [SQLITE_CORRUPT, SQLITE_CORRUPT | (3 << 8), SQLITE_NOTADB])
    func damageIsRecognized(code: Int32) {
        #expect(LogError(SQLiteError(code: code)).isDamage)
    }

    @Test(arguments: [SQLITE_FULL, SQLITE_IOERR, SQLITE_BUSY]) func otherFailuresAreNotDamage(code: Int32) {
        #expect(!LogError(SQLiteError(code: code)).isDamage)
    }

    @Test func theDescriptionContainsTheCodeAndTheAdvice() {
        let text = LogError(SQLiteError(code: SQLITE_IOERR | (3 << 8))).description
        #expect(text.hasPrefix("The disk that holds the session log failed."))
        #expect(text.contains("SQLite code 778,"))
        // `SQLITE_IOERR_SHMSIZE`, the first failure of a full disk when a log is opened again.
        #expect(LogError(SQLiteError(code: SQLITE_IOERR | (19 << 8))).description.contains("is full or failed"))
    }
}
