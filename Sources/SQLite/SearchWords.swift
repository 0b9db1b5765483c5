import CSQLite
import Glibc

/// An SQL function that searches columns for words and ignores case in every script. SQLite's own `LIKE` ignores case
/// for ASCII only.
package enum SearchWords {
    /// `finds(WORDS, column, …)`: whether each word occurs in one of the columns.
    package static let function = "finds"

    /// Returns the words in the form in which they are bound.
    package static func bound(_ words: [String]) -> String {
        words.map { $0.lowercased() }.joined(separator: String(separator))
    }

    /// No word contains this separator.
    private static let separator: Character = "\n"

    package static func register(_ connection: borrowing Connection) throws(SQLiteError) {
        let flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC
        let code = sqlite3_create_function_v2(
            connection.handle, function, -1, flags, nil,
            { context, count, values in
                let arguments = UnsafeBufferPointer(start: values, count: Int(count))
                sqlite3_result_int(context, SearchWords.areFound(arguments) ? 1 : 0)
            }, nil, nil, nil)
        guard code == SQLITE_OK else { throw SQLiteError(code: code) }
    }

    private static func areFound(_ arguments: UnsafeBufferPointer<OpaquePointer?>) -> Bool {
        guard let first = arguments.first, let words = text(first) else { return false }
        // The separator keeps a word from matching across two columns.
        let columns = arguments.dropFirst().compactMap(text).joined(separator: String(separator)).lowercased()
        return words.split(separator: separator).allSatisfy { holds(columns, $0) }
    }

    private static func text(_ value: OpaquePointer?) -> String? {
        guard let start = sqlite3_value_text(value) else { return nil }
        let count = Int(sqlite3_value_bytes(value))
        return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }

    private static func holds(_ columns: String, _ word: Substring) -> Bool {
        var (columns, word) = (columns, word)
        return columns.withUTF8 { columns in
            word.withUTF8 { word in
                guard let first = columns.baseAddress, let wanted = word.baseAddress else { return word.isEmpty }
                var at = 0
                while at + word.count <= columns.count,
                    let next = memchr(first + at, Int32(wanted[0]), columns.count - at - word.count + 1)
                {
                    if memcmp(next, wanted, word.count) == 0 { return true }
                    at = UnsafeRawPointer(next) - UnsafeRawPointer(first) + 1
                }
                return false
            }
        }
    }
}
