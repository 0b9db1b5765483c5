/// Creates `session/update` lines, each with the next number in `params._meta.n`.
struct Updates {
    var sessionID = "rude-1"
    private(set) var number = 0

    init() {}

    /// One update, without LF.
    mutating func next(text: String = "") -> String {
        number += 1
        return line(update: Self.chunk(text.isEmpty ? "update \(number)" : text))
    }

    /// One chunk with the texts of all updates so far, without LF. It has no number.
    func repetition() -> String {
        let text = (1...max(1, number)).map { "update \($0)" }.joined()
        return #"{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"\#(sessionID)","update":"#
            + Self.chunk(text) + "}}"
    }

    /// One update of exactly `byteCount` bytes without LF, or the shortest possible one if that is longer.
    mutating func next(byteCount: Int) -> [UInt8] {
        number += 1
        let bytes = Array(line(update: Self.chunk("")).utf8)
        // An array, because joining whole arrays is fast in a debug build too.
        let filler = [UInt8](repeating: UInt8(ascii: "x"), count: max(0, byteCount - bytes.count))
        // The text is directly before the end of the chunk and the line.
        let textEnd = bytes.count - Self.chunkEnd.utf8.count - lineEnd.utf8.count
        return bytes[..<textEnd] + filler + bytes[textEnd...]
    }

    /// An update in the caller's own spelling: `$S` in it is replaced by the session's id and `$N` by the number.
    mutating func next(spelt template: String) -> String {
        number += 1
        var line = ""
        var rest = template[...]
        while let character = rest.popFirst() {
            guard character == "$", let name = rest.popFirst() else {
                line.append(character)
                continue
            }
            line += name == "S" ? sessionID : "\(number)"
        }
        return line
    }

    private static let chunkEnd = #""}}"#

    private var lineEnd: String { #","_meta":{"n":\#(number)}}}"# }

    private func line(update: String) -> String {
        #"{"jsonrpc":"2.0","method":"session/update","#
            + #""params":{"sessionId":"\#(sessionID)","update":\#(update)\#(lineEnd)"#
    }

    private static func chunk(_ text: String) -> String {
        #"{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"\#(text)\#(chunkEnd)"#
    }
}
