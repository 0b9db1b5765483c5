import Synchronization
import TinyvexSync

/// The sign-in state. It passes the current token to the connection.
///
/// A sign-in takes time, and a sign-out can happen meanwhile. Results of an earlier attempt are therefore ignored.
final class AuthSession<Identity: Sendable>: Sendable {
    typealias Watcher = Mailbox<Newest<AuthState<Identity>>>

    private struct Content {
        private(set) var state = AuthState<Identity>.unauthenticated
        var attempt = 0
        /// Nil while nobody is signed in.
        private(set) var credentials: Credentials?
        /// Raised with each change of the credentials.
        private(set) var version = 0
        private var watchers: [Int: Watcher] = [:]
        private var nextWatcher = 0

        mutating func change(to state: AuthState<Identity>) {
            self.state = state
            for watcher in watchers.values { _ = watcher.add(state) }
        }

        mutating func use(_ credentials: Credentials?) {
            self.credentials = credentials
            version += 1
        }

        mutating func add(_ watcher: Watcher) -> Int {
            nextWatcher += 1
            watchers[nextWatcher] = watcher
            return nextWatcher
        }

        mutating func remove(_ number: Int) { watchers[number] = nil }
    }

    private struct Credentials {
        let attempt: Int
        let token: String
        let renew: @Sendable () async -> String?
    }

    private let content = Mutex(Content())
    private let client: WeakReference<SyncClient>

    init(_ client: SyncClient) { self.client = WeakReference(client) }

    /// Begins an attempt to sign in, and returns its number.
    func begin() -> Int {
        content.withLock { content in
            content.attempt += 1
            content.change(to: .loading)
            return content.attempt
        }
    }

    func succeeded(
        _ identity: Identity, token: String, _ attempt: Int, renew: @escaping @Sendable () async -> String?
    ) {
        let credentials = Credentials(attempt: attempt, token: token, renew: renew)
        if change(to: .authenticated(identity), credentials, attempt) { passOn() }
    }

    func failed(_ attempt: Int) { if change(to: .unauthenticated, nil, attempt) { passOn() } }

    /// The provider has a new token, or nil if its session has ended.
    func tokenChanged(_ token: String?, _ attempt: Int) {
        guard let token else { return failed(attempt) }
        let isCurrent = content.withLock { content in
            guard content.attempt == attempt, let old = content.credentials else { return false }
            content.use(Credentials(attempt: attempt, token: token, renew: old.renew))
            return true
        }
        if isCurrent { passOn() }
    }

    /// Ends the session after a sign-out.
    func end() {
        content.withLock { content in
            content.attempt += 1
            content.change(to: .unauthenticated)
            content.use(nil)
        }
        passOn()
    }

    /// Passes the current credentials to the client. If another thread changes them meanwhile, they are passed again, so that
    /// the newest ones remain. The client is called without the lock, because it can release objects of the program.
    private func passOn() {
        var passed: Int
        repeat {
            let (version, credentials) = content.withLock { ($0.version, $0.credentials) }
            if let credentials {
                let attempt = credentials.attempt
                client.object?.setTokenSource(credentials.renew) { [weak self] in self?.failed(attempt) }
            } else {
                client.object?.setTokenSource(nil)
            }
            client.object?.setToken(credentials?.token)
            passed = version
        } while content.withLock { $0.version } != passed
    }

    private func change(to state: AuthState<Identity>, _ credentials: Credentials?, _ attempt: Int) -> Bool {
        content.withLock { content in
            guard content.attempt == attempt else { return false }
            content.change(to: state)
            content.use(credentials)
            return true
        }
    }

    // MARK: Watchers

    /// Adds a watcher. Its mailbox already contains the current state.
    func watch() -> (number: Int, mailbox: Watcher) {
        content.withLock { content in
            let mailbox = Watcher(Newest(content.state))
            return (content.add(mailbox), mailbox)
        }
    }

    func stopWatching(_ number: Int) { content.withLock { $0.remove(number) } }
}

/// Whether a user is signed in: the current state, then each change. A slow reader receives only the newest state.
public struct AuthStates<Identity: Sendable>: AsyncSequence, Sendable {
    public typealias Element = AuthState<Identity>
    public typealias Failure = Never

    private let session: AuthSession<Identity>

    init(_ session: AuthSession<Identity>) { self.session = session }

    public func makeAsyncIterator() -> Iterator { Iterator(watch: Watch(session)) }

    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let watch: Watch

        public mutating func next(isolation actor: isolated (any Actor)?) async -> AuthState<Identity>? {
            await watch.next()
        }

        public mutating func next() async -> AuthState<Identity>? { await watch.next() }
    }

    fileprivate final class Watch: Sendable {
        private let session: AuthSession<Identity>
        private let number: Int
        private let mailbox: Mailbox<Newest<AuthState<Identity>>>

        init(_ session: AuthSession<Identity>) {
            self.session = session
            (number, mailbox) = session.watch()
        }

        deinit { session.stopWatching(number) }

        func next() async -> AuthState<Identity>? { (try? await mailbox.next())?.taken }
    }
}
