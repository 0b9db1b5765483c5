import Glibc

/// Another program in this process's place (execve(2)): the process keeps its id, its children and the descriptors that
/// are not close-on-exec.
public enum ProgramReplacement {
    /// Returns only when it failed, and then nothing has changed. Call it on the main thread: the death signals of the
    /// children are bound to that, and all other threads end.
    ///
    /// - Parameters:
    ///   - command: the program's file as an absolute path, and its arguments.
    ///   - environment: `NAME=value` strings, all of them.
    ///   - inherited: descriptors that the program is to find open.
    ///   - coreLimit: its soft limit of core files; nil: this process's own.
    public static func replace(
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

    /// What was inherited is not for the programs that are started from here.
    public static func setCloseOnExec(_ fd: Int32, _ isClosed: Bool) {
        let flags = fcntl(fd, F_GETFD)
        guard flags >= 0 else { return }
        _ = fcntl(fd, F_SETFD, isClosed ? flags | FD_CLOEXEC : flags & ~FD_CLOEXEC)
    }
}
