import ACP

/// The updates that the agent of a session sends, without the other events of ``SessionEvents``.
///
/// A line that does not match the ACP schema for its kind is thrown as `TinyvexError.decoding`. The error ends a
/// `for try await` loop; the next call of `next()` on the same iterator returns the next line. ``SessionEvents``
/// also delivers such lines.
///
/// The sequence fails with `.server` if the bridge rejects the subscription, for example because there is no such session, with
/// `.unauthorized` without a valid token, and with the cause if the connection is lost permanently. A lost connection that the
/// client can restore is not an error. The subscription begins when the sequence is created. Each iteration is a separate
/// subscription, which ends when its iterator is released. Cancelling the task ends the iteration. The end of the session does
/// not, because an agent can open the session again.
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
