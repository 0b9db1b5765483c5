import EventLoop
import Posix
import SessionSearch
import Synchronization

/// The thread that owns the search index. Jobs run in the order in which they were added. The thread has the lowest
/// priority: the search must not delay agents' output.
///
/// The number of jobs is bounded by their callers: one step of indexing, and ``SessionFinder/searchLimit`` queries.
final class SearchThread: Sendable {
    /// The index is nil before the first session, and after a failure.
    typealias Body<Result> = @Sendable (inout SearchIndex?) -> Result

    private let queue: Queue
    private let thread: Mutex<WorkerThread?>

    init() throws(SystemError) {
        let queue = Queue(wakeUp: try WakeUp())
        self.queue = queue
        thread = Mutex(try WorkerThread(name: "search", priority: .lowest) { queue.run() })
    }

    /// Calls the actions of finished jobs on the loop, for as long as the returned listener exists.
    @LoopActor func listen(on poller: any Poller) throws(SystemError) -> WakeUpListener {
        try queue.wakeUp.listen(on: poller) { [queue] in
            for action in queue.takeResults() { action() }
        }
    }

    /// Runs `body` on the thread, and `action` with its result on the loop. After ``close()``, neither is called.
    func perform<Result: Sendable>(
        _ body: @escaping Body<Result>, then action: @escaping @LoopActor (Result) -> Void
    ) {
        queue.add { index in
            let result = body(&index)
            return { action(result) }
        }
    }

    /// Ends the thread after its present job. Waiting jobs are dropped. Blocks until then.
    func close() {
        queue.close()
        thread.withLock { $0 = nil }
    }

    private final class Queue: Sendable {
        private struct State {
            var jobs: [Body<@LoopActor () -> Void>] = []
            var results: [@LoopActor () -> Void] = []
            var isClosed = false
        }

        private let state = Mutex(State())
        private let ready = Semaphore()
        let wakeUp: WakeUp

        init(wakeUp: WakeUp) { self.wakeUp = wakeUp }

        func add(_ job: @escaping Body<@LoopActor () -> Void>) {
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

        func run() {
            var index: SearchIndex?
            while let job = nextJob() {
                let action = job(&index)
                state.withLock { $0.results.append(action) }
                wakeUp.signal()
            }
        }

        /// Waits for a job. Returns nil when the thread must end.
        private func nextJob() -> Body<@LoopActor () -> Void>? {
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
