import JSONScan
import SessionLog

/// The params of a permission request as `permissions:pending` lists them: as the agent wrote them, or where that is too
/// much for a list, which tool call and which options. The timeline has all of it.
enum PermissionParams {
    /// 64 KiB, as of any part of a session's value.
    static let limitBytes = SessionFold.partLimitBytes
    /// Options that can be chosen by others than the agent's own client.
    static let optionLimit = 256
    static let optionIdLimitBytes = 1 << 10
    private static let optionsLimitBytes = 16 << 10

    /// `{"sessionId":"s1","toolCall":{"toolCallId":"t1"},"options":[…],"omittedBytes":1048576}` of longer ones.
    static func bounded(_ params: [UInt8]) -> [UInt8] {
        guard params.count > limitBytes else { return params }
        let value = try? JSONValue(validating: params)
        let options = value?["options"].flatMap { $0.rawText.count <= optionsLimitBytes ? $0 : nil }
        let session = value?["sessionId"]?.stringValue?.within(bytes: FieldLimit.sessionIdBytes)
        let call = value?["toolCall"]?["toolCallId"]?.stringValue?.within(bytes: ToolCalls.idLimitBytes)
        return JSONWriter.object { writer in
            writer.member("sessionId", ifPresent: session)
            writer.memberObject("toolCall") { $0.member("toolCallId", ifPresent: call) }
            writer.member("options", raw: options.map { Array($0.rawText) } ?? Array("[]".utf8))
            writer.member("omittedBytes", params.count)
        }
    }
}
