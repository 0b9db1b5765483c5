import Posix
import Synchronization

/// A thread that owns a value. Jobs on the value run in the order in which they were added, and their results are
/// handled on the loop.
///
/// The thread does not limit the number of jobs: its owner must.
package final class JobThread<Value: ~Copyable>: Sendable {
    package typealias Body<Result> = @Sendable (inout Value) -> Result

    private let queue: JobQueue<Value>
    private let thread: Mutex<WorkerThread?>

    /// - Parameter value: Creates the value, on the thread.
    package init(
        name: String, priority: ThreadPriority = .normal, value: @escaping @Sendable () -> Value
    ) throws(SystemError) {
        let queue = JobQueue<Value>(wakeUp: try WakeUp())
        self.queue = queue
        thread = Mutex(
            try WorkerThread(name: name, priority: priority) {
                Self.run(queue, on: value())
                queue.ended.post()
            })
    }

    /// The thread is joined afterwards. A thread that waits for a job would not end: the owner can be released before it has
    /// closed this, if it cannot create its other parts.
    deinit { queue.close() }

    /// Releases the value when the queue is closed.
    private static func run(_ queue: JobQueue<Value>, on value: consuming Value) { queue.run(on: &value) }

    /// Calls the actions of finished jobs on the loop, for as long as the returned listener exists.
    @LoopActor package func listen(on poller: any Poller) throws(SystemError) -> WakeUpListener {
        try queue.wakeUp.listen(on: poller) { [queue] in
            for action in queue.takeResults() { action() }
        }
    }

    /// Runs `body` on the thread, and `action` with its result on the loop. After ``close()``, neither is called.
    package func perform<Result: Sendable>(
        _ body: @escaping Body<Result>, then action: @escaping @LoopActor (Result) -> Void
    ) {
        queue.add { value in
            let result = body(&value)
            return { action(result) }
        }
    }

    /// Runs `job` on the thread, and the action that it returns on the loop. After ``close()``, neither is called.
    package func perform(_ job: @escaping Body<@LoopActor () -> Void>) { queue.add(job) }

    /// Ends the thread after its present job. Waiting jobs are dropped. Blocks until then.
    ///
    /// - Parameter patience: the longest time to block; nil for no limit. After it the thread continues with its job,
    ///   and ends after the job or with the process.
    package func close(within patience: Duration? = nil) {
        queue.close()
        guard let thread = thread.withLock({ $0.take() }) else { return }
        guard let patience else { return thread.join() }
        // A thread of low priority can wait for the processor even after its last step.
        _ = queue.ended.wait(for: patience)
        thread.detach()
    }
}

/// The jobs that wait for a ``JobThread``, and the actions that wait for the loop.
private final class JobQueue<Value: ~Copyable>: Sendable {
    typealias Job = JobThread<Value>.Body<@LoopActor () -> Void>

    private struct State {
        var jobs: [Job] = []
        var results: [@LoopActor () -> Void] = []
        var isClosed = false
    }

    private let state = Mutex(State())
    private let ready = Semaphore()
    /// Posted when the thread has released its value.
    let ended = Semaphore()
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

    func run(on value: inout Value) {
        while let job = nextJob() {
            let action = job(&value)
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
