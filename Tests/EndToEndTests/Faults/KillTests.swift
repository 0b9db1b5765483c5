import AgentProcess
import EventLoop
import Glibc
import JSONScan
import Posix
import Synchronization
import TestSupport
import Testing

/// Kills the bridge, a shim or an agent at a random moment, from before its start until after its end.
///
/// Each victim gets a few rounds. `ACPBRIDGE_TEST_ROUNDS=100` runs more rounds; `ACPBRIDGE_TEST_SEED` repeats a run.
@Suite(.blocking) struct KillTests {
    enum Victim: String, CaseIterable { case bridge, front, agent }

    private static let rounds = getenv("ACPBRIDGE_TEST_ROUNDS").flatMap { Int(String(cString: $0)) } ?? 4
    private static let seed =
        getenv("ACPBRIDGE_TEST_SEED").flatMap { UInt64(String(cString: $0)) } ?? UInt64.random(in: 1...1_000_000)

    @Test(arguments: Victim.allCases) func everyUpdateThatASubscriberSawIsInTheLog(victim: Victim) throws {
        var random = SeededGenerator(seed: Self.seed)
        var seenCounts: [Int] = []
        try BridgeHome.with { home in
            for number in 1...Self.rounds {
                let round = Round(victim, number, &random, in: home)
                do {
                    seenCounts += try round.play()
                } catch {
                    Issue.record("seed \(Self.seed), \(round): \(error)")
                    return
                }
            }
            try eventually("only a bridge is left: \(home.processes)") {
                home.processes.allSatisfy { $0.command.contains("serve") }
            }
        }
        guard Self.rounds > 4 else { return }
        print("\(victim) killed in \(Self.rounds) rounds, seed \(Self.seed): updates seen by each subscriber:")
        print(seenCounts.sorted())
    }
}

/// One conversation in which a process is killed.
private struct Round: CustomStringConvertible {
    private let victim: KillTests.Victim
    private let number: Int
    private let home: BridgeHome
    /// The moment of the kill: after this much time and this many bytes of the agent's output.
    private let milliseconds: Int64
    private let outputBytes: Int
    /// True if an agent can finish its turn after its shim was killed.
    private let lingers: Bool
    private static let updateCount = 3000

    init(_ victim: KillTests.Victim, _ number: Int, _ random: inout SeededGenerator, in home: BridgeHome) {
        self.victim = victim
        self.number = number
        self.home = home
        let isEarly = Bool.random(using: &random)
        milliseconds = isEarly ? .random(in: 0...300, using: &random) : 0
        outputBytes = isEarly ? 0 : .random(in: 1...Self.updateCount * 200, using: &random)
        lingers = .random(using: &random)
    }

    var description: String {
        "\(victim) killed in round \(number) after \(milliseconds) ms and \(outputBytes) bytes\(lingers ? ", lingers" : "")"
    }

    /// Returns the number of updates that each subscriber saw.
    func play() throws -> [Int] {
        let agent = rude(
            "flood", "--on", "prompt", "--lines", SystemString("\(Self.updateCount)"), "--rate", "15000", "--early", "1"
        )
        let options: [SystemString] = ["--linger", lingers ? "50ms" : "0s"]
        let started = Instant.now
        let editor = try EditorProcess([Binary.acpbridge] + options + ["--"] + agent, in: home)
        editor.post(Array((editor.newSession(id: "1") + "\n").utf8))
        let isOver = Flag()
        let subscribers = try (0..<2).map { number in
            let subscriber = Subscriber(home, isOver)
            return try Background { try subscriber.watch(afterUpdate: number * 100) }
        }
        let found = try waitForMoment(editor, started)
        for process in found ?? victims(editor) { Glibc.kill(process, SIGKILL) }
        editor.closeInput()
        let outcome = try editor.outcome()
        if victim != .front, outcome.status != .exited(code: 0) {
            #expect(victim == .agent || !outcome.errorText.isEmpty, "\(self): the shim reports why it ends")
        }
        try eventually("\(self): the agent has ended: \(home.processes)") { agents.isEmpty }
        isOver.set()
        let seen = try subscribers.map { try $0.wait() }
        try check(seen.compactMap { $0 }, wholeLines(of: outcome.output).filter(EditorSession.isUpdate))
        return seen.map { $0?.updates.count ?? 0 }
    }

    /// Returns the victims if they were looked up early. The lookup takes as long as many updates.
    private func waitForMoment(_ editor: EditorProcess, _ started: Instant) throws -> [pid_t]? {
        let prompt = Array((editor.prompt(id: "2") + "\n").utf8)
        if outputBytes > 0 {
            try editor.readOutput(untilBytes: 1)
            let found = victims(editor)
            editor.post(prompt)
            try editor.readOutput(untilBytes: outputBytes)
            return found
        }
        editor.post(prompt)
        let end = started + .milliseconds(milliseconds)
        try editor.wait(until: "the moment of the kill") {
            poll(nil, 0, 1)
            return Instant.now >= end
        }
        return nil
    }

    private var agents: [pid_t] {
        home.processes.filter { $0.command.first == Binary.rudeAgent.description }.map(\.pid)
    }

    private func victims(_ editor: EditorProcess) -> [pid_t] {
        switch victim {
        case .bridge: home.daemon.map { [$0] } ?? []
        case .front: [editor.pid]
        case .agent: agents
        }
    }

    /// A subscriber's updates equal the log's from the same position on. The log has the agent's own lines in their
    /// order.
    private func check(_ seen: [Subscriber.Seen], _ editor: [[UInt8]]) throws {
        // This command starts a bridge if the bridge was killed.
        let listing = try home.run("sessions")
        #expect(listing.status == .exited(code: 0), "\(self): `sessions` printed \(listing.errorText)")
        let client = try TinyvexTestClient(home)
        let rows = try client.call("tinyvex/history.recentSessions", #"{"limit":1}"#)["result"]?.elements ?? []
        guard let journal = rows.first?["journal"]?.stringValue else { return #expect(seen.isEmpty, "\(self)") }
        let log = try client.history(of: "rude-1", params: #","journal":"\#(journal)""#)
        #expect(log.map(\.seq) == log.indices.map { Int64($0) + 1 }, "\(self)")
        for subscriber in seen where subscriber.journal == journal {
            expectSame(log.dropFirst(subscriber.start).prefix(subscriber.updates.count).map(\.line), subscriber.updates)
        }
        #expect(victim == .bridge || log.count >= editor.count, "\(self)")
        let common = min(log.count, editor.count)
        expectSame(log.prefix(common).map(\.line), editor.prefix(common))
    }
}

/// A flag that one thread sets once and all threads read.
private final class Flag: Sendable {
    private let value = Atomic(false)

    var isSet: Bool { value.load(ordering: .acquiring) }
    func set() { value.store(true, ordering: .releasing) }
}

/// Waits for a session and reads its updates to the end.
private struct Subscriber {
    struct Seen {
        let journal: String
        /// The number of updates before those in `updates`.
        let start: Int
        var updates: [[UInt8]]
    }

    private let home: BridgeHome
    private let isOver: Flag

    init(_ home: BridgeHome, _ isOver: Flag) {
        self.home = home
        self.isOver = isOver
    }

    /// Returns nil if the subscriber never saw the session alive.
    func watch(afterUpdate start: Int) throws -> Seen? {
        while !isOver.isSet {
            poll(nil, 0, 2)
            guard let client = try? TinyvexTestClient(home), let journal = liveJournal(client) else { continue }
            // The bridge can be killed during this request too.
            guard
                let answer = try? client.subscribe(
                    "rude-1", after: Int64(start), params: #","journal":"\#(journal)""#),
                answer["result"] != nil
            else { continue }
            var seen = Seen(journal: journal, start: start, updates: [])
            while let update = try? client.nextUpdate() { seen.updates.append(update) }
            return seen
        }
        return nil
    }

    private func liveJournal(_ client: TinyvexTestClient) -> String? {
        let answer = try? client.call("tinyvex/history.recentSessions", #"{"limit":1}"#)
        guard let session = answer?["result"]?.elements.first, session["live"]?.boolValue == true else { return nil }
        return session["journal"]?.stringValue
    }
}
