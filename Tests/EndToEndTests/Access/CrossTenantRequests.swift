import Tinyvex

/// All requests with which a tenant could try to reach another tenant's session. The tables are switches over
/// everything that is served by name. After an addition this file does not compile until someone adds the new case
/// here.
struct CrossTenantRequests {
    /// All identifiers of the session, as if they had leaked.
    struct Target {
        var sessionId: String
        /// Identifies the session's incarnation: `<file>-<number>-<epoch>`.
        var journal: String
        let agent: String
        let pid: Int64
        /// The permission request for which the session's agent waits, as JSON text.
        let requestId: String
        let optionId: String

        /// A target that does not exist.
        var nonexistent: Target {
            var other = self
            other.sessionId = "nonexistent"
            var parts = journal.split(separator: "-")
            if parts.count > 1 { parts[1] = "999999" }
            other.journal = parts.joined(separator: "-")
            return other
        }
    }

    enum Outcome {
        /// The answer for a session that does not exist.
        case notFound
        /// The answer for a process that does not run.
        case noSuchProcess
        /// The arguments are refused before anything is looked up.
        case invalid
        /// Only the caller's own objects.
        case ownOnly
        /// The role, or any tenant, lacks the permission.
        case forbidden
    }

    struct Request {
        let name: String
        let args: String
        let outcome: Outcome
    }

    let target: Target

    /// The session's id, alone and together with the other identifiers that lead to the session.
    private var references: [String] {
        let id = #""sessionId":"\#(target.sessionId)""#
        let (agent, journal) = (#","agent":"\#(target.agent)""#, #","journal":"\#(target.journal)""#)
        return [id, id + agent, id + journal, id + agent + journal]
    }

    private func session(_ name: String, _ rest: String = "") -> [Request] {
        references.map { Request(name: name, args: "{\($0)\(rest)}", outcome: .notFound) }
    }

    private func requests(_ name: String, _ args: [String], _ outcome: Outcome) -> [Request] {
        args.map { Request(name: name, args: $0, outcome: outcome) }
    }

    func queries(_ query: QueryName) -> [Request] {
        let name = query.rawValue
        return switch query {
        case .sessionsList:
            requests(
                name,
                [
                    "{}", #"{"search":"cellar"}"#, #"{"search":"\#(target.sessionId)"}"#, #"{"live":true}"#,
                    #"{"agent":"\#(target.agent)","limit":100}"#, #"{"archived":true}"#,
                ], .ownOnly)
        case .sessionsGet: session(name)
        case .sessionsSearch:
            session(name, #","query":"cellar""#)
                + requests(
                    name,
                    [
                        #"{"query":"cellar"}"#, #"{"query":"\"the cellar\""}"#, #"{"query":"cel*","limit":50}"#,
                        #"{"query":"cellar","agent":"\#(target.agent)"}"#,
                    ], .ownOnly)
        case .usageByDay: requests(name, [#"{"starts":[0]}"#], .ownOnly)
        case .agentsList, .permissionsPending, .elicitationsPending:
            requests(name, ["{}"] + references.map { "{\($0)}" }, .ownOnly)
        case .filesGet: requests(name, [#"{"storageId":"\#(String(repeating: "0", count: 32))"}"#], .ownOnly)
        case .filesList: requests(name, ["{}", #"{"limit":1}"#], .ownOnly)
        case .pushList: requests(name, ["{}"], .ownOnly)
        case .bridgeStatus: requests(name, ["{}"], .forbidden)
        }
    }

    func mutations(_ mutation: MutationName) -> [Request] {
        let name = mutation.rawValue
        return switch mutation {
        case .sessionsSetTitle: session(name, #","title":"mine now""#)
        case .sessionsSetTags: session(name, #","tags":["mine"]"#)
        case .sessionsArchive, .sessionsMute, .sessionsDelete: session(name)
        case .permissionsAnswer:
            session(
                name,
                #","requestId":\#(target.requestId),"outcome":{"outcome":"selected","optionId":"\#(target.optionId)"}"#)
        case .elicitationsAnswer: session(name, #","requestId":\#(target.requestId),"action":"decline""#)
        // Stored files belong to no session; see FileTests.
        case .filesGenerateUploadUrl: requests(name, ["{}"], .ownOnly)
        // Push registrations belong to no session; see PushRegistrationTests.
        case .pushRegister: requests(name, [#"{"events":[]}"#], .invalid)
        case .pushUnregister: requests(name, [#"{"id":"0000000000000000"}"#], .ownOnly)
        case .filesSaveFile: requests(name, [#"{"storageId":"\#(String(repeating: "0", count: 32))"}"#], .invalid)
        case .filesDelete: requests(name, [#"{"storageId":"\#(String(repeating: "0", count: 32))"}"#], .ownOnly)
        }
    }

    func actions(_ action: ActionName) -> [Request] {
        let name = action.rawValue
        return switch action {
        case .sessionsPrompt: session(name, #","text":"where is it?""#) + session(name, #","text":"x","queue":true"#)
        // A tenant can begin sessions of its own.
        case .sessionsBegin: requests(name, ["{}", #"{"agent":""}"#], .invalid)
        case .sessionsCancel, .sessionsClose, .sessionsResume, .sessionsView, .sessionsShare: session(name)
        case .sessionsUnqueue: session(name, #","queuedTs":1"#)
        case .sessionsExport: session(name) + session(name, #","format":"asciicast""#)
        case .sessionsImport: requests(name, [#"{"agent":"a","text":""}"#, #"{"import":"0","text":""}"#], .forbidden)
        case .logRead: logReads(name)
        case .agentsStop: session(name) + requests(name, [#"{"pid":\#(target.pid)}"#], .noSuchProcess)
        case .pushTest: requests(name, [#"{"id":"0000000000000000"}"#], .ownOnly)
        case .bridgeStop, .notificationsTest, .tokensList: requests(name, ["{}"], .forbidden)
        case .bridgeReplace: requests(name, [#"{"program":"/bin/true","format":2}"#], .forbidden)
        case .codesCreate: requests(name, [#"{"role":"observe"}"#], .forbidden)
        case .tokensCreate: requests(name, [#"{"role":"admin"}"#, #"{"role":"observe"}"#], .forbidden)
        case .tokensRevoke: requests(name, [#"{"id":"tk_00000000"}"#], .forbidden)
        }
    }

    private func logReads(_ name: String) -> [Request] {
        let parts = target.journal.split(separator: "-")
        let log = #""log":"\#(parts.first ?? "")""#
        let place = #"\#(log),"sid":\#(parts.dropFirst().first ?? "1")"#
        let lists = [
            #"{"read":"list",\#(log)}"#, #"{"read":"find",\#(log),"sessionId":"\#(target.sessionId)"}"#,
            #"{"read":"incarnation",\#(place)}"#, #"{"read":"change",\#(place),"epoch":1,"after":0}"#,
        ]
        let histories = [
            #"{"read":"page",\#(place),"after":1}"#, #"{"read":"timeline",\#(place),"after":0}"#,
            #"{"read":"updates",\#(place),"seq":0}"#,
            #"{"read":"position",\#(place),"journal":"\#(target.journal)","seq":1}"#,
        ]
        return requests(name, lists, .ownOnly) + requests(name, histories, .notFound)
    }

    /// The other requests on `/tinyvex`. Values, mutations and actions are listed above.
    func methods(_ method: ClientRequest.Method) -> [Request] {
        let name = method.rawValue
        return switch method {
        case .subscribe:
            ["acp:sessionUpdates", "sessions:timeline"].flatMap { stream in
                references.flatMap { reference in
                    ["", #","lastSeq":0"#, #","lastSeq":1,"journal":"\#(target.journal)""#].map { place in
                        Request(
                            name: name, args: #"{"subId":"c","name":"\#(stream)","params":{\#(reference)}\#(place)}"#,
                            outcome: .notFound)
                    }
                }
            }
        case .sessionUpdates: session(name) + session(name, #","direction":"backward""#)
        case .recentSessions: requests(name, ["{}", #"{"limit":10000}"#], .ownOnly)
        // These requests concern only the connection itself.
        case .connect, .ping, .setToken, .unsubscribe: []
        case .mutation, .action: []
        }
    }

    /// The paths over `/v1`, each with the status of its answer.
    var resources: [(target: String, status: Int)] {
        let id = target.sessionId
        let names = ["", "?agent=\(target.agent)", "?journal=\(target.journal)"]
        return names.flatMap { [("/v1/sessions/\(id)\($0)", 404), ("/v1/sessions/\(id)/updates\($0)", 404)] } + [
            ("/v1/sessions", 200), ("/v1/sessions?search=cellar", 200), ("/v1/sessions?archived=true", 200),
            ("/v1/agents", 200), ("/metrics", 403),
        ]
    }
}
