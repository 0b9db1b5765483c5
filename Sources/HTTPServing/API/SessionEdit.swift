import HTTP1
import JSONScan
import Tinyvex

/// The mutations of a request that changes a session as a resource. Pure.
enum SessionEdit {
    /// Reads the body of a PATCH: `{"title":"Login","tags":["shop"],"archived":true}`, one member at least. A null title
    /// removes the title. All members are checked before the first one changes anything.
    static func changes(
        _ request: Request, sessionId: String
    ) throws(Rejection) -> (first: CallRequest, rest: ArraySlice<CallRequest>) {
        let body = try JSONBody.object(request.body)
        let session = try session(request.head, sessionId)
        var calls: [CallRequest] = []
        for (name, value) in body.members {
            let arguments = try arguments(session, adding: name, value)
            let mutation: MutationName
            switch name {
            case "title":
                _ = try SessionChange.title(arguments)
                mutation = .sessionsSetTitle
            case "tags":
                _ = try SessionChange.tags(arguments)
                mutation = .sessionsSetTags
            case "archived":
                guard try arguments.optionalBool(name) != nil else {
                    throw .invalidParams("archived must be true or false")
                }
                mutation = .sessionsArchive
            default: throw .invalidParams("only title, tags and archived can be changed, not \(quoted(name))")
            }
            calls.append(CallRequest(requestId: nil, name: mutation.rawValue, arguments: arguments))
        }
        guard let first = calls.first else { throw .invalidParams("the body must have title, tags or archived") }
        return (first, calls.dropFirst())
    }

    static func deletion(_ head: RequestHead, sessionId: String) throws(Rejection) -> CallRequest {
        let session = try session(head, sessionId)
        return CallRequest(
            requestId: nil, name: MutationName.sessionsDelete.rawValue, arguments: try arguments(session))
    }

    /// The members that identify the session: the id of the path, `agent` and `journal` of the URL's query.
    private static func session(
        _ head: RequestHead, _ id: String
    ) throws(Rejection) -> [(name: String, value: JSONValue)] {
        try ResourceParameters.read(head, adding: [("sessionId", id)]).members
            .filter { ["sessionId", "agent", "journal"].contains($0.name) }
    }

    private static func arguments(
        _ session: [(name: String, value: JSONValue)], adding name: String? = nil, _ value: JSONValue? = nil
    ) throws(Rejection) -> Parameters {
        let text = JSONWriter.object { writer in
            for (name, value) in session { writer.member(name, raw: value.rawText) }
            if let name, let value { writer.member(name, raw: value.rawText) }
        }
        return Parameters(try JSONBody.object(text))
    }
}
