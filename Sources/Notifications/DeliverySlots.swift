/// The deliveries that run at one time. Pure.
///
/// Clients choose the addresses of registrations, and a server there can use all the time of a request. So registrations
/// have slots of their own, and each client has one of them: a slow server delays neither the targets of the configuration
/// nor the registrations of other clients.
struct DeliverySlots {
    /// The deliveries at once to targets of the configuration, and as many to registrations.
    static let limit = 4

    /// A message's place: its destination gets one message at a time.
    struct Place {
        let destination: String
        /// The client that made the registration; nil for a target of the configuration.
        let client: String?
    }

    private var destinations: Set<String> = []
    private var clients: Set<String> = []
    private var targets = 0

    func isFree(for place: Place) -> Bool {
        guard !destinations.contains(place.destination) else { return false }
        guard let client = place.client else { return targets < Self.limit }
        return clients.count < Self.limit && !clients.contains(client)
    }

    mutating func take(_ place: Place) {
        destinations.insert(place.destination)
        if let client = place.client { clients.insert(client) } else { targets += 1 }
    }
}
