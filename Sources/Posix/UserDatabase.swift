import Glibc

/// The system's user database, read with getpwuid_r(3).
package enum UserDatabase {
    /// Real entries have a few hundred bytes.
    private static let entryLimitBytes = 1 << 20

    /// Returns a user's home folder as an absolute path, or nil if the system has none for the user.
    package static func homeFolder(of user: uid_t) -> String? {
        text(of: user, \.pw_dir).flatMap { $0.hasPrefix("/") ? $0 : nil }
    }

    /// Returns a user's login name, or nil if the system has none for the user.
    package static func name(of user: uid_t) -> String? {
        text(of: user, \.pw_name).flatMap { $0.isEmpty ? nil : $0 }
    }

    private typealias Field = KeyPath<passwd, UnsafeMutablePointer<CChar>?>

    private static func text(of user: uid_t, _ field: Field) -> String? {
        var byteCount = 1024
        while byteCount <= entryLimitBytes {
            var text: String?
            switch readEntry(of: user, field, byteCount: byteCount, into: &text) {
            case 0: return text
            case EINTR: continue
            case ERANGE: byteCount *= 2
            default: return nil
            }
        }
        return nil
    }

    private static func readEntry(of user: uid_t, _ field: Field, byteCount: Int, into text: inout String?) -> Int32 {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: byteCount) { buffer in
            guard let start = buffer.baseAddress else { return ENOMEM }
            var entry = passwd()
            var found: UnsafeMutablePointer<passwd>?
            let code = getpwuid_r(user, &entry, start, buffer.count, &found)
            // The entry's pointers point into the buffer.
            if code == 0, found != nil { text = entry[keyPath: field].map { String(cString: $0) } }
            return code
        }
    }
}
