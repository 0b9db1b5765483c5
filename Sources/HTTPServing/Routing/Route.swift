import HTTP1
import Page
import Tinyvex

/// The destination of a path.
enum Route: Sendable, Equatable {
    /// Open to everyone, because monitoring tools send this request without a token.
    case liveness
    /// `/readyz`: whether the bridge can store updates now. Open to everyone, too.
    case readiness
    /// `/health`: a report, which names the installed agents only to clients with a token.
    case health
    /// A file of the page. Open to everyone, because it contains nothing about this bridge.
    case page(PageFile)
    /// `POST /api/v1/admission`: a code becomes a token. Open to everyone who has a code.
    case admission
    /// `POST /api/v1/tickets`: a ticket for one WebSocket.
    case tickets
    /// `/api/v1/devices`: the tokens, one for each device.
    case devices
    /// `/api/v1/devices/{id}`
    case device(id: String)
    /// `GET /api/v1/push/key`: the bridge's key for Web Push.
    case pushKey
    /// `POST /api/v1/push/subscriptions`
    case pushSubscriptions
    /// `DELETE /api/v1/push/subscriptions/{id}`
    case pushSubscription(id: String)
    case metrics
    /// The WebSocket for this protocol.
    case tinyvex
    /// The WebSocket for remote ACP clients.
    case acp
    /// A stdio shim, on the Unix socket.
    case stdio
    /// `/api/query`, `/api/mutation`, `/api/action`, as in Convex.
    case function(FunctionDescription.Kind)
    /// `/v1/sessions`
    case sessions
    /// `/v1/sessions/{id}`
    case session(id: String)
    /// `/v1/sessions/{id}/updates`
    case updates(sessionId: String)
    /// `/v1/agents`
    case agents
    /// `/v1/files`: an upload.
    case files
    /// `/v1/files/{id}`
    case file(id: String)

    init?(_ head: RequestHead) {
        guard let segments = head.pathSegments else { return nil }
        if let route = Route(segments: segments) {
            self = route
        } else if let file = Page.file(at: head.path) {
            // Asked last, because the first use of the page's files costs time and memory.
            self = .page(file)
        } else {
            return nil
        }
    }

    private init?(segments: [String]) {
        switch segments.count {
        case 1:
            let names: [String: Route] = [
                "healthz": .liveness, "readyz": .readiness, "health": .health, "metrics": .metrics,
                "tinyvex": .tinyvex, "acp": .acp, "stdio": .stdio,
            ]
            guard let route = names[segments[0]] else { return nil }
            self = route
        case 2 where segments[0] == "api":
            guard let kind = FunctionDescription.Kind(rawValue: segments[1]) else { return nil }
            self = .function(kind)
        case 3 where segments == ["api", "v1", "admission"]: self = .admission
        case 3 where segments == ["api", "v1", "tickets"]: self = .tickets
        case 3 where segments == ["api", "v1", "devices"]: self = .devices
        case 4 where segments.prefix(3) == ["api", "v1", "devices"]: self = .device(id: segments[3])
        case 4 where segments == ["api", "v1", "push", "key"]: self = .pushKey
        case 4 where segments == ["api", "v1", "push", "subscriptions"]: self = .pushSubscriptions
        case 5 where segments.prefix(4) == ["api", "v1", "push", "subscriptions"]:
            self = .pushSubscription(id: segments[4])
        case 2 where segments == ["v1", "sessions"]: self = .sessions
        case 2 where segments == ["v1", "agents"]: self = .agents
        case 2 where segments == ["v1", "files"]: self = .files
        case 3 where segments.prefix(2) == ["v1", "files"]: self = .file(id: segments[2])
        case 3 where segments.prefix(2) == ["v1", "sessions"]: self = .session(id: segments[2])
        case 4 where segments.prefix(2) == ["v1", "sessions"] && segments[3] == "updates":
            self = .updates(sessionId: segments[2])
        default: return nil
        }
    }

    /// True if the path contains one of the route's fixed names, such as `metrics`, with a percent-encoded character
    /// that never needs encoding. A proxy in front of the bridge has not recognised that name. A session's id can be
    /// spelt in any way.
    func isDisguised(in head: RequestHead) -> Bool {
        head.encodesUnreserved.enumerated().contains { index, isEncoded in isEncoded && index != idSegment }
    }

    /// The index of the path segment that contains a session's id.
    private var idSegment: Int? {
        switch self {
        case .session, .updates, .file: 2
        case .device: 3
        case .pushSubscription: 4
        default: nil
        }
    }

    /// The methods that the route serves. An upgrade request checks its method itself.
    var methods: [String] {
        switch self {
        case .liveness, .readiness, .health, .page, .pushKey, .metrics, .sessions, .updates, .agents:
            ["GET", "HEAD"]
        case .session: ["GET", "HEAD", "PATCH", "DELETE"]
        case .file: ["GET", "HEAD", "DELETE"]
        case .function(.query): ["GET", "HEAD", "POST"]
        case .devices: ["GET", "HEAD", "DELETE"]
        case .device, .pushSubscription: ["DELETE"]
        case .function, .admission, .tickets, .pushSubscriptions, .files: ["POST"]
        case .tinyvex, .acp, .stdio: ["GET"]
        }
    }

    /// True for values that programs request repeatedly. Their answers have an `ETag`. Stored updates do not change, so
    /// a page of them needs none.
    var isPolled: Bool {
        switch self {
        case .function(.query), .sessions, .session, .agents: true
        default: false
        }
    }

    /// True for a request whose body is a file.
    static func isUpload(_ head: RequestHead) -> Bool { head.method == "POST" && head.path == "/v1/files" }

    var isUpgrade: Bool { takesTickets || self == .stdio }

    /// False for routes that show or use more than one session. The functions and `/tinyvex` check each request.
    var isOpenToSharedSession: Bool {
        switch self {
        case .liveness, .readiness, .health, .page, .admission, .tickets, .devices, .device, .tinyvex, .function,
            .sessions, .session, .updates:
            true
        case .pushKey, .pushSubscriptions, .pushSubscription, .metrics, .acp, .stdio, .agents, .files, .file:
            false
        }
    }

    /// True for the WebSockets, because a browser cannot send a header field with them.
    var takesTickets: Bool { self == .tinyvex || self == .acp }

    /// True for routes that programs use, which return errors as JSON too.
    static func speaksJSON(_ head: RequestHead) -> Bool { head.path.hasPrefix("/api/") || head.path.hasPrefix("/v1/") }

    static let served =
        "/, /tinyvex, /acp, /api/query, /api/mutation, /api/action, /api/v1/admission, /api/v1/tickets, "
        + "/api/v1/devices, /api/v1/push/key, /api/v1/push/subscriptions, /v1/sessions, /v1/agents, /v1/files, "
        + "/metrics, /health, /readyz and /healthz"
}
