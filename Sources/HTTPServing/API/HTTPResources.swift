import Access
import Diagnostics
import EventLoop
import Functions
import HTTP1
import JSONScan
import Posix
import Tinyvex

/// A response, and a callback that runs after the response has been handed to the connection.
struct HTTPAnswer {
    var response: Response
    /// The rest of the body, if the response has only its beginning.
    var rest: FileDownload?
    var afterwards: @LoopActor () -> Void = {}
}

/// Receives the answer to a request, once.
typealias HTTPCompletionHandler = @LoopActor (HTTPAnswer) -> Void

/// The routes that respond over HTTP without an upgrade. Each of them calls the same functions as `/tinyvex`.
@LoopActor struct HTTPResources {
    let functions: Functions
    let files: FileResources
    let time: any TimeSource

    func answer(
        _ request: Request, _ route: ResourceRoute, for identity: Identity,
        then respond: @escaping HTTPCompletionHandler
    ) {
        let head = request.head
        let finish: HTTPCompletionHandler = { answer in
            var answer = answer
            if route.isPolled { answer.response = Revalidation.applied(to: answer.response, of: head) }
            respond(answer)
        }
        switch route {
        case .function(let kind): call(kind, request, for: identity, then: finish)
        case .sessions: value(.sessionsList, head, for: identity, as: ResourceValue.list, then: finish)
        case .agents: value(.agentsList, head, for: identity, as: ResourceValue.agents, then: finish)
        case .session(let id): session(id, request, for: identity, then: finish)
        case .updates(let id): updates(of: id, head, for: identity, then: finish)
        }
    }

    // MARK: Convex

    private func call(
        _ kind: FunctionDescription.Kind, _ request: Request, for identity: Identity,
        then finish: @escaping HTTPCompletionHandler
    ) {
        do throws(Rejection) {
            let isPost = request.head.method == "POST"
            let call = isPost ? try ConvexCall(request.body) : try ConvexCall(request.head)
            let arguments = try files.arguments(of: call.request, request.head)
            let complete: CompletionHandler = { result in finish(answer(to: result, call.format)) }
            switch kind {
            case .query: functions.query(call.request.name, call.request.arguments, for: identity, then: complete)
            case .mutation:
                let mutation = CallRequest(
                    requestId: call.request.requestId, name: call.request.name, arguments: arguments)
                functions.mutate(mutation, for: identity, then: complete)
            case .action: functions.act(call.request, for: identity, then: complete)
            }
        } catch {
            finish(answer(to: .failure(error), .json))
        }
    }

    private func answer(
        to result: Result<FunctionResponse, Rejection>, _ format: ConvexCall.Format
    ) -> HTTPAnswer {
        switch result {
        case .success(let response):
            HTTPAnswer(
                response: ConvexCall.success(response.result, format), afterwards: response.afterwards)
        case .failure(let rejection):
            HTTPAnswer(response: ConvexCall.failure(rejection, serverTs: time.dateMilliseconds))
        }
    }

    // MARK: Resources

    private func value(
        _ name: QueryName, _ head: RequestHead, for identity: Identity, as form: @escaping (JSONValue) -> [UInt8],
        then finish: @escaping HTTPCompletionHandler
    ) {
        resource(finish, form) { complete throws(Rejection) in
            functions.query(name.rawValue, Parameters(try ResourceParameters.read(head)), for: identity, then: complete)
        }
    }

    private func session(
        _ id: String, _ request: Request, for identity: Identity, then finish: @escaping HTTPCompletionHandler
    ) {
        let head = request.head
        switch head.method {
        case "PATCH":
            resource(finish, Self.success) { complete throws(Rejection) in
                let changes = try SessionEdit.changes(request, sessionId: id)
                run(changes.first, then: changes.rest, for: identity, complete)
            }
        case "DELETE":
            resource(finish, Self.success) { complete throws(Rejection) in
                let deletion = try SessionEdit.deletion(head, sessionId: id)
                functions.mutate(deletion, for: identity, then: complete)
            }
        default:
            resource(finish, ResourceValue.dated) { complete throws(Rejection) in
                let params = try ResourceParameters.read(head, adding: [("sessionId", id)])
                functions.query(QueryName.sessionsGet.rawValue, Parameters(params), for: identity, then: complete)
            }
        }
    }

    /// Runs one mutation after the other, up to the first that fails.
    private func run(
        _ call: CallRequest, then rest: ArraySlice<CallRequest>, for identity: Identity,
        _ complete: @escaping CompletionHandler
    ) {
        functions.mutate(call, for: identity) { result in
            guard case .success(let response) = result, let next = rest.first else { return complete(result) }
            response.afterwards()
            run(next, then: rest.dropFirst(), for: identity, complete)
        }
    }

    private static func success(_ value: JSONValue) -> [UInt8] { JSONWriter.object { $0.member("success", true) } }

    private func updates(
        of id: String, _ head: RequestHead, for identity: Identity, then finish: @escaping HTTPCompletionHandler
    ) {
        resource(finish, ResourceValue.updates) { complete throws(Rejection) in
            try identity.require(.observe)
            let params = try ResourceParameters.read(
                head, adding: [("sessionId", id)], renaming: ["cursor": "sinceSeq"])
            functions.sessions.sessionUpdates(try HistoryRequest(Parameters(params)), for: identity, complete)
        }
    }

    /// Calls `body`, and converts its value to another format.
    private func resource(
        _ finish: @escaping HTTPCompletionHandler, _ form: @escaping (JSONValue) -> [UInt8],
        _ body: (@escaping CompletionHandler) throws(Rejection) -> Void
    ) {
        let complete: CompletionHandler = { result in
            switch result {
            case .success(let response):
                let json = orLog("reading the value of a function") { try JSONValue(validating: response.result) }
                guard let json else {
                    return finish(HTTPAnswer(response: .error(500, "the value is not JSON")))
                }
                finish(HTTPAnswer(response: .json(form(json)), afterwards: response.afterwards))
            case .failure(let rejection):
                finish(HTTPAnswer(response: .error(rejection.httpStatus, rejection.message)))
            }
        }
        do throws(Rejection) {
            try body(complete)
        } catch {
            complete(.failure(error))
        }
    }
}
