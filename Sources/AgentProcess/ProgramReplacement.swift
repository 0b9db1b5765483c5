import Glibc

/// Replaces this process's program with another one (execve(2)). The process keeps its id, its children and the
/// descriptors that are not close-on-exec.
public enum ProgramReplacement {
    /// Returns only on failure; nothing has changed then. Call this on the main thread: the children's death signals
    /// are bound to it, and all other threads end.
    ///
    /// - Parameters:
    ///   - command: The program's file as an absolute path, and its arguments.
    ///   - environment: The complete environment as `NAME=value` strings.
    ///   - inherited: The descriptors that stay open for the program.
    public static func replace(
        with command: [SystemString], environment: [SystemString], inheriting inherited: [Int32]
    ) -> Int32 {
        guard let path = command.first else { return ENOENT }
        var arguments = command.map { $0.withCString(strdup) } + [nil]
        var variables = environment.map { $0.withCString(strdup) } + [nil]
        defer { for string in arguments + variables { free(string) } }
        for fd in inherited { setCloseOnExec(fd, false) }
        _ = path.withCString { path in execve(path, &arguments, &variables) }
        let code = errno
        for fd in inherited { setCloseOnExec(fd, true) }
        return code
    }

    /// The programs that are started from here must not inherit these descriptors.
    public static func setCloseOnExec(_ fd: Int32, _ isClosed: Bool) {
        let flags = fcntl(fd, F_GETFD)
        guard flags >= 0 else { return }
        _ = fcntl(fd, F_SETFD, isClosed ? flags | FD_CLOEXEC : flags & ~FD_CLOEXEC)
    }
}
