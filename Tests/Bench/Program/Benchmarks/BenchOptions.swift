import BenchLoad
import BenchMeasuring
import BenchSystems

/// The settings of the measurements. `nil` leaves the choice to each benchmark.
struct BenchOptions: Equatable {
    var runs = 5
    /// The number of updates in one run.
    var lines: Int?
    var agent = AgentOptions()
    /// Updates per second in latency measurements.
    var rate = 1_000
    var subscribers: [Int]?
    var sessions = 200
    /// The only load beside the watched session, for fairness.
    var beside: Disturbance?
    /// Subscribers connect over TCP instead of the Unix socket.
    var usesTCP = false
    var json = false
    /// The systems that are measured in turn with acpbridge.
    var against: [System] = []
    /// The `acpbridge` to measure, instead of the one beside this program.
    var program: String?
    var python = "python3"

    var transport: ReaderTransport { usesTCP ? .tcp : .socket }
}
