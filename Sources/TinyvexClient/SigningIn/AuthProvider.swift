/// Signs users in and supplies their tokens. The provider decides how and where to store them.
public protocol AuthProvider<Identity>: Sendable {
    /// The provider's data about a user who is signed in.
    associatedtype Identity: Sendable

    /// Signs in, and asks the user if necessary.
    ///
    /// - Parameter onIdToken: The provider must call this function with each new token from then on, and with nil
    ///   when the session has ended.
    func login(onIdToken: @escaping @Sendable (String?) -> Void) async throws -> Identity

    /// Signs in with stored credentials, without asking the user. The client also calls this method to renew the
    /// token.
    ///
    /// A thrown error fails ``TinyvexClientWithAuth/loginFromCache()``. During a renewal it does not sign the user out, because
    /// the cause can be a network that is away for a moment. If the session has ended, call `onIdToken` with nil as well.
    ///
    /// - Parameter onIdToken: See ``login(onIdToken:)``.
    func loginFromCache(onIdToken: @escaping @Sendable (String?) -> Void) async throws -> Identity

    /// Signs out and deletes the stored credentials.
    func logout() async throws

    /// Returns the token to send to the bridge.
    func extractIdToken(from identity: Identity) -> String
}

/// Whether a user is signed in.
public enum AuthState<Identity: Sendable>: Sendable {
    case authenticated(Identity)
    case unauthenticated
    /// The sign-in is in progress.
    case loading
}

extension AuthState: Equatable where Identity: Equatable {}
