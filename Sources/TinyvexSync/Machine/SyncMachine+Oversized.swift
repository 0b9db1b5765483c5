import JSONScan

extension SyncMachine {
    /// A message that was larger than ``SyncConfiguration/receiveLimitBytes``.
    struct OversizedMessage {
        enum Receiver: Equatable {
            case call(CallID)
            case stream(StreamTable.ID)
            /// The beginning of the message does not name a receiver.
            case unknown
        }
        let receiver: Receiver
        let limitBytes: Int
    }

    /// Call this before the connection is cleared, because the connection stores the purpose of each request.
    mutating func oversizedMessage(_ failure: TransportFailure) -> OversizedMessage? {
        guard case .messageTooLarge(let limit, let beginning) = failure else { return nil }
        return OversizedMessage(receiver: receiver(MessageBeginning(beginning)), limitBytes: limit)
    }

    private mutating func receiver(_ beginning: MessageBeginning) -> OversizedMessage.Receiver {
        switch beginning {
        case .response(let request):
            switch withOpen({ $0.answered(request) }) ?? nil {
            case .call(let id): return .call(id)
            case .subscription(let id): return .stream(id)
            case .connect, .ping, .setToken, .unsubscription, nil: return .unknown
            }
        case .data(let subId): return streams.stream(subId: subId).map { .stream($0) } ?? .unknown
        case .update(let session): return streams.stream(ofSession: session).map { .stream($0) } ?? .unknown
        case .other: return .unknown
        }
    }

    /// If the receiver is unknown, all possible receivers fail, because another attempt would end the same way.
    mutating func failReceivers(of message: OversizedMessage) {
        let error = TinyvexError.tooLarge(limitBytes: message.limitBytes)
        switch message.receiver {
        case .call(let id): if calls.remove(id) { act(.answer(id, .failure(error))) }
        case .stream(let id): failReaders(of: id, error)
        case .unknown:
            for id in calls.takeAll(onlySent: true) { act(.answer(id, .failure(error))) }
            for subscriber in streams.subscribers { fail(subscriber, error) }
        }
    }
}

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
        } else if text.contains(Self.updateMethod), let session = Self.sessionId(text) {
            self = .update(sessionId: session)
        } else {
            self = .other
        }
    }

    private static let responseStart = Array(#"{"jsonrpc":"2.0","id":"#.utf8)
    private static let dataStart = Array(#"{"jsonrpc":"2.0","method":"tinyvex/data","params":{"subId":""#.utf8)
    private static let updateMethod = Array(#""session/update""#.utf8)
    private static let sessionMember = Array(#""sessionId":""#.utf8)

    /// Returns the text between a message's start and the next `end`.
    private static func value(after start: [UInt8], _ text: ArraySlice<UInt8>, through end: UInt8) -> String? {
        guard text.starts(with: start) else { return nil }
        let rest = text.dropFirst(start.count)
        return rest.firstIndex(of: end).map { String(decoding: rest[..<$0], as: UTF8.self) }
    }

    private static func sessionId(_ text: ArraySlice<UInt8>) -> String? {
        guard let place = text.firstRange(of: sessionMember) else { return nil }
        var end = place.upperBound
        while end < text.endIndex, text[end] != UInt8(ascii: "\"") { end += text[end] == UInt8(ascii: "\\") ? 2 : 1 }
        guard end < text.endIndex else { return nil }
        return (try? JSONValue(validating: Array(text[(place.upperBound - 1)...end])))?.stringValue
    }
}
