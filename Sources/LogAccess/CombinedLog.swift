import EventLoop
import SessionRecords

/// A log that also shows the sessions of other bridges. Everything else goes to the bridge's own log. Lists and names are
/// looked up in both.
@LoopActor package protocol CombinedLog: LogClient {
    /// Called when a session of another bridge has come into memory.
    var onFollow: @LoopActor () -> Void { get }

    /// Reads a session of another bridge. Returns false, and never calls `action`, if the query is not about one.
    func readSession(_ query: ReadRequest.Query, then action: @escaping @LoopActor (Answer) -> Void) -> Bool
    /// Lists the sessions of other bridges. Calls `action` with nil if they cannot be listed.
    func listOthers(_ query: ReadRequest.Query, then action: @escaping @LoopActor (SessionListing?) -> Void)
    /// Finds sessions of other bridges by their id.
    func findOthers(
        _ sessionId: String, agent: String?, tenant: String?, then action: @escaping @LoopActor (Answer) -> Void)
}

extension CombinedLog {
    package var damaged: (path: String, rescuedSessions: Int)? { own.damaged }
    package var isIdle: Bool { own.isIdle }
    package var syncFailed: @LoopActor (LogError?) -> Void {
        get { own.syncFailed }
        set { own.syncFailed = newValue }
    }
    package var filesRestored: @LoopActor ([String]) -> Void {
        get { own.filesRestored }
        set { own.filesRestored = newValue }
    }
    package var filesLost: @LoopActor (LogError) -> Void {
        get { own.filesLost }
        set { own.filesLost = newValue }
    }

    package func willFollow() { onFollow() }

    /// Nothing writes to sessions of other bridges: the functions forward such calls to the bridges.
    package func write(_ request: WriteRequest.Operation, then action: @escaping @LoopActor (Answer) -> Void) {
        own.write(request, then: action)
    }

    package func checkFiles() { own.checkFiles() }

    package func read(_ query: ReadRequest.Query, then action: @escaping @LoopActor (Answer) -> Void) {
        if readSession(query, then: action) { return }
        switch query {
        case .sessions(_, let limit, _, _), .incarnations(_, _, let limit, _, _): list(query, limit: limit, action)
        case .list(let filter, let offset, let limit, let position):
            guard offset <= ReadLimit.mergedOffset else { return action(.failed(.offsetTooLarge)) }
            walk(MergedListWalk(filter, offset: offset, limit: limit, after: position), action)
        case .find(let sessionId, let agent, let tenant):
            own.read(query) { [self] answer in
                // The bridge's own session is the nearest one, and is found without the others.
                guard case .sessions(let records) = answer, records.isEmpty else { return action(answer) }
                findOthers(sessionId, agent: agent, tenant: tenant, then: action)
            }
        default: own.read(query, then: action)
        }
    }

    /// Reads both lists, from one position to the next, up to the wanted page: it can begin anywhere in either list.
    private func walk(_ walk: MergedListWalk, _ action: @escaping @LoopActor (Answer) -> Void) {
        listOthers(walk.step) { [self] others in
            guard let others else { return own.read(walk.ownQuery, then: action) }
            own.read(walk.step) { [self] answer in
                guard case .listing(let listing) = answer else { return action(answer) }
                var next = walk
                if let page = next.add(listing.merged(with: others, limit: walk.stepLimit)) {
                    return action(.listing(page))
                }
                self.walk(next, action)
            }
        }
    }

    private func list(_ query: ReadRequest.Query, limit: Int, _ action: @escaping @LoopActor (Answer) -> Void) {
        listOthers(query) { [self] others in
            own.read(query) { answer in
                guard let others, case .listing(let listing) = answer else { return action(answer) }
                action(.listing(listing.merged(with: others, limit: limit)))
            }
        }
    }
}

extension ReadRequest.Query {
    /// The session that the query is about.
    package var session: Int64? {
        if case .incarnation(let sid) = self { sid } else { sid }
    }
}
