import Diagnostics
import EventLoop
import Hub
import JSONScan
import Posix

/// Takes the commands that viewers have for the sessions of this bridge, and stores their answers; publishes the open
/// requests of its agents. ``HubShipper`` starts and pauses it: it works while the bridge has the lease, and uses the
/// connection that renews the lease.
///
/// It looks for commands at intervals. Notifications would need `LISTEN`, which pgbouncer does not pass on.
@LoopActor package final class HubCommands {
    package typealias Answer = @LoopActor (_ body: [UInt8]) -> Void

    private let policy: CommandPolicy
    private let services: LoopServices
    /// The connection that renews the lease, too.
    let worker: HubWorker
    /// Identifies this program among those that have continued in the same process.
    private let taker: String
    /// Nil while the bridge does not have the lease.
    private var writer: HubWriter?
    private var taken = TakenCommands()
    private var published = PublishedRequests()
    private var pauses = Pauses()
    private var flight = Flight()
    private var counts = Counts()
    private var isEnding = false
    /// Performs a command, and calls its argument once, with the outcome as JSON text.
    package var perform: @LoopActor (ReceivedCommand, @escaping Answer) -> Void = { _, _ in }
    /// Returns the texts for ``HubRequests/body`` of all sessions with open requests, by their numbers in the log.
    package var openRequests: @LoopActor () -> [Int64: [UInt8]] = { [:] }

    private struct Pauses {
        /// Somebody watches the log, and can be about to send a command.
        var isWatched = false
        /// Rows without a waiting sender are deleted at this time; nil for now.
        var nextClearing: Instant?

        var next: Duration { isWatched ? .milliseconds(250) : .seconds(1) }
        static let afterFailure = Duration.seconds(1)
        static let afterFailedPublishing = Duration.seconds(5)
        static let clearing = Duration.seconds(10)
        /// Changes of open requests in this time are published together.
        static let publishing = Duration.milliseconds(200)
    }

    private struct Flight {
        /// Commands are being taken, or will be after a pause.
        var isTaking = false
        /// Open requests will be published after a pause.
        var isPublishingSet = false
    }

    private struct Counts {
        var answered = 0
        /// The last failure to take commands; nil after a success.
        var takingError: HubError?
        /// The last failure to store answers or open requests; nil after a success.
        var storingError: HubError?
    }

    init(_ policy: CommandPolicy, _ worker: HubWorker, services: LoopServices) {
        self.policy = policy
        self.worker = worker
        self.services = services
        // Without randomness, the clock distinguishes this program from earlier ones.
        taker = RandomText.hexadecimal(byteCount: 16) ?? "\(services.time.dateMilliseconds)"
    }

    // MARK: The lease

    /// The bridge has the lease.
    func begin(_ writer: HubWriter) {
        guard self.writer == nil else { return }
        self.writer = writer
        pauses.nextClearing = nil
        published.failed()
        publish()
        storeAnswers()
        take()
    }

    /// The hub cannot be used, or another process has the lease. Commands that run continue.
    func pause() { writer = nil }

    /// The bridge is about to end: it takes no more commands.
    func end() { isEnding = true }

    // MARK: Commands

    private func take() {
        guard let writer, policy != .none, !flight.isTaking, !isEnding else { return }
        flight.isTaking = true
        let (limit, taker) = (taken.room, taker)
        let mustClear = pauses.nextClearing.map { $0 <= services.time.now } ?? true
        // Nothing is taken between this and the deletion, because both are in one job.
        let known = taken.ids
        worker.run { (database) throws(HubError) in
            if mustClear { try database.clearCommands(of: writer, known: known) }
            return try database.take(limit, of: writer, taker: taker)
        } then: { [weak self] result in
            self?.took(result, didClear: mustClear)
        }
    }

    private func took(
        _ result: Result<(commands: [ReceivedCommand], isWatched: Bool), HubError>, didClear: Bool
    ) {
        var pause = Pauses.afterFailure
        switch result {
        case .failure(let error):
            report(error, after: counts.takingError)
            counts.takingError = error
            // Commands can have been taken without an answer to this bridge.
            pauses.nextClearing = nil
        case .success(let found):
            counts.takingError = nil
            if didClear { pauses.nextClearing = services.time.now + Pauses.clearing }
            pauses.isWatched = found.isWatched
            pause = found.commands.isEmpty ? pauses.next : .zero
            taken.took(found.commands.map(\.command.id))
            for command in found.commands { run(command) }
        }
        services.timers.schedule(after: pause) { [weak self] in
            self?.flight.isTaking = false
            self?.take()
        }
    }

    /// A command that was taken runs also if the lease has ended meanwhile: no other process can take it.
    private func run(_ received: ReceivedCommand) {
        let id = received.command.id
        perform(received) { [weak self] body in
            self?.taken.finished(CommandAnswer(id: id, body: body))
            self?.storeAnswers()
        }
    }

    private func storeAnswers() {
        guard writer != nil else { return }
        let answers = taken.nextAnswers()
        guard !answers.isEmpty else { return }
        worker.run { [taker] (database) throws(HubError) in
            try database.answer(answers, taker: taker)
        } then: { [weak self] result in
            guard let self else { return }
            switch result {
            case .success:
                counts.storingError = nil
                taken.stored()
                counts.answered += answers.count
                storeAnswers()
            case .failure(let error):
                storingFailed(error)
                taken.storingFailed()
                services.timers.schedule(after: Pauses.afterFailure) { [weak self] in self?.storeAnswers() }
            }
        }
    }

    // MARK: Open requests

    /// Call when an agent has asked, or a request was answered or withdrawn.
    func requestsChanged() {
        guard writer != nil, !flight.isPublishingSet else { return }
        schedulePublishing(after: Pauses.publishing)
    }

    private func schedulePublishing(after pause: Duration) {
        flight.isPublishingSet = true
        services.timers.schedule(after: pause) { [weak self] in
            self?.flight.isPublishingSet = false
            self?.publish()
        }
    }

    private func publish() {
        guard let writer else { return }
        guard let change = published.change(to: openRequests()) else {
            return schedulePublishing(after: Pauses.publishing)
        }
        guard !change.isEmpty else { return }
        worker.run { (database) throws(HubError) in
            try database.publish(change, of: writer)
        } then: { [weak self] result in
            guard let self else { return }
            switch result {
            case .success:
                counts.storingError = nil
                published.finished()
            case .failure(let error):
                storingFailed(error)
                published.failed()
                if !flight.isPublishingSet { schedulePublishing(after: Pauses.afterFailedPublishing) }
            }
        }
    }

    // MARK: State

    private func storingFailed(_ error: HubError) {
        report(error, after: counts.storingError)
        counts.storingError = error
    }

    /// A lost connection is reported by the renewal of the lease.
    private func report(_ error: HubError, after earlier: HubError?) {
        guard !error.endsConnection, error != earlier else { return }
        DiagnosticLog.daemon.record(.failed(doing: "exchanging commands with the hub", error: error.description))
    }

    package var answeredCount: Int { counts.answered }
    package var runningCount: Int { taken.runningCount }

    /// Writes the members of `commands` in the `hub` of `bridge:status`.
    func write(to writer: inout JSONWriter) {
        writer.member("accepts", policy.rawValue)
        writer.member("running", taken.runningCount)
        writer.member("answered", counts.answered)
        if let error = counts.takingError ?? counts.storingError { writer.member("error", error.description) }
    }
}
