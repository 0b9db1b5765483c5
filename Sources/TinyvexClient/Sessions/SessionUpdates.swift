import ACP
import TinyvexSync

/// What the agent of a session sends, and nothing else: the lines of ``SessionEvents`` by themselves.
///
/// A line that does not fit what ACP says of its kind is thrown as `TinyvexError.decoding`. That ends a
/// `for try await`; who asks the iterator on gets the next line. ``SessionEvents`` hand out such lines too.
public struct SessionUpdates: AsyncSequence, Sendable {
    public typealias Element = ACP.Client.SessionNotificationWire
    public typealias Failure = TinyvexError

    private let events: SessionEvents

    init(_ events: SessionEvents) { self.events = events }

    public func makeAsyncIterator() -> Iterator { Iterator(events: events.makeAsyncIterator()) }

    public struct Iterator: AsyncIteratorProtocol {
        fileprivate var events: SessionEvents.Iterator

        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(TinyvexError) -> ACP.Client.SessionNotificationWire? {
            while let event = try await events.next(isolation: actor) {
                switch event {
                case .update(_, let update): return update
                case .unreadable(_, _, let fault): throw .decoding(fault)
                case .opened, .skipped, .restarted, .ended, .notice: continue
                }
            }
            return nil
        }

        public mutating func next() async throws(TinyvexError) -> ACP.Client.SessionNotificationWire? {
            try await next(isolation: nil)
        }
    }
}
