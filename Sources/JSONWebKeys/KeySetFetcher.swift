import EventLoop
import OutgoingHTTP
import Posix

/// Keeps the key set of a URL current. Requests are sent on threads of their own, one at a time.
@LoopActor package final class KeySetFetcher {
    private let url: String
    private let jobs: BackgroundJobs
    private let services: LoopServices
    private let get: @Sendable (String) -> HTTPGet.Answer
    private let onFault: @LoopActor (String?) -> Void
    private var machine: KeySetMachine
    private var timer: Timer?

    /// The longest wait of a timer, after which the machine is asked again.
    private static let longestSleep = Duration.seconds(3600)

    /// Sends the first request at once.
    ///
    /// - Parameters:
    ///   - get: blocks its thread.
    ///   - onFault: called after each request with its fault, nil if it succeeded.
    package init(
        url: String, services: LoopServices,
        get: @escaping @Sendable (String) -> HTTPGet.Answer = KeySetFetcher.get,
        onFault: @escaping @LoopActor (String?) -> Void
    ) throws(SystemError) {
        self.url = url
        self.services = services
        self.get = get
        self.onFault = onFault
        jobs = try BackgroundJobs("issuer keys", services)
        machine = KeySetMachine(at: services.time.now)
        proceed()
    }

    package nonisolated static func get(_ url: String) -> HTTPGet.Answer {
        HTTPGet.fetch(
            url, accept: "application/jwk-set+json, application/json", limitBytes: JSONWebKeySet.limitBytes)
    }

    package var keys: [JSONWebKey] { machine.keys }

    /// A request is under way, so an unknown key may soon be known.
    package var isFetching: Bool { machine.isFetching }

    /// Call for a token with valid claims that names a key which is not in the set.
    package func noteUnknownKey() {
        machine.notedUnknownKey(at: services.time.now)
        proceed()
    }

    private func proceed() {
        guard machine.begins(at: services.time.now) else { return reschedule() }
        timer?.cancel()
        timer = nil
        let (url, get) = (url, get)
        do throws(SystemError) {
            try jobs.run({ get(url) }, then: { [weak self] answer in self?.finished(answer) })
        } catch {
            finished(HTTPGet.Answer(status: 0, failure: "\(error)"))
        }
    }

    private func finished(_ answer: HTTPGet.Answer) {
        let outcome = KeySetMachine.Outcome(
            status: answer.status, failure: answer.failure, body: answer.body, cacheControl: answer.cacheControl)
        machine.finished(outcome, at: services.time.now)
        onFault(machine.fault)
        reschedule()
    }

    private func reschedule() {
        timer?.cancel()
        timer = nil
        guard let due = machine.due else { return }
        let rest = min(max(.zero, due - services.time.now), Self.longestSleep)
        timer = services.timers.schedule(after: rest) { [weak self] in self?.proceed() }
    }
}
