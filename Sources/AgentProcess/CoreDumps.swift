import CShims
import Glibc

/// Keeps this process's memory, with its tokens and conversations, out of core files and from other processes of its user.
package enum CoreDumps {
    /// The soft limit of core files before it was lowered (RLIMIT_CORE). Programs that this process starts get this
    /// limit.
    package typealias Limit = UInt

    /// Lowers the soft limit of core files to 0 and makes the process non-dumpable (PR_SET_DUMPABLE): no core file, and
    /// no ptrace(2) and no `/proc/PID/mem`, `environ` or `fd` for another process without CAP_SYS_PTRACE. Both settings
    /// hold until the next execve(2).
    ///
    /// - Returns: The limit that was in force.
    package static func prevent() -> Limit? {
        let before = setLimit(0)
        cshims_set_dumpable(0)
        return before
    }

    /// Sets the soft limit. The hard limit does not change.
    ///
    /// - Returns: The limit that was in force.
    @discardableResult static func setLimit(_ value: Limit) -> Limit? {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit) == 0 else { return nil }
        let before = limit.rlim_cur
        limit.rlim_cur = min(value, limit.rlim_max)
        setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit)
        return before
    }
}
