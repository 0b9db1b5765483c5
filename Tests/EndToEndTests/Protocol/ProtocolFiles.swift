import AgentProcess
import Glibc
import JSONScan
import Testing

/// The files in `Protocol/`, and the validator that checks messages against them.
enum ProtocolFiles {
    private static let root = #filePath.split(separator: "/").dropLast(4).map { "/" + $0 }.joined()

    static let schemaPath = root + "/Protocol/schema/tinyvex.schema.json"
    static let openRPCPath = root + "/Protocol/openrpc.json"
    static let documentPath = root + "/Protocol/tinyvex.md"

    static func document() throws -> String {
        String(decoding: try #require(FileBytes.read(documentPath)), as: UTF8.self)
    }

    static func schema() throws -> JSONValue {
        try JSONValue(validating: try #require(FileBytes.read(schemaPath)))
    }

    /// The lines of the document's first block of that kind.
    static func block(_ kind: String) throws -> [Substring] {
        let lines = try document().split(separator: "\n", omittingEmptySubsequences: false)
        let start = try #require(lines.firstIndex(of: "```\(kind)"), "\(documentPath) has no block \(kind)")
        return Array(lines[(start + 1)...].prefix { $0 != "```" })
    }

    /// Runs `validate.py WHAT SCHEMA FILE`.
    static func validate(_ what: String, _ file: String, in home: BridgeHome) throws -> Outcome {
        let python = root + "/.venv/bin/python"
        try #require(access(python, X_OK) == 0, "\(python) is missing: run Tests/run.sh to install it")
        let script = root + "/Tests/EndToEndTests/Python/validate.py"
        let command = [python, script, what, schemaPath, file].map { SystemString($0) }
        return try EditorProcess(command, in: home).outcome()
    }

    static func expectValid(_ what: String, _ file: String, in home: BridgeHome) throws {
        let outcome = try validate(what, file, in: home)
        #expect(outcome.status == .exited(code: 0), "\(outcome.outputText)\(outcome.errorText)")
    }
}
