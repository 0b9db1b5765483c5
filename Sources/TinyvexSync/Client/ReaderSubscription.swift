import Synchronization
import TinyvexMachine

/// One reader's subscription. It ends when the last reference to it is released.
package final class ReaderSubscription<Contents: MailboxContents>: Sendable {
    private let client: SyncClient
    private let id: SubscriberID
    private let mailbox: Mailbox<Contents>

    init(_ client: SyncClient, _ id: SubscriberID, _ mailbox: Mailbox<Contents>) {
        self.client = client
        self.id = id
        self.mailbox = mailbox
    }

    deinit { client.core.handle(.unsubscribe(id)) { $0.remove(id) } }

    func next() async throws(TinyvexError) -> Contents.Taken? {
        guard let (taken, wasFull) = try await mailbox.next() else { return nil }
        if wasFull { client.core.handle(.readerCaughtUp(id)) }
        return taken
    }
}

/// Subscribes at once for the first reader, and makes a new subscription for each further reader.
final class ReaderSubscriptions<Contents: MailboxContents>: Sendable {
    private let first: Mutex<ReaderSubscription<Contents>?>
    private let subscribe: @Sendable () -> ReaderSubscription<Contents>

    init(_ subscribe: @escaping @Sendable () -> ReaderSubscription<Contents>) {
        self.subscribe = subscribe
        first = Mutex(subscribe())
    }

    func nextSubscription() -> ReaderSubscription<Contents> { first.withLock { $0.take() } ?? subscribe() }
}
