/// Options of `acpbridge connect`.
public struct ConnectOptions: Equatable, Sendable {
    /// Where the agent is.
    public var url: AgentURL
    /// For how long a lost connection is tried to be made anew, before what is open fails.
    public var giveUp = Duration.seconds(600)
    /// With what right; the bridge is named by `url`.
    public var connection = ConnectionOptions()

    public init(url: AgentURL) { self.url = url }
}

/// Where an agent is to be had: `wss://bridge.example/acp?agent=codex`, `unix:/run/user/1000/…?agent=codex`.
public enum AgentURL: Equatable, Sendable {
    /// The whole URL. Its host is not empty; without a path, `/acp` is meant.
    case webSocket(url: String)
    /// - Parameter query: `?agent=codex`, or empty.
    case unixSocket(path: String, query: String)
}

extension AgentURL: ArgumentValue {
    static let expectation =
        "wss://HOST/acp?agent=NAME, ws://… or unix:PATH?agent=NAME (a token belongs in --token-file)"

    /// A user name or a fragment is refused: neither reaches a bridge as it is meant.
    init?(argument: String) {
        if argument.hasPrefix("unix:") {
            let rest = argument.dropFirst("unix:".count)
            let path = rest.prefix { $0 != "?" }
            guard !path.isEmpty, Self.isPlain(rest.dropFirst(path.count)) else { return nil }
            self = .unixSocket(path: String(path), query: String(rest.dropFirst(path.count)))
            return
        }
        guard let scheme = ["ws://", "wss://"].first(where: argument.hasPrefix) else { return nil }
        let rest = argument.dropFirst(scheme.count)
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        guard !authority.isEmpty, authority.utf8.first != UInt8(ascii: ":"), Self.isPlain(rest) else { return nil }
        let target = rest.dropFirst(authority.count)
        let path = target.prefix { $0 != "?" }
        self = .webSocket(
            url: scheme + authority + (path.isEmpty || path == "/" ? "/acp" : path) + target.dropFirst(path.count))
    }

    private static func isPlain(_ text: Substring) -> Bool {
        text.utf8.allSatisfy { (0x21...0x7E).contains($0) && !"@#".utf8.contains($0) }
    }
}
