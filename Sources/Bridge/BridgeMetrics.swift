import EventLoop
import HubSharing
import Metrics
import Posix
import Tinyvex

extension Bridge {
    /// The text of `/metrics` for Prometheus. Source: Prometheus's text exposition format, version 0.0.4.
    var metricsText: String {
        var text = MetricsText()
        writeConnections(to: &text)
        writeLog(to: &text)
        writeHub(to: &text)
        writePeers(to: &text)
        activity.write(to: &text)
        ProcessFigures.read().write(to: &text)
        // The names of earlier versions.
        text.write("acpbridge_resident_bytes", .gauge, "Memory in use.", ProcessFacts.residentBytes)
        text.write(
            "acpbridge_start_time_seconds", .gauge, "When the bridge started, in Unix time.", startedAt / 1000)
        return text.text
    }

    private func writeConnections(to text: inout MetricsText) {
        let subscriptions = clients.connections.values.reduce(0) { $0 + $1.streams.byId.count }
        text.write("acpbridge_connections", .gauge, "Connections, of every kind.", Int64(server.connectionCount.total))
        text.write(
            "acpbridge_clients", .gauge, "Clients on /tinyvex and /acp, including editors that took an agent over.",
            Int64(clients.connections.count))
        text.write("acpbridge_subscriptions", .gauge, "Subscriptions of all clients.", Int64(subscriptions))
        text.write(
            "acpbridge_requests_total", .counter, "HTTP requests, upgrades among them.", Int64(server.traffic.requests))
        text.write(
            "acpbridge_refusals_total", .counter, "Requests and connections that were refused.",
            Int64(server.traffic.refusals))
        text.write(
            "acpbridge_audit_lost_lines_total", .counter, "Audit lines that could not be written.",
            Int64(audit.lostLines))
    }

    private func writeLog(to text: inout MetricsText) {
        let unpublished = agents.runs.reduce(0) { $0 + ($1.sessions?.unpublishedLines ?? 0) }
        let latencies = registry.latencies
        text.write("acpbridge_agents", .gauge, "Agents that run.", Int64(agents.runs.count))
        text.write(
            "acpbridge_live_sessions", .gauge, "Sessions whose agent runs, or that are still being stored.",
            Int64(registry.live.count))
        text.write(
            "acpbridge_unpublished_lines_total", .counter, "Lines of running agents that were not published.",
            Int64(unpublished))
        text.write(
            "acpbridge_unstored_lines_total", .counter, "Updates that could not be stored.",
            Int64(registry.logHealth.unstoredLines))
        text.write(
            "acpbridge_unstored_bytes", .gauge, "Bytes that wait to be stored.",
            registry.live.all.reduce(0) { $0 + Int64($1.unstoredBytes) })
        text.write(
            "acpbridge_log_failing", .gauge, "1 while the session log cannot be written.",
            registry.logHealth.failure == nil ? 0 : 1)
        text.write(
            "acpbridge_append_latency_seconds", "Time until the session log has stored one append.", latencies.append)
        text.write(
            "acpbridge_delivery_latency_seconds",
            "Time from the read of an agent's output until it was passed to the sockets of the readers at the end.",
            latencies.delivery)
        let work = work
        text.write(
            "acpbridge_running_turns", .gauge, "Sessions in which a turn runs or a prompt is not answered.",
            Int64(work.runningTurns))
        text.write(
            "acpbridge_background_items", .gauge, "Background work that agents have reported.",
            Int64(work.backgroundItems))
        text.write("acpbridge_child_sessions", .gauge, "Live child sessions.", Int64(work.childSessions))
        text.write(
            "acpbridge_pending_requests", .gauge, "Permission requests and elicitations without an answer.",
            Int64(work.pendingRequests))
    }

    private func writePeers(to text: inout MetricsText) {
        guard let counts = logCare.peers?.counts else { return }
        text.write("acpbridge_peers", .gauge, "Peers of this bridge.", Int64(counts.all))
        text.write("acpbridge_peers_online", .gauge, "Peers that can be used now.", Int64(counts.online))
    }

    private func writeHub(to text: inout MetricsText) {
        if let reader = logCare.hubLog {
            text.write(
                "acpbridge_hub_reader_state", .gauge,
                "1 for the present state of the connection that reads other bridges' sessions.",
                HubReaderState.allCases.map { (["state": $0.rawValue], $0 == reader.state ? 1 : 0) })
        }
        guard let hub = logCare.hub else { return }
        text.write(
            "acpbridge_hub_state", .gauge, "1 for the present state of shipping to the hub.",
            HubShippingState.allCases.map { (["state": $0.rawValue], $0 == hub.state ? 1 : 0) })
        if let age = hub.nanosecondsSinceShipment {
            text.write(
                "acpbridge_hub_last_shipment_age_seconds", .gauge, "Time since the last transaction at the hub.",
                nanoseconds: age)
        }
        text.write("acpbridge_hub_connected", .gauge, "1 while the hub can be used.", hub.isConnected ? 1 : 0)
        text.write(
            "acpbridge_hub_waiting_sessions", .gauge, "Sessions that wait to be shipped to the hub.",
            Int64(hub.waitingSessions))
        text.write(
            "acpbridge_hub_refused_sessions", .gauge, "Sessions whose contents the hub refuses.",
            Int64(hub.refusedSessions))
        text.write(
            "acpbridge_hub_updates_total", .counter, "Updates shipped to the hub.", Int64(hub.shippedUpdates))
        text.write(
            "acpbridge_hub_transactions_total", .counter, "Transactions at the hub.", Int64(hub.shippedTransactions))
        text.write(
            "acpbridge_hub_failures_total", .counter, "Failed attempts to use the hub.", Int64(hub.failureCount))
        text.write(
            "acpbridge_hub_running_commands", .gauge, "Requests from other bridges that run.",
            Int64(hub.commands.runningCount))
        text.write(
            "acpbridge_hub_commands_total", .counter, "Requests from other bridges that were answered.",
            Int64(hub.commands.answeredCount))
    }
}

extension ProcessFigures {
    /// The names are those of Prometheus' client libraries.
    fileprivate func write(to text: inout MetricsText) {
        if let processorTime {
            text.write(
                "process_cpu_seconds_total", .counter, "Processor time of this process.", nanoseconds: processorTime)
        }
        if let startTime {
            text.write(
                "process_start_time_seconds", .gauge, "When the process started, in Unix time.", nanoseconds: startTime)
        }
        let gauges = [
            ("process_resident_memory_bytes", "Resident memory.", residentBytes),
            ("process_virtual_memory_bytes", "Virtual memory.", virtualBytes),
            ("process_open_fds", "Open file descriptors.", openDescriptors),
            ("process_max_fds", "The limit on open file descriptors.", descriptorLimit),
            ("process_threads", "Threads.", threads),
        ]
        for (name, help, value) in gauges { if let value { text.write(name, .gauge, help, value) } }
    }
}
