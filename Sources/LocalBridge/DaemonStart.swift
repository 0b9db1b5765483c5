import AgentProcess
import CommandContext
import EventLoop
import Glibc
import Posix

/// Finds the user's daemon, or starts one if none runs. The process that holds the start lock starts the daemon. All
/// other processes wait for the lock and then find the daemon running.
package struct DaemonStart {
    private let context: ProcessContext
    private let home: Home

    package init(context: ProcessContext) throws(Failure) {
        self.context = context
        home = try context.home
    }

    /// Time limit for a new daemon to become ready, and for a stopping daemon to end its agents.
    private static let timeLimitMilliseconds: Int32 = 20_000

    package static let ownFolderAdvice = "Set XDG_RUNTIME_DIR or ACPBRIDGE_HOME to a folder of your own"

    /// Returns a Unix socket that is connected to the daemon.
    package func connect() throws -> Descriptor {
        let address = SocketAddress.unix(path: home.socket)
        do throws(SystemError) {
            return try Sockets.connect(to: address)
        } catch {
            if let refusal = error.refusal { throw Failure(message: "\(refusal). \(Self.ownFolderAdvice)") }
        }
        try start()
        do throws(SystemError) {
            return try Sockets.connect(to: address)
        } catch {
            throw Failure(
                message: "the bridge was started, but does not answer on \(home.socket): \(error.reason)")
        }
    }

    /// Returns when a daemon is ready, whether this process or another one started it.
    package func start() throws {
        do {
            try home.prepare()
        } catch {
            throw Failure(message: "the bridge's folders cannot be used: \(error); see `acpbridge doctor`")
        }
        let lock = try Self.waitForLock(home.startLock)
        if try !waitUntilRunning() { try launch() }
        lock.release()
    }

    /// A stopping bridge accepts no connections and holds its lock until its agents have ended. A starting bridge
    /// already holds the lock. This function waits for both.
    private func waitUntilRunning() throws -> Bool {
        let deadline = Instant.now + .milliseconds(Self.timeLimitMilliseconds)
        while !isRunning {
            do throws(FileLock.Failure) {
                try FileLock(path: home.daemonLock).release()
                return false
            } catch {
                guard case .held(let pid) = error else { return false }
                guard Instant.now < deadline else {
                    throw Failure(
                        message:
                            "the bridge\(pid.map { " (process \($0))" } ?? "") is neither ending nor accepting connections; kill it"
                    )
                }
                poll(nil, 0, 10)
            }
        }
        return true
    }

    private var isRunning: Bool {
        (try? Sockets.connect(to: .unix(path: home.socket))) != nil
    }

    private static func waitForLock(_ path: String) throws -> FileLock {
        do {
            return try FileLock(path: path, waiting: true)
        } catch FileLock.Failure.system(let error) {
            throw Failure(message: "\(error)")
        } catch {
            throw Failure(message: "\(path) cannot be locked")
        }
    }

    private func launch() throws {
        let ready = try Pipe()
        let nothing = Descriptor(owning: open("/dev/null", O_RDONLY | O_CLOEXEC))
        let output = open(home.daemonOutput, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard output >= 0 else {
            throw Failure(message: "the bridge cannot be started: \(SystemError("open \(home.daemonOutput)"))")
        }
        let log = Descriptor(owning: output)
        let begin = lseek(log.raw, 0, SEEK_END)
        let request = SpawnRequest(
            command: [SystemString(ProcessContext.programPath), "serve", "--on-demand"], directory: "/",
            environment: context.daemonEnvironment)
        do throws(SpawnError) {
            _ = try DetachedProcess.start(request, streams: (nothing.raw, ready.writeEnd.raw, log.raw))
        } catch {
            throw Failure(message: "the bridge cannot be started: \(error)")
        }
        let ends = ready.ends()
        close(ends.write)
        switch Self.firstReport(Descriptor(owning: ends.read)) {
        case .ready: return
        case .failed(let reason): throw failure(reason)
        case nil: throw failure(lastLogLine(log, from: begin))
        }
    }

    private func failure(_ reason: String) -> Failure {
        let advice = [home.state, home.configuration, home.runtime].first(where: Self.isDiskFull).map {
            "\(reason.hasSuffix(".") ? "" : ".") The disk of \($0) is full; free some space there, then try again"
        }
        return Failure(message: "the bridge did not start: \(reason)\(advice ?? "")")
    }

    /// 256 KiB. A bridge writes less than this before it is ready.
    private static let spaceBytes: UInt64 = 256 << 10

    private static func isDiskFull(at folder: String) -> Bool {
        freeBytes(at: folder).map { $0 < spaceBytes } ?? false
    }

    /// Returns nil if the daemon ends, or the time is over, before its report.
    private static func firstReport(_ pipe: consuming Descriptor) -> StartReport? {
        var wait = pollfd(fd: pipe.raw, events: Int16(POLLIN), revents: 0)
        while poll(&wait, 1, timeLimitMilliseconds) < 0, errno == EINTR {}
        guard wait.revents & Int16(POLLIN) != 0 else { return nil }
        var bytes = [UInt8](repeating: 0, count: StartReport.limitBytes)
        let count = read(pipe.raw, &bytes, bytes.count)
        return StartReport(bytes.prefix(max(0, count)))
    }

    /// The last line that the daemon wrote before it ended. The line can name the reason.
    private func lastLogLine(_ log: borrowing Descriptor, from begin: off_t) -> String {
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = pread(log.raw, &bytes, bytes.count, begin)
        let lines = bytes.prefix(max(0, count)).split(separator: 0x0a)
        guard let last = lines.last.map({ String(decoding: $0, as: UTF8.self) }) else {
            return "see \(home.daemonOutput)"
        }
        return last.hasPrefix("Error: ") ? String(last.dropFirst(7)) : last
    }
}
