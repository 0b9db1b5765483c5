import Diagnostics
import EventLoop
import Hub
import JSONScan
import LogAccess
import Posix
import Postgres
import SessionRecords
import SessionStreams

/// The log of a bridge that also shows the sessions of other bridges: its own log, and the hub for the rest. Lists and
/// names are looked up in both.
///
/// If the hub cannot be read, lists have the bridge's own sessions only, and a session of another bridge cannot be read.
@LoopActor package final class HubLog: CombinedLog {
    package let own: any LogClient
    private let place: String
    private let reader: HubWorker
    private let services: LoopServices
    /// Nil until the log has answered.
    private var ownId: UInt32?
    private var link = Link.untried
    /// Attempts that failed since the hub was last read.
    private var failedAttempts = 0
    private var isTrying = false
    private var isClosed = false
    /// Called when a session of another bridge has come into memory.
    package var onFollow: @LoopActor () -> Void = {}

    private enum Link: Equatable {
        case untried
        case online
        /// The hub is not asked until an attempt in the background succeeds: an attempt to connect can take 10 s.
        case failed(HubError)

        var error: HubError? { if case .failed(let error) = self { error } else { nil } }
    }

    /// The pause before an attempt doubles from the first to the second value, in seconds.
    private static let retryPauses = (first: 1, longest: 8)

    package init(_ settings: HubSettings, own: any LogClient, services: LoopServices) throws {
        self.own = own
        self.services = services
        place = settings.address.place
        reader = try HubWorker(settings.address, name: "hub-reader", services: services)
        own.read(.logId) { [weak self] answer in
            if case .logId(let id) = answer { self?.ownId = id }
        }
    }

    package func close() {
        isClosed = true
        reader.close()
        own.close()
    }

    // MARK: Sessions of other bridges

    package func place(of journal: Journal) -> Int64 {
        guard let ownId, journal.logId != ownId, let place = HubSid(journal) else { return journal.sid }
        return place.sid
    }

    package func readSession(
        _ query: ReadRequest.Query, then action: @escaping @LoopActor (Answer) -> Void
    ) -> Bool {
        guard let place = query.session.flatMap(HubSid.init) else { return false }
        ask { (database) throws(HubError) in
            try database.answer(query, about: place)
        } then: { result in
            switch result {
            case .success(let answer): action(answer)
            case .failure(.damaged): action(.failed(.damaged))
            case .failure(let error): action(.failed(.hubFailed(reason: error.description)))
            }
        }
        return true
    }

    package func listOthers(
        _ query: ReadRequest.Query, then action: @escaping @LoopActor (SessionListing?) -> Void
    ) {
        askForAll(query) { result in
            if case .success(.listing(let others)) = result { action(others) } else { action(nil) }
        }
    }

    package func findOthers(
        _ sessionId: String, agent: String?, tenant: String?, then action: @escaping @LoopActor (Answer) -> Void
    ) {
        askForAll(.find(sessionId: sessionId, agent: agent, tenant: tenant)) { result in
            switch result {
            case .success(let others): action(others)
            case .failure(let error): action(.failed(.hubFailed(reason: error.description)))
            }
        }
    }

    private func askForAll(
        _ query: ReadRequest.Query, then finish: @escaping @LoopActor @Sendable (Result<Answer, HubError>) -> Void
    ) {
        guard let ownId else { return finish(.failure(.closed)) }
        ask(
            { (database) throws(HubError) in
                guard let answer = try database.answer(query, except: Int64(ownId)) else { throw .damaged }
                return answer
            }, then: finish)
    }

    /// Finds the newest documents of other bridges' sessions that have the words of the query.
    package func search(
        _ query: HubSearchQuery, then finish: @escaping @LoopActor @Sendable (Result<[HubCandidate], HubError>) -> Void
    ) {
        guard let ownId else { return finish(.failure(.closed)) }
        ask(
            { (database) throws(HubError) in
                try database.search(query, except: Int64(ownId))
            }, then: finish)
    }

    /// Reads the open requests of the agents of other bridges.
    ///
    /// - Parameter tenant: nil for those of all tenants.
    package func openRequests(
        of tenant: String?, then finish: @escaping @LoopActor @Sendable (Result<[HubRequests], HubError>) -> Void
    ) {
        guard let ownId else { return finish(.failure(.closed)) }
        ask(
            { (database) throws(HubError) in try database.openRequests(except: Int64(ownId), of: tenant) },
            then: finish)
    }

    private func ask<Value: Sendable>(
        _ work: @escaping @Sendable (HubDatabase) throws(HubError) -> Value,
        then finish: @escaping @LoopActor @Sendable (Result<Value, HubError>) -> Void
    ) {
        if case .failed(let error) = link { return finish(.failure(error)) }
        run(work, then: finish)
    }

    private func run<Value: Sendable>(
        _ work: @escaping @Sendable (HubDatabase) throws(HubError) -> Value,
        then finish: @escaping @LoopActor @Sendable (Result<Value, HubError>) -> Void
    ) {
        reader.run(work) { [weak self] result in
            self?.note(result)
            finish(result)
        }
    }

    /// Tries a small query of the kind that clients cause.
    private func tryAgain() {
        guard !isTrying else { return }
        isTrying = true
        let seconds = min(Self.retryPauses.first << min(failedAttempts, 3), Self.retryPauses.longest)
        failedAttempts += 1
        services.timers.schedule(after: .seconds(seconds)) { [weak self] in
            guard let self, !isClosed else { return }
            isTrying = false
            run(
                { (database) throws(HubError) in
                    try database.answer(.sessions(liveOnly: true, limit: 1), except: -1) ?? .described
                }, then: { _ in })
        }
    }

    private func note<Value>(_ result: Result<Value, HubError>) {
        switch result {
        case .failure(.damaged): break
        case .failure(let error):
            if link.error?.isSameOutage(as: error) != true {
                DiagnosticLog.daemon.record(.hubFailed(error: error.description))
            }
            link = .failed(error)
            tryAgain()
        case .success:
            if link != .online { DiagnosticLog.daemon.record(.hubConnected(place: place)) }
            link = .online
            failedAttempts = 0
        }
    }

    // MARK: State

    /// Writes the members of `hubReader` in `bridge:status`.
    package func write(to writer: inout JSONWriter) {
        writer.member("place", place)
        writer.member("state", state.rawValue)
        writer.member("error", ifPresent: link.error?.description)
    }

    package var state: HubReaderState {
        switch link {
        case .untried: .connecting
        case .online: .online
        case .failed: .failed
        }
    }
}

/// The state of the connection that reads sessions of other bridges, by its name in `bridge:status` and in the metrics.
package enum HubReaderState: String, CaseIterable, Sendable {
    /// Nothing was read yet.
    case connecting
    case online
    case failed
}
