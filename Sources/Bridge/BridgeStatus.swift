import Clients
import EventLoop
import Functions
import HTTPServing
import JSONScan
import LiveQueries
import Posix
import Searching
import SessionStreams
import Tinyvex

extension Bridge {
    var healthReport: HealthReport {
        HealthReport(
            version: configuration.program.version,
            uptimeSeconds: max(0, services.time.dateMilliseconds - startedAt) / 1000,
            isLogWritable: registry.logHealth.failure == nil, profiles: configuration.agents.profiles)
    }

    /// Returns the value of `bridge:status`.
    package func statusValue() -> [UInt8] {
        let streams = clients.connections.values.flatMap(\.streams.byId.values).compactMap { $0 as? Subscription }
        return JSONWriter.object { writer in
            writer.member("version", configuration.program.version)
            writer.member("pid", Int64(ProcessFacts.pid))
            writer.member("startedTs", startedAt)
            writer.member("uptimeSeconds", max(0, services.time.dateMilliseconds - startedAt) / 1000)
            writer.member("residentBytes", ProcessFacts.residentBytes)
            writer.member("socket", configuration.home.socket)
            writer.memberArray("urls") { writer in
                for url in listeners.urls { writer.element(url + "/tinyvex") }
            }
            writer.memberArray("hosts") { writer in
                for host in configuration.access.allowedHosts.sorted() { writer.element(host) }
            }
            writer.member("publicUrl", ifPresent: configuration.access.publicAddress?.url)
            writer.member("log", configuration.home.log)
            writer.member(
                "durability", configuration.sharing.confirmsAtHub ? "hub" : configuration.log.durability.rawValue)
            writer.member("agents", agents.runs.count)
            writer.member("limitsWholeAgents", agents.limitsWholeAgents)
            writer.member("liveSessions", registry.live.count)
            work.write(to: &writer)
            writer.member("connections", clients.connections.count)
            writer.member("subscriptions", streams.count)
            writer.member("behind", streams.count { !$0.isAtEnd })
            writer.member("watchedValues", functions.queries.count)
            writer.member("unstoredBytes", registry.live.all.reduce(0) { $0 + $1.unstoredBytes })
            writer.member("unpublishedLines", agents.runs.reduce(0) { $0 + ($1.sessions?.unpublishedLines ?? 0) })
            writer.member("unstoredLines", registry.logHealth.unstoredLines)
            writer.memberObject("search") { writer in
                guard let finder = functions.finder else { return writer.member("state", "off") }
                finder.writeStatus(to: &writer)
            }
            writer.member("damagedLog", ifPresent: registry.log.damaged?.path)
            if !warnings.isEmpty {
                writer.memberArray("warnings") { writer in
                    for warning in warnings { writer.element(warning) }
                }
            }
            if let hub = logCare.hub {
                writer.memberObject("hub") { writer in
                    hub.write(to: &writer)
                    if let indexer = logCare.hubIndexer { writer.memberObject("search") { indexer.write(to: &$0) } }
                }
            }
            if let log = logCare.hubLog {
                writer.memberObject("hubReader") { writer in
                    log.write(to: &writer)
                    writer.member("waitingCommands", logCare.forwarder?.waitingCount ?? 0)
                }
            }
            if let peers = logCare.peers { writer.memberArray("peers") { peers.write(to: &$0) } }
            if let error = registry.logHealth.failure { writer.member("logError", "\(error)") }
        }
    }
}
