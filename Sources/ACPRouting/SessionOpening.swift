import ACPMethods
import JSONScan

/// How a client without an editor opens one session of an agent: `initialize`, and then `session/new` or the request that
/// continues an earlier session. Pure.
///
/// It offers the highest version of ACP, as the protocol requires of a client. An agent that refuses it is offered version 1.
package struct SessionOpening: Sendable {
    /// Why the agent has no session. The message is for the person who asked for it.
    package struct Failure: Error, Equatable {
        package let message: String
        /// The ways to log in, if the agent requires that. Nil for any other reason.
        package let logins: [LoginMethod]?

        package init(message: String, logins: [LoginMethod]? = nil) {
            self.message = message
            self.logins = logins
        }
    }

    /// The name of the agent's profile. Nil if it has none.
    private let agent: String?
    /// The id of the session to continue; nil for a new one.
    private let earlier: String?
    /// The agent's ways to log in.
    package private(set) var logins: [LoginMethod] = []
    /// The version of ACP that the agent has chosen.
    package private(set) var version: Int64 = 1
    /// ``opened(result:error:)`` takes the answer to this request.
    package private(set) var request: (method: ACPMethod, params: [UInt8])
    private let servesTerminal: Bool
    private var offered = Self.highestVersion
    /// The agent's error for the first offer.
    private var refusal: JSONValue?

    /// The highest version of ACP that the bridge speaks.
    package static let highestVersion: Int64 = 2

    /// - Parameters:
    ///   - agent: The name of the agent's profile, for messages. Nil if it has none.
    ///   - folder: The folder in which the session works, as an absolute path.
    ///   - earlier: The id of the session to continue; nil for a new one.
    ///   - servesTerminal: The client can start the agent's command in a terminal, for a login.
    package init(agent: String?, folder: String, continuing earlier: String?, servesTerminal: Bool = false) {
        self.agent = agent
        self.earlier = earlier
        self.servesTerminal = servesTerminal
        request = (.sessionNew, Self.params(of: earlier, in: folder))
    }

    /// The parameters of `initialize`. The client offers the agent no files and no terminals, but other clients of the bridge
    /// show forms, links and subagents.
    ///
    /// An agent can answer an offer of version 2 with version 1. So the offer has the members of both versions: an agent reads
    /// those of the version that it chooses.
    ///
    /// - Parameters:
    ///   - program: The version of this program.
    ///   - version: The version of ACP to offer.
    ///   - servesTerminal: The client can start the agent's command in a terminal, for a login.
    package static func initializeParams(
        program: String, offering version: Int64 = highestVersion, servesTerminal: Bool = false
    ) -> [UInt8] {
        JSONWriter.object { writer in
            writer.member("protocolVersion", version)
            if version >= 2 {
                writer.memberObject("capabilities") { writer in
                    elicitation(&writer)
                    if servesTerminal {
                        writer.memberObject("auth") { writer in writer.memberObject("terminal") { _ in } }
                    }
                }
                writer.memberObject("info") { implementation(program, &$0) }
            }
            writer.memberObject("clientCapabilities") { writer in
                elicitation(&writer)
                // Version 2 has no such capability: each of its clients can get subagents.
                writer.memberObject("subagents") { _ in }
                if servesTerminal { writer.memberObject("auth") { $0.member("terminal", true) } }
            }
            writer.memberObject("clientInfo") { implementation(program, &$0) }
        }
    }

    private static func elicitation(_ writer: inout JSONWriter) {
        writer.memberObject("elicitation") { writer in
            writer.memberObject("form") { _ in }
            writer.memberObject("url") { _ in }
        }
    }

    private static func implementation(_ program: String, _ writer: inout JSONWriter) {
        writer.member("name", "acpbridge")
        writer.member("version", program)
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

    /// The first request.
    ///
    /// - Parameter program: The version of this program.
    package func initialize(program: String) -> (method: ACPMethod, params: [UInt8]) {
        (
            .initialize,
            Self.initializeParams(program: program, offering: offered, servesTerminal: servesTerminal)
        )
    }

    /// Takes the agent's answer to `initialize`, and returns the next request: the one that opens the session, or a second
    /// `initialize` for an agent that refuses the first.
    ///
    /// - Parameter hasEnded: The error is not the agent's own: the agent has ended.
    package mutating func initialized(
        result: JSONValue?, error: JSONValue?, program: String, hasEnded: Bool = false
    ) throws(Failure) -> (method: ACPMethod, params: [UInt8]) {
        guard let result, error == nil else { return try refused(error, program: program, hasEnded: hasEnded) }
        if let version = result["protocolVersion"]?.int64Value, version > Self.highestVersion {
            throw Failure(
                message: "the agent speaks version \(version) of ACP, and acpbridge only versions 1 to "
                    + "\(Self.highestVersion); use an older version of the agent, or a newer one of acpbridge")
        }
        logins = LoginMethod.all(inResult: result)
        version = result["protocolVersion"]?.int64Value ?? 1
        guard earlier != nil else { return request }
        guard let method = ACPMethod.continuing(afterInitialize: result) else {
            throw Failure(message: "the agent cannot continue sessions")
        }
        request.method = method
        return request
    }

    /// Offers version 1 to an agent that has refused a later one.
    private mutating func refused(
        _ error: JSONValue?, program: String, hasEnded: Bool
    ) throws(Failure) -> (method: ACPMethod, params: [UInt8]) {
        guard offered > 1, error != nil, !hasEnded else {
            // An agent that knows only version 2 refuses the form of version 1. Then its first error has the reason.
            let isAboutForm = error?["code"]?.int64Value.map(Self.formErrors.contains) == true
            let reason = Self.text(of: isAboutForm ? refusal ?? error : error) ?? "its answer has no result"
            throw Failure(message: "the agent cannot start: \(reason)")
        }
        (offered, refusal) = (1, error)
        return initialize(program: program)
    }

    /// JSON-RPC's errors for an invalid request and invalid params, and ACP's for a version that the agent does not speak.
    private static let formErrors: Set<Int64> = [-32600, -32602, -32022]

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
            guard earlier != nil else { throw Failure(message: "the agent did not open a session: \(reason)") }
            let begin = agent.map { "`acpbridge run --agent \($0)`" } ?? "`acpbridge run` without --resume"
            throw Failure(
                message: """
                    the agent did not continue the session: \(reason); if the agent has not kept it, \(begin) begins a new one
                    """)
        }
        let ways = logins.isEmpty ? "" : ": \(logins.map(\.name).joined(separator: ", "))"
        let advice = agent.map { "; on its machine, `acpbridge login \($0)` does that" } ?? ""
        throw Failure(message: "the agent requires you to log in first\(ways) (\(reason))\(advice)", logins: logins)
    }

    /// ACP's error for a client that must log in first.
    private static let loginRequired: Int64 = -32000

    private static func text(of error: JSONValue?) -> String? { error?["message"]?.stringValue ?? error?.rawString }
}
