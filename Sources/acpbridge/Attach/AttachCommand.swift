import CLI
import Glibc
import JSONScan
import TinyvexSync

/// `acpbridge attach SESSION`: the session's updates on stdout, one line each, as the agent wrote them.
///
/// A lost connection is made anew and taken up where it was: no line is printed twice and none is left out.
struct AttachCommand {
    private let machine: Machine

    init(_ machine: Machine) { self.machine = machine }

    func run(_ options: AttachOptions) throws {
        let access = try BridgeAccess(options.connection, machine: machine)
        var connection = try access.connect(starting: true)
        let session = try SessionSearch(sessions: ListedSession.all(connection)).find(options.session)
        sayIfNothingFollows(session, options)
        var follower = Self.follower(session, options)
        var printer = Self.printer(options)
        var attempts = Reconnecting()
        while true {
            let before = follower.position
            do {
                if try follow(connection, &follower, &printer, options) { return try printer.flush() }
            } catch let error as ClientError where error.isEndOfConnection {
                try printer.breakOff()
                if follower.position != before { attempts = Reconnecting() }
                connection = try attempts.connect(access, after: error)
            }
        }
    }

    /// A person who asked for the latest most likely expects one that runs.
    private func sayIfNothingFollows(_ session: ListedSession, _ options: AttachOptions) {
        guard options.session == "latest", options.follow, !session.isLive, Console.isTerminal(STDERR_FILENO) else {
            return
        }
        Console.say("acpbridge: the latest session, \(Table.cell(session.id)), has ended; this is what is stored of it")
    }

    private static func follower(_ session: ListedSession, _ options: AttachOptions) -> SessionFollower {
        let isPlain = !options.envelope && !options.all && !options.pretty
        let start: SessionFollower.Start
        switch options.from {
        case .start: start = .after(0)
        case .now: start = .now
        // A timeline counts other things too; what is before N is left out when it is printed.
        case .number(let number): start = .after(isPlain ? number - 1 : 0)
        }
        return SessionFollower(
            stream: isPlain ? .updates : .timeline, sessionId: session.id, agent: session.agent, life: session.journal,
            start: start, policy: options.policy == .lossless ? nil : options.policy.rawValue)
    }

    private static func printer(_ options: AttachOptions) -> any AttachPrinter {
        let filter = AttachFilter(options)
        if options.pretty { return PrettyPrinter(filter: filter, hasColour: Console.isTerminal(STDOUT_FILENO)) }
        if options.envelope || options.all { return EnvelopePrinter(filter: filter) }
        return LinePrinter(filter: filter)
    }

    /// One connection's part of the stream. True when there is nothing more to print.
    private func follow(
        _ connection: BridgeConnection, _ follower: inout SessionFollower, _ printer: inout any AttachPrinter,
        _ options: AttachOptions
    ) throws -> Bool {
        let result = try connection.call("tinyvex/subscribe") { follower.writeSubscribe(to: &$0) }
        follower.subscribed(result)
        if !options.follow, follower.isCaughtUp { return true }
        while true {
            while let message = try connection.receiveBuffered() {
                let item = follower.read(message)
                if case .ended(let reason) = item {
                    try printer.sessionEnded(reason)
                    return true
                }
                try print(item, with: &printer)
                if !options.follow, follower.isCaughtUp { return true }
            }
            try printer.flush()
            try waitForInput(connection.fd)
            try connection.fill()
        }
    }

    private func print(_ item: SessionFollower.Item, with printer: inout any AttachPrinter) throws {
        switch item {
        // Which updates they are is said as they are left out.
        case .notice(code: "TVX005", _): break
        case .notice(let code, let message):
            try printer.breakOff()
            Console.say("acpbridge: \(message)\(code.isEmpty ? "" : " (\(code))")")
        case .skipped(let from, let to, let reason): try printer.skipped(from...max(from, to), reason)
        default: try printer.print(item)
        }
    }

    /// A bridge pings every 15 s: one that has been silent for four times that long is not there any more.
    private static let silenceLimitMilliseconds: Int32 = 60_000

    /// Waits for the bridge, and notices when nobody reads our output any more: `| head -3` must not wait for the
    /// session's next update.
    private func waitForInput(_ fd: Int32) throws {
        var waits = [
            pollfd(fd: fd, events: Int16(POLLIN), revents: 0), pollfd(fd: STDOUT_FILENO, events: 0, revents: 0),
        ]
        var count: Int32
        repeat { count = poll(&waits, 2, Self.silenceLimitMilliseconds) } while count < 0 && errno == EINTR
        if count == 0 { throw ClientError.disconnected }
        if waits[1].revents & Int16(POLLERR) != 0 { throw Console.WriteError.readerGone }
    }
}

/// Tries again after a lost connection, less and less often, for as long as nothing new comes of it.
private struct Reconnecting {
    private static let firstDelay: Int32 = 100
    private static let longestDelay: Int32 = 5_000
    /// About 70 s.
    private static let attemptsLimit = 20
    /// About 3 s: one that was stopped is back by then, or was meant to go.
    private static let attemptsLimitAfterStop = 6

    private var attempts = 0
    private var delay = firstDelay

    mutating func connect(_ access: BridgeAccess, after loss: ClientError) throws -> BridgeConnection {
        let limit = if case .stopped = loss { Self.attemptsLimitAfterStop } else { Self.attemptsLimit }
        if attempts == 0 { Console.say("acpbridge: the connection was lost; trying again") }
        while true {
            attempts += 1
            if attempts > 1 { wait() }
            do {
                return try access.connect(starting: false)
            } catch let error as ClientError where error.mayPass && attempts < limit {
                continue
            }
        }
    }

    private mutating func wait() {
        poll(nil, 0, delay)
        delay = min(delay * 2, Self.longestDelay)
    }
}

extension ClientError {
    /// A bridge that is just ending, or starting, may be reached a moment later.
    fileprivate var mayPass: Bool {
        switch self {
        case .unreachable, .disconnected, .stopped: true
        default: false
        }
    }
}
