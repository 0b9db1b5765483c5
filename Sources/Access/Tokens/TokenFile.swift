import EventLoop
import Glibc
import Posix
import Tinyvex

/// The file of a bridge's tokens, `tokens` in its configuration folder.
///
/// If a bridge is running, only the bridge writes the file; otherwise a command does. The lock ensures this. A process
/// that holds the lock and finds no listening bridge can write, because a bridge starts to listen before it takes the
/// lock to read.
package struct TokenFile: Sendable {
    private let path: String
    private let now: @Sendable () -> Instant
    private var lockPath: String { path + ".lock" }

    /// A thousand tokens need a quarter of this.
    private static let limitBytes = 1 << 20
    /// A process holds the lock only as long as it takes to write a small file, unless the process is suspended
    /// meanwhile.
    package static let lockPatience = Duration.seconds(2)
    /// 20 ms, for a change on the bridge's loop, on which all clients wait. Most changes of another process take less.
    package static let loopPatience = Duration.milliseconds(20)

    package init(_ home: Home, now: @escaping @Sendable () -> Instant = { .now }) {
        path = home.tokens
        self.now = now
    }

    package enum Failure: Error, CustomStringConvertible {
        case system(SystemError)
        case locked(byProcess: pid_t?)
        case refused(Rejection)

        package var description: String {
            switch self {
            case .system(let error): "the tokens cannot be read or written: \(error)"
            case .locked(let pid):
                "the tokens are being changed\(pid.map { " by process \($0)" } ?? ""); try again"
            case .refused(let rejection): rejection.message
            }
        }
    }

    /// Reads the table under the lock, so that no process is writing the file.
    package func read() throws(Failure) -> TokenTable {
        let lock = try acquireLock(within: Self.lockPatience)
        let table = Result { () throws(Failure) in try self.table() }
        lock.release()
        return try table.get()
    }

    /// Changes the file in the same way as `body` changes the table. Returns nil and changes nothing if `isServed`
    /// finds a running bridge, which must make the change itself.
    ///
    /// - Parameter patience: The longest wait for another process that has the lock.
    package func edit<Value>(
        unless isServed: () -> Bool = { false }, within patience: Duration = TokenFile.lockPatience,
        _ body: (inout TokenTable) throws(Rejection) -> Value
    ) throws(Failure) -> (value: Value, table: TokenTable)? {
        let lock = try acquireLock(within: patience)
        let edited = Result { () throws(Failure) in isServed() ? nil : try change(body) }
        lock.release()
        return try edited.get()
    }

    private func change<Value>(
        _ body: (inout TokenTable) throws(Rejection) -> Value
    ) throws(Failure) -> (value: Value, table: TokenTable) {
        var table = try table()
        let value: Value
        do throws(Rejection) {
            value = try body(&table)
        } catch {
            throw .refused(error)
        }
        try write(table)
        return (value, table)
    }

    private func acquireLock(within patience: Duration) throws(Failure) -> FileLock {
        let deadline = now() + patience
        while true {
            do throws(FileLock.Failure) {
                return try FileLock(path: lockPath)
            } catch {
                switch error {
                case .system(let error): throw .system(error)
                case .held(let pid): guard now() < deadline else { throw .locked(byProcess: pid) }
                }
                usleep(5_000)
            }
        }
    }

    private func table() throws(Failure) -> TokenTable {
        do throws(SystemError) {
            return TokenTable(file: try PrivateFile.read(path, limitBytes: Self.limitBytes) ?? [])
        } catch {
            throw .system(error)
        }
    }

    private func write(_ table: TokenTable) throws(Failure) {
        do throws(SystemError) {
            try PrivateFile.replace(path, with: table.fileBytes())
        } catch {
            throw .system(error)
        }
    }
}

extension TokenTable {
    /// Makes an unguessable token. Its creation time is `now`, in milliseconds since 1970.
    package mutating func issue(
        _ order: TokenOrder, at now: Int64 = wallClockMilliseconds()
    ) throws(Rejection) -> IssuedToken {
        guard let name = RandomText.hexadecimal(byteCount: 4), let secret = RandomText.hexadecimal(byteCount: 32) else {
            throw Rejection(.internalError, "the system provides no random bytes")
        }
        return try issue(order, name: name, secret: secret, at: now)
    }
}
