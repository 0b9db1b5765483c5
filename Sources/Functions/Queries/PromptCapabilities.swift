import JSONScan

/// The content that an agent accepts in a prompt besides text and links, from its answer to `initialize`. Pure.
///
/// Version 1 has `agentCapabilities.promptCapabilities` with booleans; version 2 has `capabilities.session.prompt` with
/// objects.
package struct PromptCapabilities: Equatable, Sendable {
    package var image = false
    package var audio = false
    package var embeddedContext = false

    /// Returns nil if the agent's answer is not known.
    package init?(initializeResult: [UInt8]?) {
        guard let initializeResult, let result = try? JSONValue(validating: initializeResult) else { return nil }
        let known = result["agentCapabilities"]?["promptCapabilities"] ?? result["capabilities"]?["session"]?["prompt"]
        func has(_ name: String) -> Bool {
            guard let value = known?[name], !value.isNull else { return false }
            return value.boolValue ?? (value.kind == .object)
        }
        image = has("image")
        audio = has("audio")
        embeddedContext = has("embeddedContext")
    }

    func write(to writer: inout JSONWriter) {
        writer.member("image", image)
        writer.member("audio", audio)
        writer.member("embeddedContext", embeddedContext)
    }

    /// - Parameter type: The type of a block: `image`, `audio` or `resource`.
    func accepts(_ type: String) -> Bool {
        switch type {
        case "image": image
        case "audio": audio
        default: embeddedContext
        }
    }
}
