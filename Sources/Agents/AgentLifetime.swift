import ACPRouting
import EventLoop
import Posix

/// Decides, from the current facts and the time, whether an agent continues. The owner performs the actions.
@LoopActor final class AgentLifetime {
    enum Action: Equatable {
        case closeInput
        /// Detach the editor if it has taken all output. Otherwise this action comes again after
        /// ``AgentLifetime/editorTookOutput()``.
        case detachEditor
        case end
        /// Refuse the agent's requests that need a primary. Otherwise the turn would never end.
        case refuseUnservable
        case cancelPermission(PermissionClock.Key)
        /// Call ``RequestRouter/expire(at:)``, then ``AgentLifetime/reconsider()``.
        case expire
    }

    /// The router of an agent that runs; nil while the agent ends. Set once, before the first event.
    var router: @LoopActor () -> RequestRouter? = { nil }
    /// Set once, before the first event.
    var perform: @LoopActor (Action) -> Void = { _ in }
    /// Compares the pending permission requests with the rules, because the agent can have become unattended. Set once,
    /// before the first event.
    var consultRules: @LoopActor () -> Void = {}
    private(set) var machine: LifetimeMachine

    private let permissionClock: PermissionClock
    private let loop: LoopServices
    private var lastOutput: Instant
    private var endTimer: Timer?
    private var silenceTimer: Timer?
    private var refusalTimer: Timer?
    private var restTimer: Timer?
    private var answerTimer: Timer?
    private var expiryTimer: Timer?
    let permissionLimit: PermissionLimit
    /// How long resting work alone keeps the agent.
    private let restLimit: Duration

    /// An editor that has closed only its end of the input can still read. If the agent owes that editor no answer, the
    /// agent ends after this time without output.
    static let silenceAfterInput = Duration.seconds(10)
    /// 30 s. An editor that has closed its end of the input cannot answer the agent's requests. Another client can do so in
    /// this time, and the editor still gets the rest of the turn. Afterwards the agent continues without the editor.
    static let answerLimitAfterInput = Duration.seconds(30)
    /// The router's limits in time are between 5 and 30 seconds.
    private static let expiryInterval = Duration.seconds(5)

    init(
        _ machine: LifetimeMachine, permissionLimit: PermissionLimit, restLimit: Duration = .seconds(3600),
        loop: LoopServices
    ) {
        self.machine = machine
        self.loop = loop
        self.restLimit = restLimit
        self.permissionLimit = permissionLimit
        permissionClock = PermissionClock(limit: permissionLimit.time, scheduler: loop.timers)
        lastOutput = loop.time.now
    }

    /// True if the agent would continue if the editor left now.
    var outlivesEditor: Bool { machine.outlivesEditor }

    // MARK: Events

    func agentWrote(_ work: RequestRouter.WorkSummary) {
        if machine.inputHasEnded { lastOutput = loop.time.now }
        let workHasChanged =
            work.hasRunningTurn != machine.hasTurn || work.hasRestingWork != machine.hasRestingWork
        let isSilentWithoutInput = machine.inputHasEnded && !work.hasRunningTurn
        let isLimitNew = work.hasLimitsInTime && expiryTimer == nil
        let isAnswerDue = machine.inputHasEnded && work.hasQuestions != (answerTimer != nil)
        let isUnattended = !machine.hasEditor && work.isUnattended
        if workHasChanged || isSilentWithoutInput || isLimitNew || isAnswerDue || isUnattended { reconsider() }
    }

    func editorWrote(hasRunningTurn: Bool) { machine.hasTurn = hasRunningTurn }

    func editorEndedInput() {
        machine.inputHasEnded = true
        lastOutput = loop.time.now
        reconsider()
    }

    /// The editor has taken all output.
    func editorTookOutput() {
        if machine.inputHasEnded { reconsider() }
    }

    func editorGone() {
        noteWork()
        machine.hasEditor = false
        machine.inputHasEnded = false
        machine.answersCannotCome = false
        reconsider()
    }

    /// - Parameters:
    ///   - hasEditor: True while the editor, or the client that replaced it, is attached.
    ///   - hasOthers: True while other clients use the agent.
    func clientsChanged(hasEditor: Bool, hasOthers: Bool) {
        noteWork()
        machine.hasOtherClients = hasOthers
        machine.hasEditor = hasEditor
        reconsider()
    }

    /// The agent continues until it is ended on request.
    func keep() {
        machine.keep()
        reconsider()
    }

    /// Call after a change that can affect the agent's lifetime.
    func reconsider() {
        endTimer?.cancel()
        endTimer = nil
        consultRules()
        guard let router = router() else { return }
        noteWork()
        refuseUnservableInTime(router)
        cancelPermissionsInTime(router)
        expireInTime(router)
        endRestInTime()
        detachEditorInTime(router)
        switch machine.verdict {
        case .stay: break
        case .closeInput:
            machine.inputWasClosed()
            perform(.closeInput)
            endIfSilent()
        case .detachEditor: perform(.detachEditor)
        case .end(let delay):
            guard delay > .zero else { return perform(.end) }
            endTimer = loop.timers.schedule(after: delay) { [weak self] in self?.perform(.end) }
        }
    }

    /// Cancels the timers, because the agent has left.
    func stop() {
        for timer in [endTimer, silenceTimer, refusalTimer, restTimer, answerTimer, expiryTimer] { timer?.cancel() }
        permissionClock.run(for: []) { _ in }
    }

    private func noteWork() {
        guard let router = router() else { return }
        machine.hasTurn = router.hasRunningTurn
        machine.hasRestingWork = router.hasRestingWork
        machine.owesAnswers = !router.isIdle
    }

    // MARK: Time limits

    /// Runs a timer while resting work alone keeps the agent. Each client and each turn begins the time again.
    private func endRestInTime() {
        guard machine.isKeptByRestingWork else {
            restTimer?.cancel()
            restTimer = nil
            return
        }
        guard restTimer == nil else { return }
        restTimer = loop.timers.schedule(after: restLimit) { [weak self] in
            self?.restTimer = nil
            self?.machine.restHasLapsed = true
            self?.reconsider()
        }
    }

    /// Runs a timer while the agent waits for an answer that the editor cannot give without its input.
    private func detachEditorInTime(_ router: RequestRouter) {
        guard machine.hasEditor, machine.inputHasEnded, router.hasQuestions else {
            answerTimer?.cancel()
            answerTimer = nil
            return
        }
        guard answerTimer == nil, !machine.answersCannotCome else { return }
        answerTimer = loop.timers.schedule(after: Self.answerLimitAfterInput) { [weak self] in
            self?.answersDidNotCome()
        }
    }

    private func answersDidNotCome() {
        answerTimer = nil
        machine.answersCannotCome = router()?.hasQuestions == true
        reconsider()
    }

    private func expireInTime(_ router: RequestRouter) {
        guard router.hasLimitsInTime, expiryTimer == nil else { return }
        expiryTimer = loop.timers.schedule(after: Self.expiryInterval) { [weak self] in
            self?.expiryTimer = nil
            self?.perform(.expire)
        }
    }

    /// Runs a timer while requests of the agent wait for a primary. Each primary ends the wait.
    private func refuseUnservableInTime(_ router: RequestRouter) {
        guard router.awaitsPrimary else {
            refusalTimer?.cancel()
            refusalTimer = nil
            return
        }
        guard refusalTimer == nil else { return }
        refusalTimer = loop.timers.schedule(after: machine.policy.patience) { [weak self] in
            self?.refusalTimer = nil
            self?.perform(.refuseUnservable)
        }
    }

    private func cancelPermissionsInTime(_ router: RequestRouter) {
        guard permissionClock.limit != nil else { return }
        permissionClock.run(for: router.isUnattended ? router.pendingPermissions : []) { [weak self] key in
            self?.perform(.cancelPermission(key))
        }
    }

    private func endIfSilent() {
        guard silenceTimer == nil, router()?.isIdle == true else { return }
        let rest = Self.silenceAfterInput - (loop.time.now - lastOutput)
        guard rest > .zero else { return perform(.end) }
        silenceTimer = loop.timers.schedule(after: rest) { [weak self] in
            self?.silenceTimer = nil
            self?.endIfSilent()
        }
    }
}
