import CShims
import EventLoop
import Glibc
import Posix

/// The only place where programs are started.
enum Spawning {
    static func file(for request: SpawnRequest) throws(SpawnError) -> SystemString {
        let search = ProgramSearch(environment: request.environment, directory: request.directory)
        return try search.file(for: request.command.first ?? "")
    }

    static func error(_ error: SystemError, _ request: SpawnRequest) -> SpawnError {
        if error.call == "chdir" { return .badDirectory(request.directory.description, reason: error.reason) }
        return .failed(program: request.command.first?.description ?? "", reason: error.reason + advice(error.code))
    }

    /// The advice for a limit of the machine or the bridge that does not permit another process.
    private static func advice(_ code: Int32) -> String {
        switch code {
        case EMFILE:
            "; start the bridge again with a higher limit of open files (`ulimit -n`, or LimitNOFILE= in its unit), or stop some agents"
        case EAGAIN:
            "; the limit of processes is reached (`ulimit -u`, or TasksMax= in the bridge's unit): raise it, or stop some agents"
        default: ""
        }
    }

    private static let shell: SystemString = "/bin/sh"

    /// A file that is not a binary and names no interpreter is run by the shell, as in execvp(3).
    private static func asScript(_ path: SystemString, _ request: SpawnRequest) -> SpawnRequest {
        var request = request
        request.command = [shell, path] + request.command.dropFirst()
        return request
    }

    /// The system call that failed, for errors.
    private static func call(_ stage: cshims_spawn_stage) -> String {
        if stage == cshims_stage_directory { return "chdir" }
        return stage == cshims_stage_group ? "join the control group" : "exec"
    }

    /// - Throws: An error with `call` set to `chdir` if the directory could not be entered.
    static func launch(
        _ path: SystemString, _ request: SpawnRequest, streams: (Int32, Int32, Int32)
    ) throws(SystemError) -> pid_t {
        var arguments = request.command.map { $0.withCString(strdup) } + [nil]
        var environment = request.environment.map { $0.withCString(strdup) } + [nil]
        defer { for string in arguments + environment { free(string) } }
        var pid: pid_t = 0
        var stage = cshims_stage_fork
        let limits = request.limits.values
        let code = path.withCString { path in
            request.directory.withCString { directory in
                arguments.withUnsafeMutableBufferPointer { arguments in
                    environment.withUnsafeMutableBufferPointer { environment in
                        limits.withUnsafeBufferPointer { limits in
                            var spawn = cshims_spawn(
                                path: path, arguments: arguments.baseAddress, environment: environment.baseAddress,
                                directory: directory, streams: streams,
                                death_signal: request.diesWithParent ? SIGKILL : 0,
                                file_mode_mask: request.fileModeMask ?? -1, open_files: request.openFilesLimit ?? 0,
                                sets_core_limit: request.coreLimit == nil ? 0 : 1, core_limit: request.coreLimit ?? 0,
                                limits: limits.baseAddress, limit_count: Int32(limits.count), group: request.group ?? -1
                            )
                            return cshims_spawn(&spawn, &pid, &stage)
                        }
                    }
                }
            }
        }
        if code == 0 { return pid }
        if code == ENOEXEC, path != shell { return try launch(shell, asScript(path, request), streams: streams) }
        throw SystemError(call(stage), code: code)
    }
}

/// A program that is started in its own session and not watched afterwards.
package enum DetachedProcess {
    /// - Parameter streams: Descriptors that become the program's 0, 1 and 2. The caller keeps its own.
    package static func start(
        _ request: SpawnRequest, streams: (Int32, Int32, Int32)
    ) throws(SpawnError) -> pid_t {
        var request = request
        request.diesWithParent = false
        let path = try Spawning.file(for: request)
        do throws(SystemError) {
            return try Spawning.launch(path, request, streams: streams)
        } catch {
            throw Spawning.error(error, request)
        }
    }
}

/// A program that gets this program's terminal and standard streams, and that is awaited.
package enum ForegroundProcess {
    /// Runs the program until its end. As with system(3), an interrupt from the keyboard concerns only the program.
    package static func run(_ request: SpawnRequest) throws(SpawnError) -> TerminationStatus {
        let path = try Spawning.file(for: request)
        var arguments = request.command.map { $0.withCString(strdup) } + [nil]
        var environment = request.environment.map { $0.withCString(strdup) } + [nil]
        defer { for string in arguments + environment { free(string) } }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var (interrupts, none) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        sigemptyset(&interrupts)
        for signal in [SIGINT, SIGQUIT] { sigaddset(&interrupts, signal) }
        posix_spawnattr_setsigdefault(&attributes, &interrupts)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
        let handlers = [SIGINT, SIGQUIT].map { ($0, signal($0, SIG_IGN)) }
        defer { for (number, handler) in handlers { signal(number, handler) } }
        var pid: pid_t = 0
        let code = path.withCString { posix_spawn(&pid, $0, nil, &attributes, &arguments, &environment) }
        guard code == 0 else { throw Spawning.error(SystemError("exec", code: code), request) }
        var status: Int32 = 0
        while waitpid(pid, &status, 0) < 0, errno == EINTR {}
        return TerminationStatus(waitStatus: status)
    }
}
