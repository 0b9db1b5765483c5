import AgentProcess
import Diagnostics
import EventLoop
import Glibc
import Notifications
import OutgoingHTTP
import Posix
import PushCrypto
import Tinyvex

/// Sends the notifications of one bridge. It performs the actions of ``NotificationMachine``: requests and the queue's file
/// on threads of their own, commands as processes.
@LoopActor package final class Notifier {
    package let settings: NotificationSettings
    private let files: NotificationFiles
    private let services: LoopServices
    private let environment: [SystemString]
    private let jobs: BackgroundJobs
    private let queueFile: LatestFile
    private let senders: PushSenders
    private var machine: NotificationMachine
    private var reader = SessionEventReader()
    private var timer: Timer?
    /// The tests that wait for a message, by its id.
    private var tests: [String: [NotificationTest]] = [:]
    /// The processes of commands that may still run.
    private var commands: [pid_t] = []

    /// Whether the token with this id is valid. The bridge sets it.
    package var isGoodToken: @LoopActor (String) -> Bool = { _ in true }
    /// Called when ``registrations(of:)`` has changed.
    package var onRegistrations: @LoopActor () -> Void = {}

    /// The machine's times follow the wall clock, and the loop's timers do not. A change of the clock is noticed within
    /// this time.
    private static let longestSleep: Int64 = 60_000

    /// - Parameters:
    ///   - environment: the environment of commands.
    package init(
        _ settings: NotificationSettings, home: Home, environment: [SystemString], services: LoopServices = .main
    ) throws {
        self.settings = settings
        self.environment = environment.filter { !$0.bytes.starts(with: "ACPBRIDGE_TOKEN=".utf8) }
        self.services = services
        files = NotificationFiles(home)
        senders = try PushSenders(settings, files)
        jobs = try BackgroundJobs("notifications", services)
        queueFile = LatestFile(home.notificationQueue, jobs: jobs) { error in
            DiagnosticLog.daemon.record(.failed(doing: "storing notifications", error: "\(error)"))
        }
        machine = NotificationMachine(
            settings, subscriptions: try files.subscriptions(), muted: try files.muted(), queue: try files.queue(),
            newId: { RandomText.hexadecimal(byteCount: 16) })
        reschedule()
    }

    // MARK: Events

    /// A session's timeline has a new entry. Without targets, `session` is not evaluated.
    package func noted(_ kind: String, _ body: [UInt8], of session: @autoclosure () -> NotifiedSession) {
        guard hasTargets else { return }
        let session = session()
        switch reader.read(kind, body, of: session, at: services.time.dateMilliseconds) {
        case .occurred(let event): perform(machine.occurred(event, at: now))
        case .answered(let requestId):
            perform(machine.answered(session.place, requestId: requestId, at: now))
        case .prompted: perform(machine.prompted(session.place, at: now))
        case nil: break
        }
    }

    /// A person has this session on a screen.
    package func viewed(_ session: NotifiedSession) { perform(machine.viewed(session.place, at: now)) }

    /// Mutes a session for a tenant's people, or ends the mute, and stores that.
    package func mute(_ incarnation: String, _ isMuted: Bool, tenant: String?) throws(SystemError) {
        var muted = machine.muted
        muted.set(isMuted, incarnation, tenant: tenant)
        try files.store(muted)
        perform(machine.muted(muted))
    }

    package var hasTargets: Bool { !settings.targets.isEmpty }

    package func isMuted(_ incarnation: String, tenant: String?) -> Bool {
        machine.muted.contains([incarnation], tenant: tenant)
    }

    /// Sends a notification to every destination, or to one registration.
    ///
    /// - Parameters:
    ///   - registration: nil for every destination.
    ///   - pageURL: the public address of the page; nil if none is configured.
    ///   - finish: called with the results when all have ended.
    package func test(
        _ registration: PushSubscription? = nil, pageURL: String? = nil,
        _ finish: @escaping @LoopActor ([NotificationTest.Result]) -> Void
    ) {
        let event = NotificationEvent(
            .test, agent: "", sessionId: "", tenant: registration?.tenant, url: pageURL)
        let actions = machine.occurred(event, only: registration?.id, at: now)
        let test = NotificationTest(finish)
        // Some of them wait until other deliveries have ended.
        for message in machine.tests where registration == nil || message.subscription == registration?.id {
            test.began(message)
            tests[message.id, default: []].append(test)
        }
        test.allBegan()
        perform(actions)
    }

    /// Ends the tests whose messages the machine has dropped.
    private func endDroppedTests() {
        for id in tests.keys where !machine.holds(id) {
            for test in tests.removeValue(forKey: id) ?? [] {
                test.ended(id, "newer notifications have taken its place")
            }
        }
    }

    // MARK: Registrations

    /// The public key for `PushManager.subscribe`, 65 bytes; nil if no target of Web Push is configured.
    package func pushPublicKey() throws -> [UInt8]? {
        guard settings.push != nil else { return nil }
        return try senders.pushKey().publicKey
    }

    /// The registrations that a tenant can see. A nil tenant sees all.
    package func registrations(of tenant: String?) -> [PushSubscription] {
        machine.subscriptions.filter { tenant == nil || $0.tenant == tenant }
    }

    /// Adds a registration, or replaces the earlier one of the same address and tenant.
    package func subscribe(_ subscription: PushSubscription) throws(Rejection) {
        try machine.register(subscription)
        storeSubscriptions()
    }

    /// Ends a subscription. Returns false if there is none that the client may end.
    package func unsubscribe(_ id: String, where mayEnd: (PushSubscription) -> Bool) -> Bool {
        let isKnown = machine.subscriptions.contains { $0.id == id && mayEnd($0) }
        guard isKnown else { return false }
        perform(machine.ended(subscription: id))
        storeSubscriptions()
        return true
    }

    /// Ends the subscriptions of tokens that were revoked or have expired.
    package func endExpiredSubscriptions() {
        let ended = machine.subscriptions.filter { $0.tokenId.map { !isGoodToken($0) } ?? false }
        guard !ended.isEmpty else { return }
        for subscription in ended { perform(machine.ended(subscription: subscription.id)) }
        storeSubscriptions()
    }

    private func storeSubscriptions() {
        onRegistrations()
        orLog("storing push subscriptions") { () throws(SystemError) in try files.store(machine.subscriptions) }
    }

    // MARK: Actions

    private var now: NotificationTime {
        let ts = services.time.dateMilliseconds
        var seconds = time_t(ts / 1000)
        var parts = tm()
        localtime_r(&seconds, &parts)
        return NotificationTime(ts: ts, minuteOfDay: Int(parts.tm_hour) * 60 + Int(parts.tm_min))
    }

    private func perform(_ actions: [NotificationMachine.Action]) {
        for action in actions {
            switch action {
            case .deliver(let message): deliver(message)
            case .store: queueFile.replace { [machine] in machine.storedQueue }
            case .forget: storeSubscriptions()
            case .gaveUp(let message):
                DiagnosticLog.daemon.record(
                    .failed(doing: "notifying", error: "\(message.target): the notification is given up"))
            }
        }
        if !tests.isEmpty { endDroppedTests() }
        reschedule()
    }

    private func reschedule() {
        timer?.cancel()
        timer = nil
        guard let due = machine.nextDueTs else { return }
        let rest = min(max(0, due - services.time.dateMilliseconds), Self.longestSleep)
        timer = services.timers.schedule(after: .milliseconds(rest)) { [weak self] in
            guard let self else { return }
            perform(machine.due(at: now))
        }
    }

    /// Stores the queue before the process ends or runs another program.
    package func flush() { queueFile.flush() }

    // MARK: Delivery

    private func deliver(_ message: NotificationMessage) {
        guard let target = settings.targets.first(where: { $0.name == message.target }) else {
            return finished(message, .gone, nil)
        }
        do {
            if case .command(let command) = target.address {
                try run(command, message)
                finished(message, .delivered, nil)
            } else if let request = try request(message, target) {
                try post(request, message, target)
            } else {
                finished(message, .gone, "the subscription has ended")
            }
        } catch {
            finished(message, .failed, "\(error)")
        }
    }

    private func request(_ message: NotificationMessage, _ target: NotificationTarget) throws -> NotificationRequest? {
        let ts = services.time.dateMilliseconds
        switch target.address {
        case .webhook(let url, let secret):
            return try NotificationRequest.webhook(message, url: url, secret: secret, at: ts)
        case .ntfy(let url, let topic, let token):
            return NotificationRequest.ntfy(message, url: url, topic: topic, token: token)
        case .push, .apns, .webhooks:
            // The token can have expired while its page was closed.
            endExpiredSubscriptions()
            return try machine.subscriptions.first { $0.id == message.subscription }
                .flatMap { try request(message, target, to: $0, at: ts) }
        case .command: return nil
        }
    }

    /// Returns nil if the target no longer serves the registration.
    private func request(
        _ message: NotificationMessage, _ target: NotificationTarget, to subscription: PushSubscription, at ts: Int64
    ) throws -> NotificationRequest? {
        switch (target.address, subscription.address) {
        case (.push(let push), .browser(let endpoint, let keys)):
            try NotificationRequest.push(
                message, endpoint: endpoint, keys: keys, push, key: senders.pushKey(), at: ts)
        case (.apns(let apns), .device(let token, _, _)):
            APNsRequest.request(
                message, deviceToken: token, apns, token: try senders.token(for: apns, now: ts / 1000))
        case (.webhooks(let webhooks), .webhook(let url, let secret)):
            try NotificationRequest.webhook(
                message, url: url, secret: secret.flatMap { WebhookSignature.secret($0) },
                isPublicOnly: !webhooks.allowsPrivate, at: ts)
        default: nil
        }
    }

    private func post(
        _ request: NotificationRequest, _ message: NotificationMessage, _ target: NotificationTarget
    ) throws(SystemError) {
        try jobs.run {
            HTTPPost.send(
                request.body, to: request.url, fields: request.fields, authorities: target.authoritiesFile,
                isPublicOnly: request.isPublicOnly, usesHTTP2: request.usesHTTP2)
        } then: { [weak self] answer in
            self?.answered(answer, message, target)
        }
    }

    private func answered(_ answer: HTTPPost.Answer, _ message: NotificationMessage, _ target: NotificationTarget) {
        let outcome: NotificationMachine.Outcome
        var reason = answer.status == 0 ? answer.failure : "the server answered \(answer.status)"
        switch target.address {
        case .apns(let apns):
            outcome = APNsRequest.outcome(
                status: answer.status, body: answer.beginning, retryAfterSeconds: answer.retryAfterSeconds)
            if let name = APNsRequest.reason(answer.beginning) { reason += " (\(name))" }
            if APNsRequest.isExpiredToken(status: answer.status, body: answer.beginning) {
                senders.forgetToken(for: apns)
            }
        default:
            let isPush = if case .push = target.address { true } else { false }
            outcome = NotificationRequest.outcome(
                status: answer.status, isPush: isPush, retryAfterSeconds: answer.retryAfterSeconds)
        }
        finished(message, outcome, outcome == .delivered ? nil : reason)
    }

    /// The number of commands that run at once. A command that hangs must not fill the machine with processes.
    private nonisolated static let commandLimit = 16

    private struct TooManyCommands: Error, CustomStringConvertible {
        let description = "\(Notifier.commandLimit) commands of earlier notifications still run"
    }

    /// Nothing waits for the command's end: a program such as `notify-send` has its own errors.
    private func run(_ command: [String], _ message: NotificationMessage) throws {
        // The bridge reaps its children as they end. A signal of 0 only tests whether the process exists.
        commands.removeAll { kill($0, 0) != 0 }
        guard commands.count < Self.commandLimit else { throw TooManyCommands() }
        let nothing = Descriptor(owning: open("/dev/null", O_RDWR | O_CLOEXEC))
        let request = SpawnRequest(
            command: NotificationCommand.arguments(command, for: message).map { SystemString($0) }, directory: "/",
            environment: environment)
        commands.append(try DetachedProcess.start(request, streams: (nothing.raw, nothing.raw, nothing.raw)))
    }

    private func finished(_ message: NotificationMessage, _ outcome: NotificationMachine.Outcome, _ reason: String?) {
        if let reason {
            DiagnosticLog.daemon.record(.failed(doing: "notifying", error: "\(message.target): \(reason)"))
        }
        for test in tests.removeValue(forKey: message.id) ?? [] { test.ended(message.id, reason) }
        perform(machine.finished(message.id, outcome, at: now))
    }
}
