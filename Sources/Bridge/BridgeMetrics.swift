import EventLoop
import Posix
import Tinyvex

extension Bridge {
    /// The text of `/metrics` for Prometheus. Source: Prometheus's text exposition format, version 0.0.4.
    var metricsText: String {
        let subscriptions = clients.connections.values.reduce(0) { $0 + $1.streams.byId.count }
        let unpublished = agents.runs.reduce(0) { $0 + ($1.sessions?.unpublishedLines ?? 0) }
        let work = work
        return [
            Metric("connections", .gauge, "Connections, of every kind.", server.connectionCount.total),
            Metric(
                "clients", .gauge, "Clients on /tinyvex and /acp, including editors that took an agent over.",
                clients.connections.count),
            Metric("subscriptions", .gauge, "Subscriptions of all clients.", subscriptions),
            Metric("agents", .gauge, "Agents that run.", agents.runs.count),
            Metric(
                "live_sessions", .gauge, "Sessions whose agent runs, or that are still being stored.",
                registry.live.count),
            Metric("running_turns", .gauge, "Sessions in which a turn runs or a prompt waits.", work.runningTurns),
            Metric("background_items", .gauge, "Background work that agents have reported.", work.backgroundItems),
            Metric("child_sessions", .gauge, "Live child sessions.", work.childSessions),
            Metric(
                "pending_requests", .gauge, "Permission requests and elicitations without an answer.",
                work.pendingRequests),
            Metric("requests_total", .counter, "HTTP requests, upgrades among them.", server.traffic.requests),
            Metric("refusals_total", .counter, "Requests and connections that were refused.", server.traffic.refusals),
            Metric(
                "unpublished_lines_total", .counter, "Lines of running agents that were not published.", unpublished),
            Metric("unstored_lines_total", .counter, "Updates that could not be stored.", registry.unstoredLines),
            Metric("audit_lost_lines_total", .counter, "Audit lines that could not be written.", audit.lostLines),
            Metric("resident_bytes", .gauge, "Memory in use.", Int(ProcessFacts.residentBytes)),
            Metric("start_time_seconds", .gauge, "When the bridge started, in Unix time.", Int(startedAt / 1000)),
        ].map(\.text).joined()
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
