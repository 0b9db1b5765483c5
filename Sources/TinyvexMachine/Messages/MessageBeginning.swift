import ACPMethods
import JSONScan
import TextSearch

/// The receiver named in the first bytes of a message. The bridge's own messages all begin the same way. An agent can
/// write an update differently; such an update is `other`.
enum MessageBeginning: Equatable {
    case response(id: Int)
    case data(subId: String)
    case update(sessionId: String)
    case other

    init(_ bytes: [UInt8]) {
        let text = bytes[...]
        if let id = Self.value(after: Self.responseStart, text, through: UInt8(ascii: ",")).flatMap({ Int($0) }) {
            self = .response(id: id)
        } else if let subId = Self.value(after: Self.dataStart, text, through: UInt8(ascii: "\"")) {
            self = .data(subId: subId)
        } else if text.range(of: Self.updateMethod) != nil, let session = Self.sessionId(text) {
            self = .update(sessionId: session)
        } else {
            self = .other
        }
    }

    private static let responseStart = Array(#"{"jsonrpc":"2.0","id":"#.utf8)
    private static let dataStart = Array(#"{"jsonrpc":"2.0","method":"tinyvex/data","params":{"subId":""#.utf8)
    private static let updateMethod = Array("\"\(ACPMethod.sessionUpdate.name)\"".utf8)
    private static let sessionMember = Array(#""sessionId":""#.utf8)

    /// Returns the text between a message's start and the next `end`.
    private static func value(after start: [UInt8], _ text: ArraySlice<UInt8>, through end: UInt8) -> String? {
        guard text.starts(with: start) else { return nil }
        let rest = text.dropFirst(start.count)
        return rest.firstIndex(of: end).map { String(decoding: rest[..<$0], as: UTF8.self) }
    }

    private static func sessionId(_ text: ArraySlice<UInt8>) -> String? {
        guard let place = text.range(of: sessionMember) else { return nil }
        var end = place.upperBound
        while end < text.endIndex, text[end] != UInt8(ascii: "\"") { end += text[end] == UInt8(ascii: "\\") ? 2 : 1 }
        guard end < text.endIndex else { return nil }
        return (try? JSONValue(validating: Array(text[(place.upperBound - 1)...end])))?.stringValue
    }
}
