import Glibc

/// The system's user database, read with getpwuid_r(3).
package enum UserDatabase {
    /// Real entries have a few hundred bytes.
    private static let entryLimitBytes = 1 << 20

    /// Returns a user's home folder as an absolute path, or nil if the system has none for the user.
    package static func homeFolder(of user: uid_t) -> String? {
        var byteCount = 1024
        while byteCount <= entryLimitBytes {
            var folder: String?
            switch readEntry(of: user, byteCount: byteCount, into: &folder) {
            case 0: return folder.flatMap { $0.hasPrefix("/") ? $0 : nil }
            case EINTR: continue
            case ERANGE: byteCount *= 2
            default: return nil
            }
        }
        return nil
    }

    private static func readEntry(of user: uid_t, byteCount: Int, into folder: inout String?) -> Int32 {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: byteCount) { buffer in
            guard let start = buffer.baseAddress else { return ENOMEM }
            var entry = passwd()
            var found: UnsafeMutablePointer<passwd>?
            let code = getpwuid_r(user, &entry, start, buffer.count, &found)
            // The entry's pointers point into the buffer.
            if code == 0, found != nil { folder = entry.pw_dir.map { String(cString: $0) } }
            return code
        }
    }
}
