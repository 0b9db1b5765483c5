import EventLoop
import JSONScan
import Tinyvex

/// What `bridge:status` and `agents:list` say.
extension Bridge {
    func statusValue() -> [UInt8] {
        JSONWriter.object { writer in
            writer.member("version", configuration.version)
            writer.member("pid", Int64(ProcessFacts.pid))
            writer.member("startedTs", startedAt)
            writer.member("uptimeSeconds", max(0, wallClockMilliseconds() - startedAt) / 1000)
            writer.member("residentBytes", ProcessFacts.residentBytes)
            writer.member("socket", configuration.home.socket)
            writer.memberArray("urls") { writer in
                for url in urls { writer.element(url + "/tinyvex") }
            }
            writer.member("log", configuration.home.log)
            writer.member("durability", configuration.durability.rawValue)
            writer.member("agents", Int64(runs.count))
            writer.member("liveSessions", Int64(registry.live.count))
            writer.member("connections", Int64(connections.count))
            writer.member("subscriptions", Int64(connections.values.reduce(0) { $0 + $1.subscriptions.count }))
            writer.member("unpublishedLines", Int64(runs.reduce(0) { $0 + ($1.sessions?.unpublishedLines ?? 0) }))
            writer.member("unstoredLines", Int64(registry.unstoredLines))
            if let error = registry.lastLogError { writer.member("logError", "\(error)") }
        }
    }

    func agentsValue() -> [UInt8] {
        JSONWriter.array { writer in
            for run in runs {
                writer.object { writer in
                    writer.member("name", run.name)
                    writer.member("pid", Int64(run.pid))
                    writer.member("startedTs", run.startedAt)
                    writer.memberArray("sessions") {
                        for id in (run.sessions?.sessions.keys.sorted() ?? []) { $0.element(id) }
                    }
                }
            }
        }
    }
}
