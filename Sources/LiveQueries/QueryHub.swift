import EventLoop
import Posix
import Tinyvex

/// The watched values and their subscribers.
///
/// A ``QueryMachine`` decides when each value is computed. The hub owns the clock, runs the computations and notifies
/// the subscribers. Code that changes a value calls ``touch(_:)``, which costs almost nothing if the value is not
/// watched.
@LoopActor package final class QueryHub {
    /// Computes a value, immediately or later, and passes it to its last argument once.
    package typealias Compute = @LoopActor (QueryKey, Parameters, @escaping @LoopActor (QueryOutcome) -> Void) -> Void

    /// The maximum number of different values. A further value is refused.
    static let countLimit = 1_024
    /// 64 MiB for all values together. After that, the hub accepts no further value.
    static let heldLimitBytes = 64 << 20

    private struct Watched {
        let params: Parameters
        var subscribers: [ObjectIdentifier: ValueTransmitter] = [:]
        /// Callers that wait for an outcome. Each of them counts as a watcher until then.
        var awaiting: [Awaiting] = []
    }

    private struct Awaiting {
        /// The first computation that includes all changes before the call.
        let ticket: Int
        let action: @LoopActor (QueryOutcome) -> Void
    }

    let services: LoopServices
    private let compute: Compute
    /// Used for each update. Its functions call nothing outside of it, so two uses cannot overlap.
    @exclusivity(unchecked) private var machine = QueryMachine()
    private var watched: [QueryKey: Watched] = [:]
    private var touched: Set<QueryTopic> = []
    /// Grows whenever a value gets a watcher or begins to be computed. Further calls of ``touch(_:)`` for the same topic in the
    /// same round change nothing: the values that depend on it are marked already.
    package private(set) var round = 0
    private var timer: (timer: Timer, deadline: Instant)?

    package init(services: LoopServices, compute: @escaping Compute) {
        self.services = services
        self.compute = compute
    }

    package var count: Int { machine.count }

    func value(of key: QueryKey) -> QueryValue? { machine.value(of: key) }

    // MARK: Watchers

    /// Passes an outcome that includes all changes before this call to `action`, as soon as it exists. The value's rest does
    /// not delay it. A caller that also wants the later outcomes must add a subscriber before `action` returns.
    package func first(_ key: QueryKey, _ params: Parameters, then action: @escaping @LoopActor (QueryOutcome) -> Void)
    {
        lookIntoTouched()
        guard let ticket = machine.ticketOfCurrent(key) else {
            if let value = machine.value(of: key) { action(value.outcome) }
            return
        }
        guard machine.isWatched(key) || hasRoom else {
            return action(.failure(Rejection(.limitExceeded, "the bridge has reached its limit of watched values")))
        }
        watched[key, default: Watched(params: params)].awaiting.append(Awaiting(ticket: ticket, action: action))
        watch(key, params)
        hasten(key)
    }

    private func hasten(_ key: QueryKey) {
        if let computation = machine.hasten(key, at: services.time.now) { run(computation) }
    }

    private var hasRoom: Bool { machine.count < Self.countLimit && machine.heldBytes < Self.heldLimitBytes }

    package func add(_ subscriber: ValueTransmitter, _ params: Parameters) {
        watched[subscriber.key, default: Watched(params: params)].subscribers[ObjectIdentifier(subscriber)] = subscriber
        watch(subscriber.key, params)
        subscriber.valueChanged()
    }

    func remove(_ subscriber: ValueTransmitter) {
        guard watched[subscriber.key]?.subscribers.removeValue(forKey: ObjectIdentifier(subscriber)) != nil else {
            return
        }
        unwatch(subscriber.key)
    }

    private func watch(_ key: QueryKey, _ params: Parameters) {
        round += 1
        let (topics, refresh) = key.name.dependencies(params)
        if let computation = machine.watch(key, topics: topics, refresh: refresh, at: services.time.now) {
            run(computation)
        }
    }

    private func unwatch(_ key: QueryKey) {
        machine.unwatch(key)
        if !machine.isWatched(key) { watched[key] = nil }
    }

    // MARK: Events

    /// Reports a change. Several reports in one turn of the loop are handled once.
    package func touch(_ topic: QueryTopic) {
        guard !machine.isEmpty, machine.isWatched(topic), touched.insert(topic).inserted else { return }
        guard touched.count == 1 else { return }
        services.timers.soon { [weak self] in self?.lookIntoTouched() }
    }

    private func lookIntoTouched() {
        guard !touched.isEmpty else { return }
        let topics = touched
        touched = []
        for topic in topics { for computation in machine.touch(topic, at: services.time.now) { run(computation) } }
        schedule()
    }

    private func run(_ computation: QueryMachine.Computation) {
        round += 1
        guard let params = watched[computation.key]?.params else { return }
        compute(computation.key, params) { [weak self] outcome in self?.computed(computation, outcome) }
    }

    private func computed(_ computation: QueryMachine.Computation, _ outcome: QueryOutcome) {
        let key = computation.key
        if let isNews = machine.computed(key, ticket: computation.ticket, outcome, at: services.time.now) {
            let served = watched[key]?.awaiting.filter { $0.ticket <= computation.ticket } ?? []
            watched[key]?.awaiting.removeAll { $0.ticket <= computation.ticket }
            if isNews, let subscribers = watched[key]?.subscribers.values {
                for subscriber in Array(subscribers) { subscriber.valueChanged() }
            }
            for waiting in served {
                waiting.action(outcome)
                unwatch(key)
            }
            if watched[key]?.awaiting.isEmpty == false { hasten(key) }
        }
        schedule()
    }

    private func schedule() {
        guard let deadline = machine.nextDeadline else { return }
        if let timer, timer.deadline <= deadline { return }
        timer?.timer.cancel()
        let next = services.timers.schedule(after: max(.zero, deadline - services.time.now)) { [weak self] in
            guard let self else { return }
            self.timer = nil
            for computation in self.machine.becameDue(at: self.services.time.now) { self.run(computation) }
            self.schedule()
        }
        timer = (next, deadline)
    }
}
