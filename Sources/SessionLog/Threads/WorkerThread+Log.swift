import CShims
import Posix
import SessionRecords

extension WorkerThread {
    /// About what a thread with a connection allocates while it starts.
    private static let heapBytes = 448 << 10

    /// Starts a thread of the log.
    init(log name: String, _ body: @escaping @Sendable () -> Void) throws(LogError) {
        do throws(SystemError) {
            try self.init(name: name) {
                cshims_extend_heap(Self.heapBytes)
                body()
            }
        } catch {
            throw .system(operation: "start thread", path: name, errno: error.code)
        }
    }
}
