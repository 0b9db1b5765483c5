import EventLoop
import Posix
import Synchronization

/// The thread that owns the stored files. Jobs run in the order in which they were added.
///
/// The number of jobs is bounded by their callers: each connection has one at a time, except an upload, whose waiting
/// bytes are bounded by ``FileUpload/waitingLimitBytes``.
final class FileThread: Sendable {
    typealias Job = @Sendable (inout FileShelf) -> @LoopActor () -> Void

    private let queue: Queue
    private let thread: Mutex<WorkerThread?>

    init(path: String, limits: FileLimits) throws(SystemError) {
        let queue = Queue(wakeUp: try WakeUp())
        self.queue = queue
        thread = Mutex(
            try WorkerThread(name: "files") {
                var shelf = FileShelf(path: path, limits: limits)
                queue.run(&shelf)
            })
    }

    /// Calls the actions of finished jobs on the loop, for as long as the returned listener exists.
    @LoopActor func listen(on poller: any Poller) throws(SystemError) -> WakeUpListener {
        try queue.wakeUp.listen(on: poller) { [queue] in
            for action in queue.takeResults() { action() }
        }
    }

    /// Runs `job` on the thread, and the action that it returns on the loop. After ``close()``, neither is called.
    func perform(_ job: @escaping Job) { queue.add(job) }

    /// Ends the thread after its present job. Waiting jobs are dropped. Blocks until then.
    func close() {
        queue.close()
        thread.withLock { $0 = nil }
    }

    private final class Queue: Sendable {
        private struct State {
            var jobs: [Job] = []
            var results: [@LoopActor () -> Void] = []
            var isClosed = false
        }

        private let state = Mutex(State())
        private let ready = Semaphore()
        let wakeUp: WakeUp

        init(wakeUp: WakeUp) { self.wakeUp = wakeUp }

        func add(_ job: @escaping Job) {
            let isAdded = state.withLock { state in
                if !state.isClosed { state.jobs.append(job) }
                return !state.isClosed
            }
            if isAdded { ready.post() }
        }

        func close() {
            state.withLock { state in
                state.isClosed = true
                state.jobs = []
            }
            ready.post()
        }

        func takeResults() -> [@LoopActor () -> Void] {
            state.withLock { state in
                let taken = state.results
                state.results = []
                return state.isClosed ? [] : taken
            }
        }

        func run(_ shelf: inout FileShelf) {
            while let job = nextJob() {
                let action = job(&shelf)
                state.withLock { $0.results.append(action) }
                wakeUp.signal()
            }
        }

        /// Waits for a job. Returns nil when the thread must end.
        private func nextJob() -> Job? {
            while true {
                ready.wait()
                let (job, isClosed) = state.withLock { state in
                    (state.jobs.isEmpty ? nil : state.jobs.removeFirst(), state.isClosed)
                }
                if isClosed { return nil }
                if let job { return job }
            }
        }
    }
}
