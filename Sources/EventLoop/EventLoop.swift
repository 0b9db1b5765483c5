import CShims
import Glibc
import Posix
import Synchronization

/// Handles the readiness of a watched descriptor.
@LoopActor package protocol PollHandler: AnyObject {
    func pollReady(_ watch: Watch, _ readiness: Readiness)

    /// Whether this is called after the other handlers of a turn: for replies of other threads, because what programs have
    /// written is more urgent.
    var comesLater: Bool { get }
}

extension PollHandler {
    package var comesLater: Bool { false }
}

/// The process's epoll loop: one thread that owns all pipes and sockets. It is the executor of `LoopActor`.
///
/// Level-triggered: a handler that leaves bytes unread is called again. Work is done per chunk that is read, never per
/// line.
package final class EventLoop: SerialExecutor {
    package static let main = EventLoop()

    /// The buffer size of one read. All readers share the buffer, because the bytes are consumed before the handler
    /// returns. 128 KiB is twice a pipe's default capacity; a larger buffer gains nothing.
    package static let readChunkBytes = 128 << 10

    let epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
    private let wakeEvent = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
    private let jobs = Mutex<[UnownedJob]>([])
    private let jobsAreWaiting = Atomic<Bool>(false)
    private let thread = Atomic<UInt>(0)

    @LoopActor private var watches = WatchTable()
    // These three are used in each turn. Their functions call nothing outside of them, so two uses cannot overlap.
    @LoopActor @exclusivity(unchecked) private var timers = TimerQueue()
    @LoopActor @exclusivity(unchecked) private var soonActions: [@LoopActor () -> Void] = []
    /// The number of times that the loop has woken up. It does not change while the loop sleeps.
    @LoopActor @exclusivity(unchecked) package private(set) var turnCount = 0
    @LoopActor private var isStopping = false
    @LoopActor package let readChunk = UnsafeMutableRawBufferPointer.allocate(byteCount: readChunkBytes, alignment: 64)

    private init() {
        var event = epoll_event()
        event.events = EPOLLIN.rawValue
        event.data.u64 = WatchTable.wakeToken
        epoll_ctl(epoll, EPOLL_CTL_ADD, wakeEvent, &event)
    }

    /// Runs the loop on the calling thread until `stop()`. Call it once, from the main thread.
    package func run(_ start: @LoopActor () -> Void) {
        thread.store(UInt(pthread_self()), ordering: .releasing)
        LoopActor.assumeIsolated {
            start()
            turn()
        }
    }

    @LoopActor package func stop() { isStopping = true }

    // MARK: Descriptors and timers

    /// Watches `fd`, which the caller still owns. Cancel the watch before you close the descriptor.
    @LoopActor package func watch(
        _ fd: Int32, _ interest: Readiness, _ handler: any PollHandler
    ) throws(SystemError) -> Watch {
        let watch = watches.insert(fd: fd, interest: interest, handler: handler, poller: self)
        var event = watch.epollEvent
        guard interest.isEmpty || epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event) == 0 else {
            let error = SystemError("epoll_ctl")
            watches.remove(watch)
            throw error
        }
        return watch
    }

    @LoopActor package func interestChanged(of watch: Watch, from earlier: Readiness) {
        var event = watch.epollEvent
        let operation =
            watch.interest.isEmpty ? EPOLL_CTL_DEL : earlier.isEmpty ? EPOLL_CTL_ADD : EPOLL_CTL_MOD
        guard epoll_ctl(epoll, operation, watch.fd, &event) != 0, errno == ENOMEM || errno == ENOSPC else { return }
        schedule(after: Self.registrationPause) { [weak self, weak watch] in
            if let self, let watch { register(watch) }
        }
    }

    /// The pause before a change for which the kernel had no memory is tried again.
    private static let registrationPause = Duration.milliseconds(100)

    /// Registers the present interest, whatever was registered before.
    @LoopActor private func register(_ watch: Watch) {
        guard watch.handler != nil, !watch.interest.isEmpty else { return }
        var event = watch.epollEvent
        // If it is not registered, this fails, and the next call registers it.
        if epoll_ctl(epoll, EPOLL_CTL_MOD, watch.fd, &event) != 0 { interestChanged(of: watch, from: []) }
    }

    @LoopActor package func forget(_ watch: Watch) {
        var event = epoll_event()
        epoll_ctl(epoll, EPOLL_CTL_DEL, watch.fd, &event)
        watches.remove(watch)
    }

    /// Runs `action` once, after `delay` or later.
    @discardableResult
    @LoopActor package func schedule(after delay: Duration, _ action: @escaping @LoopActor () -> Void) -> Timer {
        timers.add(at: Instant.now + delay, action)
    }

    /// Runs `action` once, before the next timers. Actions that a running action adds run in the next turn.
    @LoopActor package func soon(_ action: @escaping @LoopActor () -> Void) { soonActions.append(action) }

    // MARK: The turn

    @LoopActor private func turn() {
        withUnsafeTemporaryAllocation(of: epoll_event.self, capacity: 256) { events in
            while !isStopping {
                let count = epoll_wait(epoll, events.baseAddress, Int32(events.count), waitMilliseconds())
                turnCount += 1
                dispatch(UnsafeMutableBufferPointer(rebasing: events[..<max(0, Int(count))]))
                runSoonActions()
                fireTimers()
                runJobs()
            }
        }
    }

    @LoopActor private func waitMilliseconds() -> Int32 {
        if jobsAreWaiting.load(ordering: .acquiring) || !soonActions.isEmpty { return 0 }
        guard let deadline = timers.nextDeadline else { return -1 }
        let nanoseconds = (deadline - .now).nanoseconds
        return nanoseconds <= 0 ? 0 : Int32(clamping: (nanoseconds + 999_999) / 1_000_000)
    }

    /// Reads what programs have written before it continues with replies of the log's threads and with sockets that have room
    /// again: an agent's update takes microseconds, and a page of the log a fifth of a millisecond.
    @LoopActor private func dispatch(_ events: UnsafeMutableBufferPointer<epoll_event>) {
        var laterCount = 0
        for event in events {
            if event.data.u64 == WatchTable.wakeToken {
                drainWakeEvent()
            } else if let watch = watches.watch(forToken: event.data.u64) {
                let readiness = Readiness(rawValue: event.events)
                if watch.comesLater || readiness == .writable {
                    events[laterCount] = event
                    laterCount += 1
                } else {
                    watch.handler?.pollReady(watch, readiness)
                }
            }
        }
        for event in events[..<laterCount] {
            // The watch can have been cancelled meanwhile.
            guard let watch = watches.watch(forToken: event.data.u64) else { continue }
            watch.handler?.pollReady(watch, Readiness(rawValue: event.events))
        }
    }

    @LoopActor private func runSoonActions() {
        guard !soonActions.isEmpty else { return }
        var actions: [@LoopActor () -> Void] = []
        swap(&actions, &soonActions)
        for action in actions { action() }
        // The memory for some actions is used again.
        actions.removeAll(keepingCapacity: actions.count <= Self.keptSoonActions)
        if soonActions.isEmpty { swap(&actions, &soonActions) }
    }

    private static let keptSoonActions = 1_024

    @LoopActor private func fireTimers() {
        guard timers.nextDeadline != nil else { return }
        let now = Instant.now
        while let timer = timers.popDue(at: now) { timer.fire() }
    }

    private func drainWakeEvent() {
        var count: UInt64 = 0
        read(wakeEvent, &count, 8)
    }

    /// Runs the jobs that wait now. Those that they or other threads add meanwhile run in the next turn, so that no source of
    /// jobs holds up the descriptors and the timers.
    @LoopActor private func runJobs() {
        guard jobsAreWaiting.exchange(false, ordering: .acquiringAndReleasing) else { return }
        let batch = jobs.withLock { waiting in
            defer { waiting = [] }
            return waiting
        }
        for job in batch { job.runSynchronously(on: asUnownedSerialExecutor()) }
    }

    // MARK: Executor

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        jobs.withLock { $0.append(job) }
        guard !jobsAreWaiting.exchange(true, ordering: .acquiringAndReleasing), !isOnThread else { return }
        var one: UInt64 = 1
        write(wakeEvent, &one, 8)
    }

    package func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }
    package func isIsolatingCurrentContext() -> Bool? { isOnThread }
    package func checkIsolated() { precondition(isOnThread, "not on the event loop's thread") }

    private var isOnThread: Bool { UInt(pthread_self()) == thread.load(ordering: .acquiring) }
}
