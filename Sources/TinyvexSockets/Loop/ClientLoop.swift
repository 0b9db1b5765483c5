import EventLoop
import Glibc
import Posix
import Synchronization

/// One thread for all work of a small program: its tasks, its connections and its waits.
///
///     let loop = try ClientLoop()
///     let sessions = try loop.run { try await … }
///
/// Made for command-line tools. They start as fast as programs without tasks, and a batch goes from the socket to its
/// reader without leaving the thread. Blocking code on the loop blocks everything else on it.
package final class ClientLoop: Sendable {
    private struct State {
        var jobs: [UnownedJob] = []
        var newLives: [@Sendable () -> ConnectionLife] = []
        var waits = LoopWaits()
        /// The thread waits in poll(2), or is about to.
        var isIdle = false
    }

    private let state = Mutex(State())
    private let wakeUp: WakeUp

    package init() throws(SystemError) { wakeUp = try WakeUp() }

    /// Runs `body`, and the tasks it starts, on the calling thread, and returns when `body` returns. Remaining
    /// connections end at that moment.
    package func run<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) throws -> Value {
        let outcome = Outcome<Value>()
        Task(executorPreference: self) {
            do {
                let value = try await body()
                outcome.set(.success(value))
            } catch {
                outcome.set(.failure(error))
            }
        }
        var connections = LoopConnections()
        while true {
            runJobs(&connections)
            if let result = outcome.result {
                connections.abandon()
                return try result.get()
            }
            wait(&connections)
        }
    }

    private func runJobs(_ connections: inout LoopConnections) {
        let (jobs, newLives) = state.withLock { state in
            defer { (state.jobs, state.newLives) = ([], []) }
            return (state.jobs, state.newLives)
        }
        for job in jobs { job.runSynchronously(on: asUnownedTaskExecutor()) }
        for makeLife in newLives { connections.add(makeLife()) }
    }

    /// Waits until there is work, and does all of it except the jobs.
    private func wait(_ connections: inout LoopConnections) {
        var requests = [pollfd(fd: wakeUp.fd, events: Int16(POLLIN), revents: 0)]
        connections.append(to: &requests)
        let connectionsEnd = requests.count
        let deadline = state.withLock { state -> Instant? in
            let hasWork = !state.jobs.isEmpty || !state.newLives.isEmpty || connections.isImmediate
            state.isIdle = !hasWork
            state.waits.append(to: &requests)
            return hasWork
                ? Instant(nanoseconds: 0) : [state.waits.deadline, connections.deadline].compactMap(\.self).min()
        }
        poll(&requests, nfds_t(requests.count), deadline.map(ConnectionWait.milliseconds) ?? -1)
        let over = state.withLock { state in
            state.isIdle = false
            return state.waits.removeEnded(requests[connectionsEnd...], at: .now)
        }
        if requests[0].revents != 0 { wakeUp.clear() }
        for (waiter, isReady) in over { waiter.resume(returning: isReady) }
        connections.step(requests[1..<connectionsEnd])
    }

    /// Can be called from any thread.
    private func change<Result>(_ body: (inout State) -> Result) -> Result {
        let (result, mustWake) = state.withLock { state in
            defer { state.isIdle = false }
            return (body(&state), state.isIdle)
        }
        if mustWake { wakeUp.signal() }
        return result
    }
}

extension ClientLoop: TaskExecutor {
    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        change { $0.jobs.append(job) }
    }
}

extension ClientLoop: ConnectionHost {
    func host(_ makeLife: @escaping @Sendable () -> ConnectionLife) { change { $0.newLives.append(makeLife) } }
}

extension ClientLoop {
    /// Waits until the descriptor is ready for one of these poll(2) events, or has failed. If `events` is 0, only a
    /// failure ends the wait. Returns false if the task was cancelled.
    package func wait(for events: Int32, on fd: Int32) async -> Bool { await wait(fd: fd, events: events, until: nil) }

    /// Returns at that instant, or as soon as the task is cancelled.
    package func sleep(until deadline: Instant) async { _ = await wait(fd: -1, events: 0, until: deadline) }

    private func wait(fd: Int32, events: Int32, until deadline: Instant?) async -> Bool {
        let number = change { $0.waits.newNumber() }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                let isCancelled = change { state in
                    guard !Task.isCancelled else { return true }
                    state.waits.add(LoopWait(fd: fd, events: events, deadline: deadline, waiter: waiter), number)
                    return false
                }
                if isCancelled { waiter.resume(returning: false) }
            }
        } onCancel: {
            change { $0.waits.remove(number) }?.waiter.resume(returning: false)
        }
    }
}

/// The outcome of a loop's first task.
private final class Outcome<Value: Sendable>: Sendable {
    private let place = Mutex<Result<Value, any Error>?>(nil)

    var result: Result<Value, any Error>? { place.withLock { $0 } }

    func set(_ result: Result<Value, any Error>) { place.withLock { $0 = result } }
}
