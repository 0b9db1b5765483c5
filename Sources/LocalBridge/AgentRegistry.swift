import JSONScan

/// The agents in a file of the ACP registry: `registry.json`, or one `agent.json`. Pure.
///
/// Source: `FORMAT.md` and `agent.schema.json` of `agentclientprotocol/registry`, August 2026. Members that are not
/// known are ignored.
package struct AgentRegistry: Sendable {
    /// In the order of the file.
    package private(set) var agents: [RegistryAgent] = []
    /// The entries that cannot be used, by their id or number, with the reason.
    package private(set) var unusable: [(entry: String, fault: Fault)] = []

    /// The registry has some 50 agents and 100 KiB.
    package static let fileLimitBytes = 4 << 20
    private static let agentLimit = 1_000

    package struct Fault: Error, Equatable, CustomStringConvertible {
        package let description: String

        init(_ description: String) { self.description = description }
    }

    package init(json: [UInt8]) throws(Fault) {
        guard json.count < Self.fileLimitBytes else {
            throw Fault("it is larger than \(Self.fileLimitBytes >> 20) MiB")
        }
        guard let value = try? JSONValue(validating: json) else { throw Fault("it is not valid JSON") }
        let entries = value["agents"]?.elements ?? (value["id"] == nil ? [] : [value])
        guard !entries.isEmpty else {
            throw Fault(#"it is not a file of the ACP registry: it has neither "agents" nor "id""#)
        }
        guard entries.count <= Self.agentLimit else { throw Fault("it has more than \(Self.agentLimit) agents") }
        for (index, entry) in entries.enumerated() {
            do throws(Fault) {
                let agent = try RegistryAgent(entry)
                guard !agents.contains(where: { $0.id == agent.id }) else { throw Fault("its id occurs twice") }
                agents.append(agent)
            } catch {
                unusable.append((entry["id"]?.stringValue ?? "entry \(index + 1)", error))
            }
        }
    }
}

/// One agent of the registry, with the command that runs exactly its version.
package struct RegistryAgent: Sendable, Equatable {
    /// Lower-case letters, digits and hyphens: also the name of a file.
    package let id: String
    package let title: String
    package let version: String
    package let command: [String]
    package let environment: [Variable]
    let homepage: String?
    /// How to install the program that the command names.
    package let install: String

    package struct Variable: Sendable, Equatable {
        let name: String
        let value: String
    }

    init(_ entry: JSONValue) throws(AgentRegistry.Fault) {
        guard let id = entry["id"]?.stringValue, Self.isId(id) else {
            throw AgentRegistry.Fault(#"its "id" does not consist of lower-case letters, digits and hyphens"#)
        }
        guard let version = entry["version"]?.stringValue, Self.isVersion(version[...]) else {
            throw AgentRegistry.Fault(#"its "version" is not a version such as 1.0.0"#)
        }
        let distribution = try RegistryDistribution(entry["distribution"], version: version)
        self.id = id
        self.version = version
        title = entry["name"]?.stringValue ?? id
        command = distribution.command
        environment = distribution.environment
        homepage = entry["website"]?.stringValue ?? entry["repository"]?.stringValue
        install = distribution.install
    }

    /// The limit is that of a file's name, with its suffix.
    private static func isId(_ text: String) -> Bool {
        guard let first = text.utf8.first, (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(first) else { return false }
        return text.utf8.count <= 200
            && text.utf8.allSatisfy {
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0)
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || $0 == UInt8(ascii: "-")
            }
    }

    /// Returns whether the text begins with three numbers and contains nothing that belongs to a range of versions.
    static func isVersion(_ text: Substring) -> Bool {
        let core = text.prefix { $0 != "-" && $0 != "+" }.split(separator: ".", omittingEmptySubsequences: false)
        return core.count >= 3 && core.prefix(3).allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy(\.isDigit) }
            && text.utf8.allSatisfy { $0.isDigit || $0.isLetter || ".-+".utf8.contains($0) }
    }

    /// The profile's file.
    ///
    /// - Parameter name: The name for `--agent`.
    package func profile(named name: String) -> [UInt8] {
        JSONWriter.object { writer in
            writer.member("name", name)
            writer.member("title", title)
            writer.memberArray("command") { writer in for word in command { writer.element(word) } }
            if !environment.isEmpty {
                writer.memberObject("env") { writer in
                    for variable in environment { writer.member(variable.name, variable.value) }
                }
            }
            writer.member("homepage", ifPresent: homepage)
            writer.member("install", install)
            writer.memberObject("registry") { writer in
                writer.member("id", id)
                writer.member("version", version)
            }
        }
    }
}

/// The way in which an agent is distributed: by npm, by PyPI, or as a program for this platform, in this order.
private struct RegistryDistribution {
    let command: [String]
    let environment: [RegistryAgent.Variable]
    let install: String

    init(_ value: JSONValue?, version: String) throws(AgentRegistry.Fault) {
        if let package = value?["npx"] {
            self = try Self.npx(package, version)
        } else if let package = value?["uvx"] {
            self = try Self.uvx(package, version)
        } else if let platforms = value?["binary"] {
            guard let target = platforms[Self.platform] else {
                throw AgentRegistry.Fault("it has no program for \(Self.platform)")
            }
            self = try Self.binary(target)
        } else {
            throw AgentRegistry.Fault(#"its "distribution" has neither "npx", "uvx" nor "binary""#)
        }
    }

    private init(_ command: [String], _ value: JSONValue, install: String) throws(AgentRegistry.Fault) {
        self.command = try command + Self.words(value["args"])
        environment = try Self.variables(value["env"])
        self.install = install
    }

    /// `npx -y PACKAGE@VERSION`, or `npx -y --package PACKAGE@VERSION COMMAND`. Without `-y` npx asks on its standard
    /// input, which is the editor's.
    private static func npx(_ value: JSONValue, _ version: String) throws(AgentRegistry.Fault) -> Self {
        let package = pinned(try name(value), version, joined: "@")
        let start = try program(value).map { ["npx", "-y", "--package", package, $0] } ?? ["npx", "-y", package]
        return try Self(start, value, install: "Install Node.js, which has npx.")
    }

    /// `uvx PACKAGE@VERSION`, or `uvx --from PACKAGE==VERSION COMMAND`.
    private static func uvx(_ value: JSONValue, _ version: String) throws(AgentRegistry.Fault) -> Self {
        let name = try name(value)
        let start =
            try program(value).map { ["uvx", "--from", pinned(name, version, joined: "=="), $0] }
            ?? ["uvx", pinned(name, version, joined: "@")]
        return try Self(start, value, install: "Install uv, which has uvx.")
    }

    /// Nothing is downloaded: the user installs the program.
    private static func binary(_ value: JSONValue) throws(AgentRegistry.Fault) -> Self {
        guard let archive = value["archive"]?.stringValue, archive.hasPrefix("https://"),
            let written = value["cmd"]?.stringValue, let program = written.split(separator: "/").last
        else { throw AgentRegistry.Fault(#"its program has no "archive" at an https address, or no "cmd""#) }
        let sum = value["sha256"]?.stringValue.map { " (SHA-256 \($0))" } ?? ""
        return try Self(
            [String(program)], value,
            install: "Download \(archive)\(sum) and put its \(written) on your PATH as \(program).")
    }

    /// The package with exactly one version: its own, or else the agent's. `latest` and ranges are replaced.
    private static func pinned(_ package: String, _ version: String, joined mark: String) -> String {
        let isScoped = package.hasPrefix("@")
        let body = isScoped ? package.dropFirst() : package[...]
        let end = body.firstIndex { "@=<>~!".contains($0) } ?? body.endIndex
        let own = body[end...].drop { "@=".contains($0) }
        let isExact = body[end...].hasPrefix("@") || body[end...].hasPrefix("==")
        let exact = isExact && RegistryAgent.isVersion(own) ? String(own) : version
        return (isScoped ? "@" : "") + body[..<end] + mark + exact
    }

    /// A word that begins with a hyphen would be an option of the launcher.
    private static func name(_ value: JSONValue) throws(AgentRegistry.Fault) -> String {
        guard let name = value["package"]?.stringValue, !name.isEmpty, !name.hasPrefix("-"),
            name.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { throw AgentRegistry.Fault(#"its "package" is not the name of a package"#) }
        return name
    }

    private static func program(_ value: JSONValue) throws(AgentRegistry.Fault) -> String? {
        guard let command = value["cmd"] else { return nil }
        guard let program = command.stringValue, !program.isEmpty, !program.hasPrefix("-") else {
            throw AgentRegistry.Fault(#"its "cmd" is not the name of a program"#)
        }
        return program
    }

    private static func words(_ value: JSONValue?) throws(AgentRegistry.Fault) -> [String] {
        guard let value else { return [] }
        let words = value.elements.compactMap(\.stringValue)
        guard value.kind == .array, words.count == value.elements.count, !words.contains(where: { $0.contains("\0") })
        else { throw AgentRegistry.Fault(#"its "args" are not a list of words"#) }
        return words
    }

    private static func variables(_ value: JSONValue?) throws(AgentRegistry.Fault) -> [RegistryAgent.Variable] {
        guard let value else { return [] }
        guard value.kind == .object else { throw AgentRegistry.Fault(#"its "env" is not an object"#) }
        var variables: [RegistryAgent.Variable] = []
        for (name, value) in value.members {
            guard !name.isEmpty, !name.contains("="), let text = value.stringValue, !(name + text).contains("\0") else {
                throw AgentRegistry.Fault(#"its "env" has a variable without a name or a text"#)
            }
            variables.append(RegistryAgent.Variable(name: name, value: text))
        }
        return variables
    }

    #if arch(arm64)
        private static let platform = "linux-aarch64"
    #else
        private static let platform = "linux-x86_64"
    #endif
}

extension UInt8 {
    fileprivate var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
    fileprivate var isLetter: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20) }
}
