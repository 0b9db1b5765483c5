import Synchronization
import TinyvexSync

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A ``TinyvexClient`` that gets its token from an ``AuthProvider``.
///
/// When the bridge rejects the token, the client asks the provider for a new one, once, and repeats the rejected
/// calls. If the bridge rejects the connection with the new token too, the client drops it, and ``authStates`` reports
/// `unauthenticated`. If the provider cannot supply a new token now, waiting calls and streams fail with
/// `TinyvexError.unauthorized`, but the user stays signed in: the next call asks the provider again.
public final class TinyvexClientWithAuth<Provider: AuthProvider>: BridgeClient {
    public typealias State = AuthState<Provider.Identity>

    public let engine: ClientEngine
    private let provider: Provider
    private let session: AuthSession<Provider.Identity>

    public convenience init(endpoint: URL, authProvider: Provider) {
        self.init(configuration: TinyvexConfiguration(endpoint: endpoint), authProvider: authProvider)
    }

    public init(
        configuration: TinyvexConfiguration, authProvider: Provider, transport: any Transport = standardTransport()
    ) {
        engine = ClientEngine(configuration, authToken: nil, transport: transport)
        provider = authProvider
        session = AuthSession(engine.sync)
    }

    /// Signs in, and asks the user if necessary. A failure is the provider's error, and leaves nobody signed in.
    @discardableResult
    public func login() async -> Result<Provider.Identity, any Error> {
        await signIn { [provider] in try await provider.login(onIdToken: $0) }
    }

    /// Signs in with stored credentials, without asking the user. A failure is the provider's error, and leaves nobody
    /// signed in.
    @discardableResult
    public func loginFromCache() async -> Result<Provider.Identity, any Error> {
        await signIn { [provider] in try await provider.loginFromCache(onIdToken: $0) }
    }

    /// Signs out. The client drops the token at once, even if the provider fails.
    @discardableResult
    public func logout() async -> Result<Void, any Error> {
        session.end()
        do {
            try await provider.logout()
            return .success(())
        } catch {
            return .failure(error)
        }
    }

    /// Whether a user is signed in: the current state, then each change.
    public var authStates: AuthStates<Provider.Identity> { AuthStates(session) }

    #if !canImport(Combine) && !COMBINE_STAND_IN
        /// Whether a user is signed in: the current state, then each change.
        public var authState: AuthStates<Provider.Identity> { authStates }
    #endif

    private func signIn(
        _ ask: @Sendable (@escaping @Sendable (String?) -> Void) async throws -> Provider.Identity
    ) async -> Result<Provider.Identity, any Error> {
        let attempt = session.begin()
        do {
            let identity = try await ask { [session] in session.tokenChanged($0, attempt) }
            session.succeeded(
                identity, token: provider.extractIdToken(from: identity), attempt, renew: renewal(attempt))
            return .success(identity)
        } catch {
            session.failed(attempt)
            return .failure(error)
        }
    }

    /// A provider that fails may only be unreachable, so its error does not end the session.
    private func renewal(_ attempt: Int) -> @Sendable () async -> String? {
        { [provider, session] in
            let identity = try? await provider.loginFromCache { session.tokenChanged($0, attempt) }
            return identity.map { provider.extractIdToken(from: $0) }
        }
    }
}
