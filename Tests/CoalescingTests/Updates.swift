import JSONScan

/// Updates in the form in which agents write them.
enum Updates {
    static func chunk(_ kind: String, _ text: String, messageId: String? = nil) -> [UInt8] {
        let id = messageId.map { #""messageId":\#($0),"# } ?? ""
        return line(#"{"sessionUpdate":"\#(kind)",\#(id)"content":{"type":"text","text":"\#(text)"}}"#)
    }

    static func message(_ text: String, _ messageId: String? = nil) -> [UInt8] {
        chunk("agent_message_chunk", text, messageId: messageId)
    }

    static func toolCall() -> [UInt8] { line(#"{"sessionUpdate":"tool_call","toolCallId":"t1","title":"ls"}"#) }

    static func image(_ kind: String = "agent_message_chunk") -> [UInt8] {
        line(#"{"sessionUpdate":"\#(kind)","content":{"type":"image","data":"AA==","mimeType":"image/png"}}"#)
    }

    static func line(_ update: String) -> [UInt8] {
        Array(#"{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s1","update":\#(update)}}"#.utf8)
    }
}
