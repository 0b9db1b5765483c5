/// One repeatable measurement: its subject, its settings and its procedure.
struct Trial {
    let subject: Subject
    /// How often it is performed in each run. Quick measurements are performed several times.
    var repeats = 1
    let measure: () throws -> [Figure]
}

/// The subject of a trial. Trials that differ only in the system are compared with each other.
struct Subject: Equatable {
    let benchmark: String
    var system = System.acpbridge
    /// In the order in which they are shown: `subscribers` 10, `lineBytes` 200.
    var settings: [Setting] = []
}

struct Setting: Equatable {
    let name: String
    let value: Int
}

/// The measured system: the bridge, or a system that it is compared with.
enum System: String, CaseIterable {
    case acpbridge
    /// The bridge over TLS.
    case tls
    /// The bridge with permessage-deflate.
    case deflate
    /// Debian's websocketd: one agent per client. It stores nothing and inspects nothing.
    case websocketd
    /// A small relay on PyPI's `websockets`.
    case python
    /// A small relay in C, `c-relay`. It approximates the limit of the machine.
    case c
    /// The agent's own pipe, without a program in between.
    case direct

    /// True for all variants of acpbridge.
    var isBridge: Bool { self == .acpbridge || self == .tls || self == .deflate }

    /// True when a process runs between the agent and its readers.
    var isServer: Bool { self != .direct }
}

/// One measured number.
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
