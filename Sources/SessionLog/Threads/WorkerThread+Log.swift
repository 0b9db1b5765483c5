import Posix
import SessionRecords

extension WorkerThread {
    /// Starts a thread of the log.
    init(log name: String, _ body: @escaping @Sendable () -> Void) throws(LogError) {
        do throws(SystemError) {
            try self.init(name: name, body)
        } catch {
            throw .system(operation: "start thread", path: name, errno: error.code)
        }
    }
}
