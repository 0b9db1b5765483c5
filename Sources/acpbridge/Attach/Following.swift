import Glibc
import Tinyvex
import TinyvexSync

/// One session's stream on its way to stdout, over as many connections as it takes.
struct Following: Sendable {
    let client: BridgeClient
    let stream: StreamName
    /// Which session: canonical JSON.
    let params: [UInt8]
    let start: StreamStart
    /// What may be left out; nil: nothing.
    var policy: String?
    var output: AttachOutput
    /// Told of what is about to be shown.
    var prepare: @Sendable ([StreamPiece]) throws -> Void = { _ in }
    /// Told of what has been shown.
    var observe: @Sendable ([StreamPiece]) throws -> Void = { _ in }

    /// Returns when there is nothing more to print.
    ///
    /// - Parameter others: go on meanwhile. One that throws ends it all.
    func run(beside others: [@Sendable () async throws -> Void] = []) async throws {
        try await withThrowingTaskGroup(of: Bool.self) { group in
            group.addTask { try await follow() }
            group.addTask { try await watchReader() }
            group.addTask { try await watchConnection() }
            for other in others {
                group.addTask {
                    try await other()
                    return false
                }
            }
            while let isOver = try await group.next(), !isOver {}
            group.cancelAll()
        }
    }

    private func follow() async throws -> Bool {
        var pieces = client.sync.stream(stream, params: params, from: start, policy: policy).makeAsyncIterator()
        while let batch = try await next(&pieces) {
            try prepare(batch)
            if try output.show(batch) { return true }
            try observe(batch)
        }
        return true
    }

    private func next(_ pieces: inout StreamPieces.Iterator) async throws(BridgeFailure) -> [StreamPiece]? {
        do throws(TinyvexError) {
            return try await pieces.nextAll()
        } catch {
            throw client.failure(error)
        }
    }

    /// Notices when nobody reads our output any more: `| head -3` must not wait for the session's next update.
    private func watchReader() async throws -> Bool {
        if await client.loop.wait(for: 0, on: STDOUT_FILENO) { throw Console.WriteError.readerGone }
        return false
    }

    // MARK: The connection

    /// One that was stopped is back by then, or was meant to go.
    private static let patienceAfterStop = Duration.seconds(3)

    /// Says when the connection is lost, and gives up where the bridge was stopped and does not come back.
    private func watchConnection() async throws -> Bool {
        var isLost = false
        var stopped: ContinuousClock.Instant?
        for await state in client.sync.connectionStates() {
            switch state {
            case .waiting(_, let reason):
                if !isLost { try output.say("acpbridge: the connection was lost; trying again") }
                isLost = true
                if case .closed(code: 1001, _) = reason { stopped = stopped ?? .now }
                if let stopped, stopped + Self.patienceAfterStop < .now { throw client.failure(.transport(reason)) }
            case .connected:
                isLost = false
                stopped = nil
            default: break
            }
        }
        return false
    }
}
