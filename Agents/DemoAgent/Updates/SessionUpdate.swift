import DemoPrompts
import JSONRPC
import JSONScan

/// Writes the `update` objects of `session/update` (ACP `SessionUpdate`) and their lines.
enum SessionUpdate {
    static func object(_ kind: String, _ members: (inout JSONWriter) -> Void) -> [UInt8] {
        JSONWriter.object {
            $0.member("sessionUpdate", kind)
            members(&$0)
        }
    }

    static func sessionInfo(title: String?, updatedAt: String) -> [UInt8] {
        object("session_info_update") {
            $0.member("title", ifPresent: title)
            $0.member("updatedAt", updatedAt)
        }
    }

    static func plan(_ entries: [String], completed: Int) -> [UInt8] {
        object("plan") { write(entries, completed: completed, to: &$0) }
    }

    /// The plan of version 2, which has an id.
    static func planItems(id: String, _ entries: [String], completed: Int) -> [UInt8] {
        object("plan_update") { update in
            update.memberObject("plan") { plan in
                plan.member("type", "items")
                plan.member("planId", id)
                write(entries, completed: completed, to: &plan)
            }
        }
    }

    private static func write(_ entries: [String], completed: Int, to plan: inout JSONWriter) {
        plan.memberArray("entries") { list in
            for (index, entry) in entries.enumerated() {
                list.object {
                    $0.member("content", entry)
                    $0.member("priority", index == 0 ? "high" : "medium")
                    $0.member(
                        "status", index < completed ? "completed" : index == completed ? "in_progress" : "pending")
                }
            }
        }
    }

    static func notice(_ title: String) -> [UInt8] {
        object("notice") {
            $0.member("severity", "info")
            $0.member("title", title)
        }
    }

    static func usage(usedTokens: Int) -> [UInt8] {
        object("usage_update") {
            $0.member("used", usedTokens)
            $0.member("size", 200_000)
        }
    }

    static func text(_ kind: String, messageID: String, _ text: String) -> [UInt8] {
        content(kind, messageID: messageID, block: textBlock(text))
    }

    static func content(_ kind: String, messageID: String, block: some Collection<UInt8>) -> [UInt8] {
        object(kind) {
            $0.member("messageId", messageID)
            $0.member("content", raw: block)
        }
    }

    static func textBlock(_ text: String) -> [UInt8] {
        JSONWriter.object {
            $0.member("type", "text")
            $0.member("text", text)
        }
    }

    /// The complete line, including the line feed.
    static func line(sessionID: String, update: some Collection<UInt8>) -> [UInt8] {
        MessageText.notification(method: "session/update") {
            $0.member("sessionId", sessionID)
            $0.member("update", raw: update)
        } + [0x0a]
    }
}

/// The line of a chunk, prepared once per message. Only the text differs between the chunks of a message.
struct ChunkLine {
    let messageID: String
    let kind: TextStream.Kind
    private let head: ArraySlice<UInt8>
    private let tail: ArraySlice<UInt8>

    init(sessionID: String, kind: TextStream.Kind, messageID: String) {
        self.messageID = messageID
        self.kind = kind
        let update = SessionUpdate.text(kind.rawValue, messageID: messageID, "")
        let line = SessionUpdate.line(sessionID: sessionID, update: update)
        // The text is the last and innermost member. It is followed by a quote, four braces and a line feed.
        tail = line.suffix(6)
        head = line.dropLast(6)
    }

    func append(_ text: String, to output: inout [UInt8]) {
        output += head
        if text.utf8.allSatisfy({ $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }) {
            // Most chunks need no escaping and are copied as a whole. A byte-by-byte copy halves the throughput of
            // a flood.
            output += text.utf8
        } else {
            output += JSONWriter.scalar(text).dropFirst().dropLast()
        }
        output += tail
    }
}
