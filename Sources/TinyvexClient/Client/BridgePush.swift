#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Registers a program for the notifications of a bridge. The rules of the bridge's operator decide what is sent.
///
///     let id = try await client.push.register(deviceToken: token, events: [.permission, .failed])
///
/// A registration ends with the token of the client that made it, when the push service reports that the device is gone,
/// or by ``unregister(_:)``. A later registration of the same address replaces the earlier one.
public struct BridgePush: Sendable {
    private let client: any BridgeClient

    init(_ client: any BridgeClient) { self.client = client }

    /// Registers an app on a device for Apple's push service, and returns the registration's id.
    ///
    /// - Parameters:
    ///   - deviceToken: The bytes that `didRegisterForRemoteNotificationsWithDeviceToken` gets.
    ///   - topic: The app's bundle id; nil if the bridge has a target for one app only.
    ///   - isDevelopment: The app was built for development.
    ///   - events: Nil for all events that the bridge's target sends.
    /// - Throws: `.server` if the bridge has no target for the app; otherwise as ``BridgeClient/mutation(_:args:as:)``.
    public nonisolated(nonsending) func register(
        deviceToken: some Sequence<UInt8>, topic: String? = nil, isDevelopment: Bool = false,
        events: [PushEvent]? = nil
    ) async throws(TinyvexError) -> String {
        let device = Device(
            token: deviceToken.map(Self.hexadecimal).joined(), topic: topic,
            environment: isDevelopment ? "development" : nil, events: events)
        return try await register(device)
    }

    /// Registers a webhook, which gets requests by the rules of Standard Webhooks, and returns the registration's id.
    ///
    /// - Parameters:
    ///   - url: An `https` URL with a public address, unless the bridge's target permits others.
    ///   - secret: `whsec_` and 24 to 64 bytes in Base64, for signatures.
    ///   - events: Nil for all events that the bridge's target sends.
    /// - Throws: `.server` if the bridge has no target for webhooks or does not permit this URL; otherwise as
    ///   ``BridgeClient/mutation(_:args:as:)``.
    public nonisolated(nonsending) func register(
        webhook url: URL, secret: String? = nil, events: [PushEvent]? = nil
    ) async throws(TinyvexError) -> String {
        try await register(Webhook(endpoint: url.absoluteString, secret: secret, events: events))
    }

    private nonisolated(nonsending) func register(_ args: any Encodable) async throws(TinyvexError) -> String {
        try await client.mutation("push:register", args: args, as: Registered.self).id
    }

    /// Ends a registration. Returns false if there is none with this id.
    ///
    /// - Throws: As ``BridgeClient/mutation(_:args:as:)``.
    @discardableResult public nonisolated(nonsending) func unregister(_ id: String) async throws(TinyvexError) -> Bool {
        try await client.mutation("push:unregister", args: ["id": id], as: Unregistered.self).unregistered
    }

    /// Sends a notification to a registration of this client, once. Returns the reason if it was not delivered, for example
    /// because the client has no such registration, and nil if it was.
    ///
    /// - Throws: As ``BridgeClient/action(_:args:as:isIdempotent:)``.
    public nonisolated(nonsending) func test(_ id: String) async throws(TinyvexError) -> String? {
        let result = try await client.action("push:test", args: ["id": id], as: Tested.self)
        return result.delivered ? nil : result.error ?? "it was not delivered"
    }

    /// Returns the registrations that the client's token can see.
    ///
    /// - Throws: As ``BridgeClient/query(_:params:as:)``.
    public nonisolated(nonsending) func list() async throws(TinyvexError) -> [PushRegistration] {
        try await client.query("push:list", as: PushRegistrationList.self).data
    }

    private static func hexadecimal(_ byte: UInt8) -> String {
        let digits = String(byte, radix: 16)
        return digits.count == 1 ? "0" + digits : digits
    }

    private struct Device: Encodable {
        let token: String
        let topic: String?
        let environment: String?
        let events: [PushEvent]?
    }

    private struct Webhook: Encodable {
        let endpoint: String
        let secret: String?
        let events: [PushEvent]?
    }

    private struct Registered: Decodable { let id: String }
    private struct Tested: Decodable {
        let delivered: Bool
        let error: String?
    }
    private struct Unregistered: Decodable { let unregistered: Bool }
}

extension BridgeClient {
    /// The program's registrations for notifications.
    public var push: BridgePush { BridgePush(self) }
}
