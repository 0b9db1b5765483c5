import Tinyvex

extension NotificationMachine {
    /// Registrations of all tenants. Each has at most 2 KiB.
    private static let registrationLimit = 1_000
    /// Registrations of one tenant, or of the clients without one. A person has a few browsers and devices.
    private static let tenantLimit = 100
    /// Registrations of one token of the bridge's, so that its client leaves room for the others.
    private static let tokenLimit = 20

    /// Adds a registration, or replaces the earlier one of the same address and tenant.
    package mutating func register(_ registration: PushSubscription) throws(Rejection) {
        let others = subscriptions.filter { $0.id != registration.id }
        let (tenant, token) = (registration.tenant, registration.tokenId)
        guard others.count < Self.registrationLimit, others.count(where: { $0.tenant == tenant }) < Self.tenantLimit,
            token == nil || others.count(where: { $0.tokenId == token }) < Self.tokenLimit
        else {
            throw Rejection(
                .limitExceeded, "there are too many push registrations; end some with push:unregister",
                rpcCode: .invalidRequest)
        }
        subscriptions = others + [registration]
    }
}
