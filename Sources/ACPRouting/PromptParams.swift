import FieldLimits
import JSONScan

/// The params of a prompt for the timeline: as the client wrote them, or without the content that is too long.
package enum PromptParams {
    /// 64 KiB, the beginning of a text that does not fit. Its escapes need at most six times as much.
    private static let textLimitBytes = 64 << 10

    /// Returns longer params as `{"sessionId":"s1","prompt":[…],"omittedBytes":6666825}`, with the blocks that fit in
    /// half of the limit and the beginnings of texts. `by`, which the bridge adds, is kept. The number is the size of the params.
    package static func bounded(_ params: [UInt8], to limitBytes: Int) -> [UInt8] {
        guard params.count > limitBytes, let value = try? JSONValue(validating: params) else { return params }
        return JSONWriter.object { writer in
            writer.member(
                "sessionId", ifPresent: value["sessionId"]?.stringValue?.within(bytes: FieldLimit.sessionIdBytes))
            writer.memberArray("prompt") { writer in
                var room = limitBytes / 2
                for block in value["prompt"]?.elements ?? [] {
                    guard let kept = kept(block, within: room) else { continue }
                    writer.element(raw: kept)
                    room -= kept.count
                }
            }
            writer.member("by", ifPresent: value["by"]?.stringValue)
            writer.member("omittedBytes", params.count)
        }
    }

    private static func kept(_ block: JSONValue, within room: Int) -> [UInt8]? {
        if block.rawText.count <= room { return Array(block.rawText) }
        guard block["type"]?.stringValue == "text", let text = block["text"]?.stringValue else { return nil }
        let beginning = JSONWriter.object { writer in
            writer.member("type", "text")
            writer.member("text", String(decoding: text.utf8.prefix(textLimitBytes), as: UTF8.self))
        }
        return beginning.count <= room ? beginning : nil
    }
}
