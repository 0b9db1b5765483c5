import ACPMethods
import ACPRouting
import Agents
import EventLoop
import JSONScan
import ProductVersion
import Tinyvex

/// One agent that was started for one session, until it has opened the session. Without the session, the agent is ended.
///
/// The agent's open request keeps this object.
@LoopActor final class StartingSession {
    typealias Completion = @LoopActor (Result<OpenSession, Rejection>) -> Void

    private let run: AgentRun
    private let who: String
    private let finish: Completion
    private var opening: SessionOpening
    private var timer: Timer?
    private var isLate = false

    /// Long enough for an agent that is downloaded at its first start.
    private static let patience = Duration.seconds(300)

    init(
        _ run: AgentRun, folder: String, continuing earlier: String?, by who: String,
        then finish: @escaping Completion
    ) {
        self.run = run
        self.who = who
        self.finish = finish
        opening = SessionOpening(agent: run.name, folder: folder, continuing: earlier)
    }

    func begin(_ timers: any TimerScheduler) {
        // The end of the agent answers its open request.
        timer = timers.schedule(after: Self.patience) { [weak self] in
            self?.isLate = true
            self?.run.end()
        }
        request(opening.initialize(program: programVersion))
    }

    private func request(_ request: (method: ACPMethod, params: [UInt8])) {
        ask(request.method, request.params) { start, result, error in
            if request.method == .initialize { start.initialized(result, error) } else { start.opened(result, error) }
        }
    }

    private func ask(
        _ method: ACPMethod, _ params: [UInt8],
        then take: @escaping @LoopActor (StartingSession, _ result: JSONValue?, _ error: JSONValue?) -> Void
    ) {
        run.ask(method.name, try? JSONValue(validating: params), by: who) { [self] reply in
            take(self, Self.value(reply.result), Self.value(reply.error))
        }
    }

    private static func value(_ text: [UInt8]?) -> JSONValue? { text.flatMap { try? JSONValue(validating: $0) } }

    private func initialized(_ result: JSONValue?, _ error: JSONValue?) {
        do throws(SessionOpening.Failure) {
            let next = try opening.initialized(
                result: result, error: error, program: programVersion, hasEnded: run.isEnding)
            try checkEnd()
            request(next)
        } catch {
            fail(error)
        }
    }

    private func opened(_ result: JSONValue?, _ error: JSONValue?) {
        do throws(SessionOpening.Failure) {
            let session = try opening.opened(result: result, error: error)
            try checkEnd()
            guard run.sessions?.sessions[session]?.isLive == true else {
                throw SessionOpening.Failure(message: "the bridge cannot publish the session that the agent has opened")
            }
            timer?.cancel()
            run.openedSession()
            finish(.success(OpenSession(id: session, run: run)))
        } catch {
            fail(error)
        }
    }

    /// An agent can answer after somebody has stopped it.
    private func checkEnd() throws(SessionOpening.Failure) {
        if run.isEnding {
            throw SessionOpening.Failure(message: "\(run.name) was stopped before it had opened a session")
        }
    }

    private func fail(_ failure: SessionOpening.Failure) {
        timer?.cancel()
        run.end()
        let late = "\(run.name) has opened no session within \(Self.patience.components.seconds) s"
        finish(.failure(Rejection(.agentUnavailable, isLate ? late : failure.message, rpcCode: .internalError)))
    }
}
