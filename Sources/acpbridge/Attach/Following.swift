import CLI
import Glibc
import JSONScan
import Tinyvex
import TinyvexSync

/// One session on its way to stdout, over as many connections as it takes.
struct Following: Sendable {
    let client: BridgeClient
    let session: ListedSession
    let options: AttachOptions

    /// Returns when there is nothing more to print.
    func run() async throws {
        let output = AttachOutput(printer, follows: options.follow)
        try await withThrowingTaskGroup(of: Bool.self) { group in
            group.addTask { try await follow(output) }
            group.addTask { try await watchReader() }
            group.addTask { try await watchConnection(output) }
            while let isOver = try await group.next(), !isOver {}
            group.cancelAll()
        }
    }

    private func follow(_ output: AttachOutput) async throws -> Bool {
        let policy = options.policy == .lossless ? nil : options.policy.rawValue
        let stream = client.sync.stream(streamName, params: params, from: start, policy: policy)
        var pieces = stream.makeAsyncIterator()
        while let batch = try await next(&pieces) {
            if try output.show(batch) { return true }
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
    private func watchConnection(_ output: AttachOutput) async throws -> Bool {
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

    // MARK: What is asked for

    private var isPlain: Bool { !options.envelope && !options.all && !options.pretty }

    private var streamName: StreamName { isPlain ? .sessionUpdates : .timeline }

    /// Canonical.
    private var params: [UInt8] {
        JSONWriter.object { writer in
            writer.member("agent", session.agent)
            if !session.journal.isEmpty { writer.member("journal", session.journal) }
            writer.member("sessionId", session.id)
        }
    }

    private var start: StreamStart {
        switch options.from {
        case .start: .after(0)
        case .now: .now
        // A timeline counts other things too; what is before N is left out when it is printed.
        case .number(let number): .after(isPlain ? number - 1 : 0)
        }
    }

    private var printer: any AttachPrinter {
        let filter = AttachFilter(options)
        if options.pretty { return PrettyPrinter(filter: filter, hasColour: Console.isTerminal(STDOUT_FILENO)) }
        if options.envelope || options.all { return EnvelopePrinter(filter: filter) }
        return LinePrinter(filter: filter)
    }
}
