/// One measurement that can be repeated: of what, with which settings, and how.
struct Trial {
    let subject: Subject
    /// How often it is made in each run; quick ones are made several times.
    var repeats = 1
    let measure: () throws -> [Figure]
}

/// What a trial is about. Trials that differ only in the system are compared with each other.
struct Subject: Equatable {
    let benchmark: String
    var system = System.acpbridge
    /// In the order they are shown in: `subscribers` 10, `lineBytes` 200.
    var settings: [Setting] = []
}

struct Setting: Equatable {
    let name: String
    let value: Int
}

/// What is measured: the bridge, or what it is held against.
enum System: String, CaseIterable {
    case acpbridge
    /// The bridge over TLS.
    case tls
    /// The bridge with permessage-deflate.
    case deflate
    /// Debian's websocketd: an agent for each client, nothing stored, nothing looked into.
    case websocketd
    /// A small relay on PyPI's `websockets`.
    case python
    /// A small relay in C, `c-relay`: about what the machine can do.
    case c
    /// The agent's own pipe, without anything between.
    case direct

    /// It is acpbridge, in one way or another.
    var isBridge: Bool { self == .acpbridge || self == .tls || self == .deflate }

    /// A process stands between the agent and its readers.
    var isServer: Bool { self != .direct }
}

/// One number that a measurement found.
struct Figure: Equatable {
    let quantity: Quantity
    let value: Double

    init(_ quantity: Quantity, _ value: Double) {
        self.quantity = quantity
        self.value = value
    }
}

/// All runs of one trial together.
struct Outcome {
    let subject: Subject
    let measurements: Int
    let spreads: [(quantity: Quantity, spread: Spread)]
}
