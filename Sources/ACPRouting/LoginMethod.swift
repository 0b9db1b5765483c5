import ACPMethods
import JSONScan

/// One of the ways to log in that an agent offers in its answer to `initialize`.
package struct LoginMethod: Equatable, Sendable {
    package enum Kind: Equatable, Sendable {
        /// The agent itself logs in, after a request.
        case agent
        /// The client starts the agent's command again in a terminal, with these arguments and variables.
        case terminal(arguments: [String], environment: [(name: String, value: String)])
        /// A way that ACP does not define.
        case other(String)

        package static func == (one: Kind, other: Kind) -> Bool {
            switch (one, other) {
            case (.agent, .agent): true
            case (.terminal(let words, let variables), .terminal(let otherWords, let otherVariables)):
                words == otherWords && variables.elementsEqual(otherVariables, by: ==)
            case (.other(let type), .other(let otherType)): type == otherType
            default: false
            }
        }
    }

    package let id: String
    package let name: String
    package let description: String?
    package let kind: Kind

    /// More ways to log in than any agent offers.
    private static let countLimit = 100

    /// The methods in an agent's answer to `initialize`. A method without an id is left out.
    package static func all(inResult result: JSONValue?) -> [LoginMethod] {
        (result?["authMethods"]?.elements ?? []).prefix(countLimit).compactMap(LoginMethod.init)
    }

    private init?(_ method: JSONValue) {
        // The second name is that of version 2.
        guard let id = method["id"]?.stringValue ?? method["methodId"]?.stringValue else { return nil }
        self.id = id
        name = method["name"]?.stringValue ?? id
        description = method["description"]?.stringValue
        switch method["type"]?.stringValue {
        case nil, "agent": kind = .agent
        case Self.terminalType:
            kind = .terminal(
                arguments: (method["args"]?.elements ?? []).compactMap(\.stringValue),
                environment: (method["env"]?.members ?? []).compactMap { name, value in
                    value.stringValue.map { (name, $0) }
                })
        case let type?: kind = .other(type)
        }
    }

    private static let terminalType = "terminal"

    /// The agent's answer to `initialize` without the methods that need a terminal on the agent's machine. Nil if it has none.
    package static func withoutTerminal(_ result: JSONValue) -> [UInt8]? {
        let methods = result["authMethods"]?.elements ?? []
        let others = methods.filter { $0["type"]?.stringValue != terminalType }
        guard others.count < methods.count else { return nil }
        return JSONWriter.object { writer in
            for (name, value) in result.members {
                guard name == "authMethods" else {
                    writer.member(name, raw: value.rawText)
                    continue
                }
                writer.memberArray(name) { for other in others { $0.element(raw: other.rawText) } }
            }
        }
    }

    /// The request that logs in by a method of the kind ``Kind/agent``.
    ///
    /// - Parameter version: The version of ACP that the agent speaks.
    package func request(version: Int64) -> (method: ACPMethod, params: [UInt8]) {
        (version >= 2 ? .authLogin : .authenticate, JSONWriter.object { $0.member("methodId", id) })
    }
}
