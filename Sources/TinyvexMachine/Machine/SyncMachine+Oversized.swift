import TinyvexTransport

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
            for id in calls.removeAll(onlySent: true) { act(.answer(id, .failure(error))) }
            for subscriber in streams.subscribers { fail(subscriber, error) }
        }
    }
}
