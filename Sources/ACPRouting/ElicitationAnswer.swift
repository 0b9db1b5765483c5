import FieldLimits
import JSONScan

/// The rules for an answer to an elicitation: `{"action":"accept","content":{"name":"x"}}`, `{"action":"decline"}` or
/// `{"action":"cancel"}`.
///
/// The values of `content` are not checked against the schema, because a newer agent can use types of field that the
/// bridge does not know. Only their presence is checked.
enum ElicitationAnswer {
    private static let actions: Set<String> = ["accept", "decline", "cancel"]

    /// Throws unless `result` can answer the elicitation.
    ///
    /// - Parameter params: The params of the elicitation. A shortened form has no schema; the fields are then not checked.
    static func check(_ result: [UInt8]?, params: [UInt8]) throws(PermissionFault) {
        guard let result, let value = try? JSONValue(validating: result),
            let action = value["action"]?.stringValue, actions.contains(action)
        else {
            throw .invalidElicitation("an answer is {\"action\":\"accept\"|\"decline\"|\"cancel\",\"content\":{…}}")
        }
        let params = try? JSONValue(validating: params)
        guard action == "accept", params?["mode"]?.stringValue == "form" else { return }
        guard let content = value["content"], content.kind == .object else {
            throw .invalidElicitation("content: the form's fields as an object")
        }
        for field in params?["requestedSchema"]?["required"]?.elements ?? [] {
            guard let name = field.stringValue, content[name] == nil else { continue }
            throw .invalidElicitation("content: the field \(name.prefix(scalars: 100)) is missing")
        }
    }
}

/// The params of an elicitation in `elicitations:pending`: as the agent wrote them, or the most important members if the
/// params are too long for a list. The timeline has the complete params.
enum ElicitationParams {
    private static let messageCharacters = 1_000
    private static let textLimitBytes = 4 << 10

    /// Returns longer params as `{"sessionId":"s1","mode":"form","message":"…","omittedBytes":1048576}`.
    static func bounded(_ params: [UInt8]) -> [UInt8] {
        guard params.count > PermissionParams.limitBytes else { return params }
        let value = try? JSONValue(validating: params)
        return JSONWriter.object { writer in
            for name in ["sessionId", "mode", "elicitationId", "url"] {
                writer.member(name, ifPresent: value?[name]?.stringValue?.within(bytes: textLimitBytes))
            }
            writer.member("message", ifPresent: value?["message"]?.stringValue?.prefix(scalars: messageCharacters))
            writer.member("omittedBytes", params.count)
        }
    }
}
