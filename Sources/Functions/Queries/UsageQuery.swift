import EventLoop
import JSONScan
import LiveQueries
import Peers
import SessionRecords
import SessionStreams
import Tinyvex

/// `usage:byDay`: the usage of the sessions of this bridge and of its peers on some days.
@LoopActor struct UsageQuery {
    let registry: SessionRegistry
    let forwarding: Forwarding

    func compute(
        _ params: Parameters, tenant: String?, then finish: @escaping @LoopActor (QueryOutcome) -> Void
    ) {
        do throws(Rejection) {
            let request = try UsageByDayRequest(params)
            registry.log.own.read(.usage(starts: request.starts, tenant: tenant)) { answer in
                guard case .usage(let usage) = answer else { return finish(.failure(SessionRegistry.unreadable)) }
                forwarding.usage(starts: request.starts, tenant: tenant) { others in
                    finish(.success(Self.json(usage, others)))
                }
            }
        } catch {
            finish(.failure(error))
        }
    }

    private static func json(_ own: UsageByDay, _ others: [UsageOfOthers]) -> [UInt8] {
        var rows = own.sums.map { (bridge: nil as String?, sum: $0) }
        var unread: [(bridge: String, reason: String)] = []
        var isPart = own.isPart
        for other in others {
            switch other.usage {
            case .known(let usage):
                rows += usage.sums.map { (other.bridge, $0) }
                isPart = isPart || usage.isPart
            case .unknown(let reason): unread.append((other.bridge, reason))
            }
        }
        let days = Dictionary(grouping: rows, by: \.sum.startTs).sorted { $0.key > $1.key }
        return JSONWriter.object { writer in
            writer.memberArray("days") { writer in
                for (start, rows) in days {
                    writer.object { writer in
                        writer.member("startTs", start)
                        writer.memberArray("sums") { writer in
                            for row in rows {
                                writer.object { writer in
                                    row.sum.write(to: &writer)
                                    writer.member("bridge", ifPresent: row.bridge)
                                }
                            }
                        }
                    }
                }
            }
            if isPart { writer.member("isPart", true) }
            guard !unread.isEmpty else { return }
            writer.memberArray("unread") { writer in
                for (bridge, reason) in unread {
                    writer.object { writer in
                        writer.member("bridge", bridge)
                        writer.member("reason", reason)
                    }
                }
            }
        }
    }
}
