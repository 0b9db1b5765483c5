import FieldLimits
import JSONScan

/// The params of a permission request in `permissions:pending`: as the agent wrote them, or only the title, the tool
/// call's id and kind and the options if the params are too long for a list. The timeline has the complete params.
package enum PermissionParams {
    /// 64 KiB, the limit for every part of a session's value.
    static let limitBytes = 64 << 10
    /// The maximum number of options from which clients other than the agent's own can choose.
    static let optionLimit = 256
    static let optionIdLimitBytes = 1 << 10
    /// 1 KiB. Calls with a longer id are omitted from lists.
    package static let toolCallIdLimitBytes = 1 << 10
    /// ACP's longest kind has 11 bytes.
    private static let kindLimitBytes = 64
    private static let optionsLimitBytes = 16 << 10

    /// The tool call that the params are about, whole or a part of it. In version 2 of ACP, it is in the subject, which can
    /// also have the call's members itself.
    package static func toolCall(in params: JSONValue) -> JSONValue? {
        params["toolCall"] ?? params["subject"]?["toolCall"] ?? params["subject"]
    }

    /// Returns longer params as
    /// `{"sessionId":"s1","toolCall":{"toolCallId":"t1","kind":"edit"},"options":[…],"omittedBytes":1048576}`.
    static func bounded(_ params: [UInt8]) -> [UInt8] {
        guard params.count > limitBytes else { return params }
        let value = try? JSONValue(validating: params)
        let options = value?["options"].flatMap { $0.rawText.count <= optionsLimitBytes ? $0 : nil }
        let session = value?["sessionId"]?.stringValue?.within(bytes: FieldLimit.sessionIdBytes)
        let toolCall = value.flatMap(toolCall(in:))
        let isCommand = value?["subject"]?["type"]?.stringValue == "command"
        let kind = toolCall?["kind"]?.stringValue ?? (isCommand ? "execute" : nil)
        let call = toolCall?["toolCallId"]?.stringValue?.within(bytes: toolCallIdLimitBytes)
        return JSONWriter.object { writer in
            writer.member("sessionId", ifPresent: session)
            // Version 2 of ACP has a title, and the tool call is part of the subject.
            writer.member("title", ifPresent: value?["title"]?.stringValue?.prefix(scalars: FieldLimit.titleCharacters))
            writer.memberObject("toolCall") { writer in
                writer.member("toolCallId", ifPresent: call)
                writer.member("kind", ifPresent: kind?.within(bytes: kindLimitBytes))
            }
            writer.member("options", raw: options.map { Array($0.rawText) } ?? Array("[]".utf8))
            writer.member("omittedBytes", params.count)
        }
    }
}
