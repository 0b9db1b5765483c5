import ACPMethods
import JSONScan

/// How a client without an editor opens one session of an agent: `initialize`, and then `session/new` or the request that
/// continues an earlier session. Pure.
package struct SessionOpening: Sendable {
    /// Why the agent has no session. The message is for the person who asked for it.
    package struct Failure: Error, Equatable {
        package let message: String

        package init(message: String) { self.message = message }
    }

    private let folder: String
    /// The id of the session to continue; nil for a new one.
    private let earlier: String?
    /// The names of the agent's ways to log in.
    private var logins: [String] = []

    /// - Parameters:
    ///   - folder: The folder in which the session works, as an absolute path.
    ///   - earlier: The id of the session to continue; nil for a new one.
    package init(folder: String, continuing earlier: String?) {
        self.folder = folder
        self.earlier = earlier
    }

    /// The parameters of `initialize`. The client offers the agent no files and no terminals, but other clients of the bridge
    /// show forms, links and subagents.
    ///
    /// - Parameter version: The version of this program.
    package static func initializeParams(version: String) -> [UInt8] {
        JSONWriter.object { writer in
            writer.member("protocolVersion", 1)
            writer.memberObject("clientCapabilities") { writer in
                writer.memberObject("elicitation") { writer in
                    writer.memberObject("form") { _ in }
                    writer.memberObject("url") { _ in }
                }
                writer.memberObject("subagents") { _ in }
            }
            writer.memberObject("clientInfo") { writer in
                writer.member("name", "acpbridge")
                writer.member("version", version)
            }
        }
    }

    /// The parameters of a `session/prompt` with a text.
    package static func promptParams(_ text: String, session: String) -> [UInt8] {
        JSONWriter.object { writer in
            writer.member("sessionId", session)
            writer.member("prompt", raw: promptBlocks(text))
        }
    }

    /// ACP's content blocks of a prompt that is a text.
    package static func promptBlocks(_ text: String) -> [UInt8] {
        JSONWriter.array { writer in
            writer.object { writer in
                writer.member("type", "text")
                writer.member("text", text)
            }
        }
    }

    /// Takes the agent's answer to `initialize`, and returns the request that opens the session.
    package mutating func initialized(
        result: JSONValue?, error: JSONValue?
    ) throws(Failure) -> (method: ACPMethod, params: [UInt8]) {
        guard let result, error == nil else {
            throw Failure(message: "the agent cannot start: \(Self.text(of: error) ?? "its answer has no result")")
        }
        logins = (result["authMethods"]?.elements ?? []).compactMap { method in
            method["name"]?.stringValue ?? method["id"]?.stringValue
        }
        guard earlier != nil else { return (.sessionNew, params) }
        guard let method = ACPMethod.continuing(afterInitialize: result) else {
            throw Failure(message: "the agent cannot continue sessions")
        }
        return (method, params)
    }

    private var params: [UInt8] { Self.params(of: earlier, in: folder) }

    /// The parameters of the request that opens a session. The MCP servers that an editor has named are not known.
    ///
    /// - Parameter session: The id of the session to continue; nil for a new one.
    package static func params(of session: String?, in folder: String) -> [UInt8] {
        JSONWriter.object { writer in
            writer.member("sessionId", ifPresent: session)
            writer.member("cwd", folder)
            writer.memberArray("mcpServers") { _ in }
        }
    }

    /// Takes the agent's answer to the request that opens the session, and returns the session's id.
    package func opened(result: JSONValue?, error: JSONValue?) throws(Failure) -> String {
        if let result, let session = earlier ?? result["sessionId"]?.stringValue, !session.isEmpty { return session }
        let reason = Self.text(of: error) ?? "its answer has no session"
        guard error?["code"]?.int64Value == Self.loginRequired else {
            let what = earlier == nil ? "open a session" : "continue the session"
            throw Failure(message: "the agent did not \(what): \(reason)")
        }
        let ways = logins.isEmpty ? "" : ": \(logins.joined(separator: ", "))"
        throw Failure(message: "the agent requires you to log in first\(ways) (\(reason))")
    }

    /// ACP's error for a client that must log in first.
    private static let loginRequired: Int64 = -32000

    private static func text(of error: JSONValue?) -> String? { error?["message"]?.stringValue ?? error?.rawString }
}
