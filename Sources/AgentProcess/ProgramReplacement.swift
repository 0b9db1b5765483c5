import Glibc

/// Replaces this process's program with another one (execve(2)). The process keeps its id, its children and the
/// descriptors that are not close-on-exec.
package enum ProgramReplacement {
    /// Returns only on failure; nothing has changed then. Call this on the main thread: the children's death signals
    /// are bound to that thread, and all other threads end.
    ///
    /// - Parameters:
    ///   - command: The program's file as an absolute path, and its arguments.
    ///   - environment: The complete environment as `NAME=value` strings.
    ///   - inherited: The descriptors that stay open for the program.
    ///   - coreLimit: The program's soft limit of core files, or nil to keep this process's own.
    package static func replace(
        with command: [SystemString], environment: [SystemString], inheriting inherited: [Int32],
        coreLimit: CoreDumps.Limit? = nil
    ) -> Int32 {
        guard let path = command.first else { return ENOENT }
        var arguments = command.map { $0.withCString(strdup) } + [nil]
        var variables = environment.map { $0.withCString(strdup) } + [nil]
        defer { for string in arguments + variables { free(string) } }
        for fd in inherited { setCloseOnExec(fd, false) }
        let ownLimit = coreLimit.flatMap { CoreDumps.setLimit($0) }
        _ = path.withCString { path in execve(path, &arguments, &variables) }
        let code = errno
        if let ownLimit { CoreDumps.setLimit(ownLimit) }
        for fd in inherited { setCloseOnExec(fd, true) }
        return code
    }

    /// Sets or clears close-on-exec for a descriptor. The programs that this process starts must not inherit it.
    package static func setCloseOnExec(_ fd: Int32, _ isClosed: Bool) {
        let flags = fcntl(fd, F_GETFD)
        guard flags >= 0 else { return }
        _ = fcntl(fd, F_SETFD, isClosed ? flags | FD_CLOEXEC : flags & ~FD_CLOEXEC)
    }
}
