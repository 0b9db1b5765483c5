/// One repeatable measurement: its subject, its settings and its procedure.
package struct Trial {
    let subject: Subject
    /// How often it is performed in each run. Quick measurements are performed several times.
    let repeats: Int
    let measure: () throws -> [Figure]

    package init(subject: Subject, repeats: Int = 1, measure: @escaping () throws -> [Figure]) {
        self.subject = subject
        self.repeats = repeats
        self.measure = measure
    }
}

/// The subject of a trial. Trials that differ only in the system are compared with each other.
package struct Subject: Equatable {
    package let benchmark: String
    package var system: System
    /// In the order in which they are shown: `subscribers` 10, `lineBytes` 200.
    package let settings: [Setting]

    package init(benchmark: String, system: System = .acpbridge, settings: [Setting] = []) {
        self.benchmark = benchmark
        self.system = system
        self.settings = settings
    }
}

package struct Setting: Equatable {
    package let name: String
    package let value: Int

    package init(name: String, value: Int) {
        self.name = name
        self.value = value
    }
}

/// The measured system: the bridge, or a system that it is compared with.
package enum System: String, CaseIterable {
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
    package var isBridge: Bool { self == .acpbridge || self == .tls || self == .deflate }

    /// True when a process runs between the agent and its readers.
    package var isServer: Bool { self != .direct }
}

/// One measured number.
package struct Figure: Equatable {
    let quantity: Quantity
    let value: Double

    package init(_ quantity: Quantity, _ value: Double) {
        self.quantity = quantity
        self.value = value
    }
}

/// All runs of one trial together.
package struct Outcome {
    package let subject: Subject
    package let measurements: Int
    package let spreads: [(quantity: Quantity, spread: Spread)]

    package init(subject: Subject, measurements: Int, spreads: [(quantity: Quantity, spread: Spread)]) {
        self.subject = subject
        self.measurements = measurements
        self.spreads = spreads
    }
}
