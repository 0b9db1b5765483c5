/// Signs people in, and knows their tokens. What stores them, and where, is its own matter.
public protocol AuthProvider<Identity>: Sendable {
    /// What is known of someone who has signed in.
    associatedtype Identity: Sendable

    /// Signs in, asking the person where that is needed.
    ///
    /// - Parameter onIdToken: to be called with each new token from then on, and with nil when the session is over.
    func login(onIdToken: @escaping @Sendable (String?) -> Void) async throws -> Identity

    /// Signs in with what was kept, without asking anyone. It is asked for a new token by this, too.
    ///
    /// - Parameter onIdToken: as in ``login(onIdToken:)``.
    func loginFromCache(onIdToken: @escaping @Sendable (String?) -> Void) async throws -> Identity

    /// Signs out, and forgets what was kept.
    func logout() async throws

    /// The token to show to the bridge.
    func extractIdToken(from identity: Identity) -> String
}

/// Whether someone has signed in.
public enum AuthState<Identity: Sendable>: Sendable {
    case authenticated(Identity)
    case unauthenticated
    /// It is being found out.
    case loading
}

extension AuthState: Equatable where Identity: Equatable {}
