import EventLoop
import Posix
import Tinyvex

extension Bridge {
    /// The text of `/metrics` for Prometheus. Source: Prometheus's text exposition format, version 0.0.4.
    var metricsText: String {
        let subscriptions = clients.connections.values.reduce(0) { $0 + $1.streams.byId.count }
        let unpublished = agents.runs.reduce(0) { $0 + ($1.sessions?.unpublishedLines ?? 0) }
        return (metrics(subscriptions, unpublished) + hubMetrics).map(\.text).joined()
    }

    private var hubMetrics: [Metric] {
        guard let hub = logCare.hub else { return [] }
        return [
            Metric("hub_connected", .gauge, "1 while the hub can be used.", hub.isConnected ? 1 : 0),
            Metric(
                "hub_waiting_sessions", .gauge, "Sessions that wait to be shipped to the hub.", hub.waitingSessions),
            Metric(
                "hub_refused_sessions", .gauge, "Sessions whose contents the hub refuses.", hub.refusedSessions),
            Metric("hub_updates_total", .counter, "Updates shipped to the hub.", hub.shippedUpdates),
            Metric("hub_transactions_total", .counter, "Transactions at the hub.", hub.shippedTransactions),
            Metric("hub_failures_total", .counter, "Failed attempts to use the hub.", hub.failureCount),
        ]
    }

    private func metrics(_ subscriptions: Int, _ unpublished: Int) -> [Metric] {
        [
            Metric("connections", .gauge, "Connections, of every kind.", server.connectionCount.total),
            Metric(
                "clients", .gauge, "Clients on /tinyvex and /acp, including editors that took an agent over.",
                clients.connections.count),
            Metric("subscriptions", .gauge, "Subscriptions of all clients.", subscriptions),
            Metric("agents", .gauge, "Agents that run.", agents.runs.count),
            Metric(
                "live_sessions", .gauge, "Sessions whose agent runs, or that are still being stored.",
                registry.live.count),
            Metric("requests_total", .counter, "HTTP requests, upgrades among them.", server.traffic.requests),
            Metric("refusals_total", .counter, "Requests and connections that were refused.", server.traffic.refusals),
            Metric(
                "unpublished_lines_total", .counter, "Lines of running agents that were not published.", unpublished),
            Metric("unstored_lines_total", .counter, "Updates that could not be stored.", registry.unstoredLines),
            Metric("audit_lost_lines_total", .counter, "Audit lines that could not be written.", audit.lostLines),
            Metric("resident_bytes", .gauge, "Memory in use.", Int(ProcessFacts.residentBytes)),
            Metric("start_time_seconds", .gauge, "When the bridge started, in Unix time.", Int(startedAt / 1000)),
        ]
    }
}

private struct Metric {
    enum Kind: String { case gauge, counter }

    let text: String

    init(_ name: String, _ kind: Kind, _ help: String, _ value: Int) {
        text =
            "# HELP acpbridge_\(name) \(help)\n# TYPE acpbridge_\(name) \(kind.rawValue)\nacpbridge_\(name) \(value)\n"
    }
}
