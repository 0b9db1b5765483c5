import BridgeRequests
import Tinyvex
import TinyvexMachine
import TinyvexSync

/// Prints one session's stream to stdout and reconnects as often as necessary.
package struct Following: Sendable {
    private let client: CommandClient
    private let stream: StreamName
    private let params: [UInt8]
    var start: StreamStart
    private let policy: String?
    /// The limit of the bytes that wait for this reader, if it is less than the client's.
    var streamBytes: Int?
    package var output: AttachOutput
    /// The subagents whose timelines are also shown. Nil shows only the session's own stream.
    package var subagents: SubagentSelection?
    /// The stream's place among others whose histories are merged with its own. Nil: the only stream, or one without order.
    var merged: MergedStream?
    /// Called with the pieces before they are shown.
    package var prepare: @Sendable ([StreamPiece]) throws -> Void = { _ in }
    /// Called with the entries of the timeline after they were shown, and with those of its subagents. Nil: the entries
    /// are not read, which a plain stream of updates does not need.
    package var observe: (@Sendable ([TimelineValue]) throws -> Void)?

    /// - Parameters:
    ///   - params: The parameters that identify the session, as canonical JSON.
    ///   - policy: The policy for leaving out updates; nil leaves out none.
    package init(
        client: CommandClient, stream: StreamName, params: [UInt8], start: StreamStart, policy: String? = nil,
        output: AttachOutput
    ) {
        self.client = client
        self.stream = stream
        self.params = params
        self.start = start
        self.policy = policy
        self.output = output
    }

    /// Returns when there is nothing more to print.
    ///
    /// - Parameter others: tasks that run concurrently. If one of them throws, all end.
    package func run(beside others: [@Sendable () async throws -> Void] = []) async throws {
        try await withThrowingTaskGroup(of: Bool.self) { group in
            group.addTask { try await follow() }
            let connection = FollowedConnection(client) { try output.report($0) }
            group.addTask { try await connection.watchReader() }
            group.addTask { try await connection.watch() }
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

    /// Returns true when there is nothing more to print.
    func follow() async throws -> Bool {
        let subagents = subagents.map { SubagentTimelines(client, $0, output, observe: observe) }
        defer { subagents?.cancel() }
        var pieces = client.sync.stream(
            stream, params: params, from: start, policy: policy.map { StreamPolicy($0) }, limitBytes: streamBytes
        ).makeAsyncIterator()
        var pending = PendingPieces()
        while let batch = try await next(&pieces) {
            try prepare(batch)
            let isLast = try await show(batch, &pending)
            // The entries are parsed only if somebody reads them.
            let entries = subagents == nil && observe == nil ? [] : batch.entries
            subagents?.follow(announcedIn: entries)
            if isLast {
                merged?.end()
                if !output.follows { await subagents?.finish() }
                return true
            }
            if let observe { try observe(entries) }
        }
        return true
    }

    /// Shows the pieces when it is their turn. Returns true when there is nothing more to show.
    private func show(_ batch: [StreamPiece], _ pending: inout PendingPieces) async throws -> Bool {
        guard let merged else { return try output.show(batch) }
        pending.add(batch)
        while !pending.isEmpty {
            if try output.show(try await merged.next(&pending)) { return true }
            merged.printed(&pending, isCaughtUp: output.isCaughtUp)
        }
        return false
    }

    private func next(_ pieces: inout StreamPieces.Iterator) async throws(BridgeFailure) -> [StreamPiece]? {
        do throws(TinyvexError) {
            return try await pieces.nextAll()
        } catch {
            throw client.failure(error)
        }
    }
}
