import JSONScan

/// Updates in the form in which agents write them.
enum Updates {
    static func chunk(_ kind: String, _ text: String, messageId: String? = nil, session: String = "s1")
        -> [UInt8]
    {
        let id = messageId.map { #""messageId":\#($0),"# } ?? ""
        return line(#"{"sessionUpdate":"\#(kind)",\#(id)"content":{"type":"text","text":"\#(text)"}}"#, session)
    }

    static func message(_ text: String, _ messageId: String? = nil, session: String = "s1") -> [UInt8] {
        chunk("agent_message_chunk", text, messageId: messageId, session: session)
    }

    /// - Parameter data: Base64.
    static func output(_ data: String, of terminal: String, session: String = "s1") -> [UInt8] {
        line(#"{"sessionUpdate":"terminal_output_chunk","terminalId":"\#(terminal)","data":"\#(data)"}"#, session)
    }

    /// One item of a tool call's content.
    static func item(_ text: String, of call: String) -> [UInt8] {
        let content = #"{"type":"content","content":{"type":"text","text":"\#(text)"}}"#
        return line(#"{"sessionUpdate":"tool_call_content_chunk","toolCallId":"\#(call)","content":\#(content)}"#)
    }

    static func summary(_ text: String, of compaction: String) -> [UInt8] {
        let content = #"{"type":"text","text":"\#(text)"}"#
        return line(
            #"{"sessionUpdate":"compaction_summary_chunk","compactionId":"\#(compaction)","content":\#(content)}"#)
    }

    static func toolCall() -> [UInt8] { line(#"{"sessionUpdate":"tool_call","toolCallId":"t1","title":"ls"}"#) }

    static func image(_ kind: String = "agent_message_chunk") -> [UInt8] {
        line(#"{"sessionUpdate":"\#(kind)","content":{"type":"image","data":"AA==","mimeType":"image/png"}}"#)
    }

    static func line(_ update: String, _ session: String = "s1") -> [UInt8] {
        let params = #"{"sessionId":"\#(session)","update":\#(update)}"#
        return Array(#"{"jsonrpc":"2.0","method":"session/update","params":\#(params)}"#.utf8)
    }
}
