import Access
import Diagnostics
import EventLoop
import Functions
import HTTP1
import JSONScan
import Posix
import Tinyvex

/// A response, and a callback that runs after the response has been handed to the connection.
struct Answered {
    let response: Response
    var afterwards: @LoopActor () -> Void = {}
}

typealias Answering = @LoopActor (Answered) -> Void

/// The routes that respond over HTTP without an upgrade. Each of them calls the same functions as `/tinyvex`.
@LoopActor struct HTTPResources {
    let functions: Functions
    let time: any TimeSource

    func answer(_ request: Request, _ route: Route, for identity: Identity, then finish: @escaping Answering) {
        let head = request.head
        switch route {
        case .function(let kind): call(kind, request.body, for: identity, then: finish)
        case .sessions: value("sessions:list", head, for: identity, as: ResourceValue.list, then: finish)
        case .agents: value("agents:list", head, for: identity, as: ResourceValue.agents, then: finish)
        case .session(let id): session(id, head, for: identity, then: finish)
        case .updates(let id): updates(of: id, head, for: identity, then: finish)
        case .metrics, .health, .page, .admission, .tickets, .devices, .device, .pushKey, .pushSubscriptions,
            .pushSubscription, .tinyvex, .acp, .stdio:
            finish(Answered(response: .error(404, "not found")))
        }
    }

    // MARK: Convex

    private func call(
        _ kind: FunctionDescription.Kind, _ body: [UInt8], for identity: Identity, then finish: @escaping Answering
    ) {
        let completing: Completing = { result in
            switch result {
            case .success(let completion):
                finish(Answered(response: ConvexCall.success(completion.result), afterwards: completion.afterwards))
            case .failure(let rejection):
                finish(Answered(response: ConvexCall.failure(rejection, serverTs: time.dateMilliseconds)))
            }
        }
        do throws(Rejection) {
            let call = try ConvexCall(body)
            let request = CallRequest(requestId: nil, name: call.path, arguments: call.arguments)
            switch kind {
            case .query: functions.query(call.path, call.arguments, for: identity, then: completing)
            case .mutation: functions.mutate(request, for: identity, then: completing)
            case .action: functions.act(request, for: identity, then: completing)
            }
        } catch {
            completing(.failure(error))
        }
    }

    // MARK: Resources

    private func value(
        _ name: String, _ head: RequestHead, for identity: Identity, as form: @escaping (JSONValue) -> [UInt8],
        then finish: @escaping Answering
    ) {
        resource(finish, form) { completing throws(Rejection) in
            functions.query(name, Parameters(try ResourceParameters.read(head)), for: identity, then: completing)
        }
    }

    private func session(
        _ id: String, _ head: RequestHead, for identity: Identity, then finish: @escaping Answering
    ) {
        resource(finish, ResourceValue.object) { completing throws(Rejection) in
            let params = try ResourceParameters.read(head, adding: [("sessionId", id)])
            functions.query("sessions:get", Parameters(params), for: identity, then: completing)
        }
    }

    private func updates(
        of id: String, _ head: RequestHead, for identity: Identity, then finish: @escaping Answering
    ) {
        resource(finish, ResourceValue.updates) { completing throws(Rejection) in
            try identity.require(.observe)
            let params = try ResourceParameters.read(
                head, adding: [("sessionId", id)], renaming: ["cursor": "sinceSeq"])
            let method = ClientRequest.Method.sessionUpdates.rawValue
            guard case .sessionUpdates(let request) = try ClientRequest.decode(method: method, params: params) else {
                return
            }
            functions.sessions.sessionUpdates(request, for: identity, completing)
        }
    }

    /// Calls `body`, and converts its value to another format.
    private func resource(
        _ finish: @escaping Answering, _ form: @escaping (JSONValue) -> [UInt8],
        _ body: (@escaping Completing) throws(Rejection) -> Void
    ) {
        let completing: Completing = { result in
            switch result {
            case .success(let completion):
                let value = orLog("reading the value of a function") { try JSONValue(validating: completion.result) }
                guard let value else {
                    return finish(Answered(response: .error(500, "the value is no JSON")))
                }
                finish(Answered(response: .json(form(value)), afterwards: completion.afterwards))
            case .failure(let rejection):
                finish(Answered(response: .error(rejection.httpStatus, rejection.message)))
            }
        }
        do throws(Rejection) {
            try body(completing)
        } catch {
            completing(.failure(error))
        }
    }
}
