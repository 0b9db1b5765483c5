import ArgumentParsing
import TextSearch

/// Options of `acpbridge connect`.
package struct ConnectOptions: Equatable, Sendable {
    package var target: ConnectTarget
    /// How long to try to reconnect before pending requests fail.
    package var giveUp = Duration.seconds(600)
    /// The credentials; its `url` is not used, because the target names the bridge.
    package var connection = ConnectionOptions()

    package init(target: ConnectTarget) { self.target = target }
}

/// The agent or the session that an editor connects to.
package enum ConnectTarget: Equatable, Sendable {
    case url(AgentURL)
    /// A running session of the user's own bridge, as the user names it.
    case session(String)
}

extension ConnectTarget: ArgumentValue {
    package static let expectation = "SESSION, \(AgentURL.expectation)"

    /// A text that looks like a URL is never a session, so that a wrong URL is reported as one.
    package init?(argument: String) {
        if let url = AgentURL(argument: argument) {
            self = .url(url)
        } else if !argument.isEmpty, !argument.hasPrefix("unix:"), !argument.contains(text: "://") {
            self = .session(argument)
        } else {
            return nil
        }
    }
}

/// The address of an agent: `wss://bridge.example/acp?agent=codex`, `unix:/run/user/1000/…?agent=codex`.
package enum AgentURL: Equatable, Sendable {
    /// The whole URL. Its host is not empty; the default path is `/acp`.
    case webSocket(url: String)
    /// - Parameter query: `?agent=codex`, or empty.
    case unixSocket(path: String, query: String)
}

extension AgentURL: ArgumentValue {
    package static let expectation =
        "wss://HOST/acp?agent=NAME, ws://… or unix:PATH?agent=NAME (a token belongs in --token-file)"

    /// Rejects a user name or a fragment, because neither would reach a bridge.
    package init?(argument: String) {
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
