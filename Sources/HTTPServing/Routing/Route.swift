import HTTP1
import Page
import Tinyvex

/// The destination of a path.
enum Route: Sendable, Equatable {
    /// Open to everyone, because monitoring tools send this request without a token.
    case liveness
    /// `/readyz`: whether the bridge can store updates now. Open to everyone, too.
    case readiness
    /// A file of the page. Open to everyone, because it contains nothing about this bridge.
    case page(PageFile)
    /// A destination for which the sender's identity is determined first.
    case identified(IdentifiedRoute)

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
        switch segments {
        case ["healthz"]: self = .liveness
        case ["readyz"]: self = .readiness
        default:
            guard let route = IdentifiedRoute(segments: segments) else { return nil }
            self = .identified(route)
        }
    }

    /// True if the path contains one of the route's fixed names, such as `metrics`, with a percent-encoded character
    /// that never needs encoding. A proxy in front of the bridge has not recognised that name. A session's id can be
    /// spelt in any way.
    func isDisguised(in head: RequestHead) -> Bool {
        let idSegment: Int? = if case .identified(let route) = self { route.idSegment } else { nil }
        return head.encodesUnreserved.enumerated().contains { index, isEncoded in isEncoded && index != idSegment }
    }

    /// The methods that the route serves. An upgrade request checks its method itself.
    var methods: [String] {
        switch self {
        case .liveness, .readiness, .page: ["GET", "HEAD"]
        case .identified(let route): route.methods
        }
    }

    /// True for a request whose body is a file.
    static func isUpload(_ head: RequestHead) -> Bool { head.method == "POST" && head.path == "/v1/files" }

    /// True for routes that programs use, which return errors as JSON too.
    static func speaksJSON(_ head: RequestHead) -> Bool { head.path.hasPrefix("/api/") || head.path.hasPrefix("/v1/") }

    static let served =
        "/, /tinyvex, /acp, /api/query, /api/mutation, /api/action, /api/v1/admission, /api/v1/tickets, "
        + "/api/v1/devices, /api/v1/push/key, /api/v1/push/subscriptions, /v1/sessions, /v1/agents, /v1/files, "
        + "/metrics, /health, /readyz and /healthz"
}

/// A destination that depends on the sender's identity.
enum IdentifiedRoute: Sendable, Equatable {
    /// The connection switches to another protocol.
    case upgrade(UpgradeRoute)
    /// `/v1/files`: an upload.
    case upload
    case request(RequestRoute)

    fileprivate init?(segments: [String]) {
        if let upgrade = UpgradeRoute(segments: segments) {
            self = .upgrade(upgrade)
        } else if segments == ["v1", "files"] {
            self = .upload
        } else if let request = RequestRoute(segments: segments) {
            self = .request(request)
        } else {
            return nil
        }
    }

    /// The index of the path segment that contains an id, for example a session's.
    fileprivate var idSegment: Int? {
        switch self {
        case .request(.resource(.session)), .request(.resource(.updates)), .request(.file): 2
        case .request(.device(.device)): 3
        case .request(.push(.subscription)): 4
        default: nil
        }
    }

    fileprivate var methods: [String] {
        switch self {
        case .upgrade: ["GET"]
        case .upload: ["POST"]
        case .request(let route): route.methods
        }
    }

    var isUpgrade: Bool { if case .upgrade = self { true } else { false } }

    /// True for the WebSockets, because a browser cannot send a header field with them.
    var takesTickets: Bool { self == .upgrade(.tinyvex) || self == .upgrade(.acp) }

    /// Open to everyone who has a code.
    var isAdmission: Bool { self == .request(.device(.admission)) }

    /// False for routes that show or use more than one session. The functions and `/tinyvex` check each request.
    var isOpenToSharedSession: Bool {
        switch self {
        case .upgrade(.tinyvex), .request(.health), .request(.device): true
        case .request(.resource(let route)): route != .agents
        case .upgrade(.acp), .upgrade(.stdio), .upload, .request(.metrics), .request(.push), .request(.file): false
        }
    }
}

/// A destination that switches protocols.
enum UpgradeRoute: Sendable, Equatable {
    /// The WebSocket for this protocol.
    case tinyvex
    /// The WebSocket for remote ACP clients.
    case acp
    /// A stdio shim, on the Unix socket.
    case stdio

    fileprivate init?(segments: [String]) {
        switch segments {
        case ["tinyvex"]: self = .tinyvex
        case ["acp"]: self = .acp
        case ["stdio"]: self = .stdio
        default: return nil
        }
    }
}

/// A destination that answers a complete request.
enum RequestRoute: Sendable, Equatable {
    case metrics
    /// `/health`: a report, which names the installed agents only to clients with a token.
    case health
    /// `/v1/files/{id}`
    case file(id: String)
    case device(DeviceRoute)
    case push(PushRoute)
    case resource(ResourceRoute)

    fileprivate init?(segments: [String]) {
        switch segments.count {
        case 1 where segments == ["metrics"]: self = .metrics
        case 1 where segments == ["health"]: self = .health
        case 3 where segments.prefix(2) == ["v1", "files"]: self = .file(id: segments[2])
        default:
            if let route = DeviceRoute(segments: segments) {
                self = .device(route)
            } else if let route = PushRoute(segments: segments) {
                self = .push(route)
            } else if let route = ResourceRoute(segments: segments) {
                self = .resource(route)
            } else {
                return nil
            }
        }
    }

    fileprivate var methods: [String] {
        switch self {
        case .metrics, .health: ["GET", "HEAD"]
        case .file: ["GET", "HEAD", "DELETE"]
        case .device(let route): route.methods
        case .push(let route): route.methods
        case .resource(let route): route.methods
        }
    }
}

/// The requests of ``DeviceResources``.
enum DeviceRoute: Sendable, Equatable {
    /// `POST /api/v1/admission`: a code becomes a token.
    case admission
    /// `POST /api/v1/tickets`: a ticket for one WebSocket.
    case tickets
    /// `/api/v1/devices`: the tokens, one for each device.
    case devices
    /// `/api/v1/devices/{id}`
    case device(id: String)

    fileprivate init?(segments: [String]) {
        guard segments.prefix(2) == ["api", "v1"] else { return nil }
        switch segments.count {
        case 3 where segments[2] == "admission": self = .admission
        case 3 where segments[2] == "tickets": self = .tickets
        case 3 where segments[2] == "devices": self = .devices
        case 4 where segments[2] == "devices": self = .device(id: segments[3])
        default: return nil
        }
    }

    fileprivate var methods: [String] {
        switch self {
        case .admission, .tickets: ["POST"]
        case .devices: ["GET", "HEAD", "DELETE"]
        case .device: ["DELETE"]
        }
    }
}

/// The requests of ``PushResources``.
enum PushRoute: Sendable, Equatable {
    /// `GET /api/v1/push/key`: the bridge's key for Web Push.
    case key
    /// `POST /api/v1/push/subscriptions`
    case subscriptions
    /// `DELETE /api/v1/push/subscriptions/{id}`
    case subscription(id: String)

    fileprivate init?(segments: [String]) {
        guard segments.prefix(3) == ["api", "v1", "push"] else { return nil }
        switch segments.count {
        case 4 where segments[3] == "key": self = .key
        case 4 where segments[3] == "subscriptions": self = .subscriptions
        case 5 where segments[3] == "subscriptions": self = .subscription(id: segments[4])
        default: return nil
        }
    }

    fileprivate var methods: [String] {
        switch self {
        case .key: ["GET", "HEAD"]
        case .subscriptions: ["POST"]
        case .subscription: ["DELETE"]
        }
    }
}

/// The requests of ``HTTPResources``.
enum ResourceRoute: Sendable, Equatable {
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

    fileprivate init?(segments: [String]) {
        switch segments.count {
        case 2 where segments[0] == "api":
            guard let kind = FunctionDescription.Kind(rawValue: segments[1]) else { return nil }
            self = .function(kind)
        case 2 where segments == ["v1", "sessions"]: self = .sessions
        case 2 where segments == ["v1", "agents"]: self = .agents
        case 3 where segments.prefix(2) == ["v1", "sessions"]: self = .session(id: segments[2])
        case 4 where segments.prefix(2) == ["v1", "sessions"] && segments[3] == "updates":
            self = .updates(sessionId: segments[2])
        default: return nil
        }
    }

    fileprivate var methods: [String] {
        switch self {
        case .function(.query): ["GET", "HEAD", "POST"]
        case .function: ["POST"]
        case .sessions, .updates, .agents: ["GET", "HEAD"]
        case .session: ["GET", "HEAD", "PATCH", "DELETE"]
        }
    }

    /// True for values that programs request repeatedly. Their answers have an `ETag`. Stored updates do not change, so
    /// a page of them needs none.
    var isPolled: Bool {
        switch self {
        case .function(.query), .sessions, .session, .agents: true
        case .function, .updates: false
        }
    }
}
