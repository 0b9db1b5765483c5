import Foundation
import TinyvexClient

/// Starts an agent, sends it one prompt in the current directory, and prints its answer.
///
///     drive-session unix:/run/user/1000/acpbridge/bridge.sock demo "Fix the login test"
///
/// Permission requests are rejected, unless the first argument is `--allow`.
@main enum DriveSession {
    static func main() async {
        var arguments = CommandLine.arguments.dropFirst()
        let allows = arguments.first == "--allow"
        if allows { arguments.removeFirst() }
        guard arguments.count == 3, let endpoint = arguments.popFirst().flatMap({ URL(string: $0) }),
            let agent = arguments.popFirst(), let prompt = arguments.popFirst()
        else { return fail("usage: drive-session [--allow] ENDPOINT AGENT PROMPT") }
        let client = TinyvexClient(endpoint: endpoint)
        client.setAuthToken(ProcessInfo.processInfo.environment["ACPBRIDGE_TOKEN"])
        client.serve(ACP.Client.SessionRequestPermissionRequest.self) { decide($0, allows) }
        do {
            try await run(prompt, agent, client)
        } catch {
            fail("\(error)")
        }
    }

    private static func run(_ prompt: String, _ agent: String, _ client: TinyvexClient) async throws {
        try await client.initialize(.init(protocolVersion: 1), agent: agent)
        let folder = FileManager.default.currentDirectoryPath
        let session = try await client.sessionNew(.init(cwd: folder, mcpServers: [])).sessionId
        let text = ACP.ContentBlock.text(.init(text: prompt))
        async let answer = client.sessionPrompt(.init(sessionId: session, prompt: [text]))
        try await printTurn(of: session, client)
        write("\n[\(try await answer.stopReason.rawValue)]\n")
    }

    /// Prints the timeline, which has the updates and the end of the turn in order. The response to the prompt can
    /// arrive before the last updates.
    private static func printTurn(of session: ACPSessionId, _ client: TinyvexClient) async throws {
        for try await entry in client.subscribeTimeline(sessionId: session) {
            if entry.kind == .turnEnd || entry.kind == .agentExit { return }
            guard case .agentMessageChunk(let chunk)? = entry.notification?.update,
                case .text(let content) = chunk.content
            else { continue }
            write(content.text)
        }
    }

    /// Chooses the option of the wanted kind, if the agent offers one.
    private static func decide(
        _ request: ACP.Client.SessionRequestPermissionRequest, _ allows: Bool
    ) -> ACP.Client.SessionRequestPermissionResponse {
        let wanted: ACP.PermissionOptionKind = allows ? .allowOnce : .rejectOnce
        guard let option = request.options.first(where: { $0.kind == wanted }) else {
            return .init(outcome: .cancelled)
        }
        return .init(outcome: .selected(.init(optionId: option.optionId)))
    }

    private static func write(_ text: String) { try? FileHandle.standardOutput.write(contentsOf: Data(text.utf8)) }

    private static func fail(_ text: String) {
        try? FileHandle.standardError.write(contentsOf: Data("\(text)\n".utf8))
        exit(1)
    }
}
