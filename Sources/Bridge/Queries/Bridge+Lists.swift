import EventLoop
import JSONScan
import SessionLog
import Tinyvex

/// What `sessions:list`, `agents:list` and `permissions:pending` say.
extension Bridge {
    func noteChange(of session: Session, _ change: SessionRegistry.SessionChange) {
        queries.touch(.sessions)
        queries.touch(.session(id: session.id))
        guard change != .progress else { return }
        queries.touch(.permissions)
        guard change == .facts else { return }
        queries.touch(.agents)
        noteAlive()
    }

    func listSessions(
        _ params: Parameters, tenant: String?, then finish: @escaping @LoopActor (QueryOutcome) -> Void
    ) {
        do throws(Rejection) {
            let request = try SessionListRequest(params)
            let filter = SessionFilter(
                agent: request.agent, isLive: request.isLive, isArchived: request.isArchived, tenant: tenant,
                words: request.words)
            registry.readSettled(.list(filter, offset: request.offset, limit: request.limit)) { [self] answer in
                guard case .listing(let listing) = answer else { return finish(.failure(SessionRegistry.unreadable)) }
                finish(.success(json(listing, request)))
            }
        } catch {
            finish(.failure(error))
        }
    }

    private func json(_ listing: SessionListing, _ request: SessionListRequest) -> [UInt8] {
        JSONWriter.object { writer in
            writer.memberArray("data") { writer in
                for record in listing.records { writer.object { summary(of: record).write(to: &$0) } }
            }
            writer.member("total", listing.total)
            writer.member("page", request.page)
            writer.member("limit", request.limit)
        }
    }

    func agentsValue(tenant: String?) -> [UInt8] {
        JSONWriter.object { writer in
            writer.memberArray("profiles") { writer in
                for profile in configuration.profiles() { writer.object { profile.write(to: &$0) } }
            }
            writer.memberArray("running") { writer in
                for run in self.runs(of: tenant) { writer.object { write(run, to: &$0) } }
            }
        }
    }

    private func write(_ run: AgentRun, to writer: inout JSONWriter) {
        writer.member("name", run.name)
        writer.member("pid", Int64(run.pid))
        writer.member("startedTs", run.startedAt)
        writer.member("residentBytes", ProcessFacts.residentBytes(of: run.pid))
        writer.memberArray("sessions") { for id in (run.sessions?.sessions.keys.sorted() ?? []) { $0.element(id) } }
        writer.member("stderrTail", run.errorTail.text)
        writer.member("primary", ifPresent: run.primaryName)
    }

    /// - Parameter tenant: nil for all.
    private func runs(of tenant: String?) -> [AgentRun] { runs.filter { Identity.tenant(tenant, sees: $0.tenant) } }

    func permissionsValue(tenant: String?) -> [UInt8] {
        let pending = runs(of: tenant).flatMap(\.pendingPermissions).sorted { $0.askedTs < $1.askedTs }
        return JSONWriter.array { writer in
            for permission in pending { writer.object { permission.write(to: &$0) } }
        }
    }
}
