import DemoPrompts
import JSONScan

/// Questions for input of the user, in a form or on a web page.
enum Elicitation {
    /// The question, and the answer's effect on the conversation.
    static func steps(_ mode: ElicitationMode, in sessionID: String, id: String, messageID: String) -> [Step] {
        let completion: [Step] = mode == .url ? [.pause(paces: 8), .perform(complete(id))] : []
        return ToolPlan.asking(
            question(mode, in: sessionID, id: id), accepted: completion + [reply("Thank you.", messageID)],
            declined: [reply("I continue without it.", messageID)])
    }

    static func question(_ mode: ElicitationMode, in sessionID: String, id: String) -> Question {
        let params = JSONWriter.object { params in
            params.member("sessionId", sessionID)
            params.member("mode", mode.rawValue)
            switch mode {
            case .form:
                params.member("message", "How should the demo continue?")
                params.memberObject("requestedSchema", writeSchema)
            case .url:
                params.member("message", "Please visit the demo page.")
                params.member("elicitationId", id)
                params.member("url", "https://example.com/demo/\(id)")
            }
        }
        return Question(kind: .elicitation, method: "elicitation/create", params: params)
    }

    private static func complete(_ id: String) -> Script.Action {
        .notify(method: "elicitation/complete", params: JSONWriter.object { $0.member("elicitationId", id) })
    }

    private static func reply(_ text: String, _ messageID: String) -> Step {
        .stream(.message, messageID: messageID, .text(text[...]))
    }

    /// One property of each scalar type, and a choice.
    private static func writeSchema(to schema: inout JSONWriter) {
        schema.member("type", "object")
        schema.memberObject("properties") { properties in
            properties.memberObject("topic") { writeProperty("string", "Topic", to: &$0) }
            properties.memberObject("lines") { writeProperty("integer", "Lines", to: &$0) }
            properties.memberObject("sure") { writeProperty("boolean", "Are you sure?", to: &$0) }
            properties.memberObject("colour") { property in
                writeProperty("string", "Colour", to: &property)
                property.memberArray("enum") { for colour in ["red", "green", "blue"] { $0.element(colour) } }
            }
        }
        schema.memberArray("required") { $0.element("topic") }
    }

    private static func writeProperty(_ type: String, _ title: String, to property: inout JSONWriter) {
        property.member("type", type)
        property.member("title", title)
    }
}
