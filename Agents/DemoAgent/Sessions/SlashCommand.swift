import JSONScan

/// The commands that the agent offers.
struct SlashCommand {
    private let name: String
    private let description: String
    private let hint: String?

    private static let all = [
        SlashCommand(name: "help", description: "List the options of a prompt", hint: nil),
        SlashCommand(name: "echo", description: "Reply with the text", hint: "text"),
        SlashCommand(name: "fail", description: "End the prompt with an error", hint: "message"),
        SlashCommand(name: "refuse", description: "End the prompt with stop reason refusal", hint: nil),
    ]
    /// Only in version 2, where it differs from `fail`.
    private static let error = SlashCommand(
        name: "error", description: "End the turn with stop reason error", hint: "message")

    /// Writes the member `availableCommands`.
    static func write(to result: inout JSONWriter, version: ProtocolVersion) {
        result.memberArray("availableCommands") { list in
            for command in version == .one ? all : all + [error] {
                list.object { command.write(to: &$0, version: version) }
            }
        }
    }

    private func write(to command: inout JSONWriter, version: ProtocolVersion) {
        command.member("name", name)
        command.member("description", description)
        guard let hint else { return }
        command.memberObject("input") { input in
            if version == .two { input.member("type", "text") }
            input.member("hint", hint)
        }
    }
}
