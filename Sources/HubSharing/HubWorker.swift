import EventLoop
import Glibc
import Hub
import Posix
import Postgres
import Synchronization

/// A thread with one connection to the hub. It connects when there is work, and again after the connection was lost.
@LoopActor final class HubWorker {
    private let queue: Queue
    private var listener: WakeUpListener?

    /// The work that waits, and the results that the loop has not taken yet. The owner bounds both by its requests in
    /// flight.
    private final class Queue: Sendable {
        /// Returns the error with which the work has failed.
        typealias Job = @Sendable (Result<HubDatabase, HubError>) -> HubError?

        struct State {
            var jobs: [Job] = []
            var results: [@LoopActor @Sendable () -> Void] = []
            var isClosed = false
        }

        let state = Mutex(State())
        /// Signalled for the thread.
        let work: WakeUp
        /// Signalled for the loop.
        let done: WakeUp

        init() throws(SystemError) {
            work = try WakeUp()
            done = try WakeUp()
        }

        /// Removes and returns the work that waits. Nil if the worker was closed.
        func take() -> ArraySlice<Job>? {
            state.withLock { state in
                defer { state.jobs = [] }
                return state.isClosed ? nil : state.jobs[...]
            }
        }
    }

    /// - Parameter name: the thread's name; at most 15 bytes.
    init(_ address: PostgresAddress, name: String, services: LoopServices) throws(SystemError) {
        let queue = try Queue()
        self.queue = queue
        // The thread is not joined: it can wait for the system's resolver for longer than a bridge takes to stop.
        try DetachedThread.start(name: name) { Self.work(queue, address) }
        listener = try queue.done.listen(on: services.poller) { [unowned self] in deliver() }
    }

    /// Calls `work` on the thread, and `finish` on the loop with the result. If the hub cannot be reached, `work` is not
    /// called, and the result is the reason.
    func run<Value: Sendable>(
        _ work: @escaping @Sendable (HubDatabase) throws(HubError) -> Value,
        then finish: @escaping @LoopActor @Sendable (Result<Value, HubError>) -> Void
    ) {
        let queue = queue
        queue.state.withLock { state in
            state.jobs.append { opened in
                let result = opened.flatMap { database in
                    Result { () throws(HubError) in try work(database) }
                }
                queue.state.withLock { $0.results.append { finish(result) } }
                queue.done.signal()
                if case .failure(let error) = result { return error }
                return nil
            }
        }
        queue.work.signal()
    }

    /// Ends the thread after the work in flight. No more results are delivered.
    func close() {
        listener?.cancel()
        queue.state.withLock { $0.isClosed = true }
        queue.work.signal()
    }

    private func deliver() {
        let results = queue.state.withLock { state in
            defer { state.results = [] }
            return state.results
        }
        for result in results { result() }
    }

    private nonisolated static func work(_ queue: Queue, _ address: PostgresAddress) {
        var database: HubDatabase?
        while true {
            queue.work.clear()
            guard var jobs = queue.take() else { return }
            if jobs.isEmpty { wait(for: queue.work) }
            while let job = jobs.popFirst() {
                let opened = Result { () throws(HubError) in
                    if let database { return database }
                    return try HubDatabase.open(address)
                }
                switch opened {
                case .success(let open):
                    database = open
                    if let error = job(opened), error.endsConnection { database = nil }
                case .failure:
                    // A hub that does not answer takes 10 s, so the work that has come meanwhile does not try again.
                    for job in [job] + jobs + (queue.take() ?? []) { _ = job(opened) }
                    jobs = []
                }
            }
        }
    }

    private nonisolated static func wait(for wakeUp: WakeUp) {
        var polled = pollfd(fd: wakeUp.fd, events: Int16(POLLIN), revents: 0)
        poll(&polled, 1, -1)
    }
}
