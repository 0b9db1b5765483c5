import AgentProcess
import EventLoop
import JSONRPC
import JSONScan

/// Someone who speaks to an agent line by line.
@LoopActor protocol AgentGuest: AnyObject {
    /// A line of the agent's for this guest: to be sent behind the updates of `session` that came before it.
    func agentSaid(_ line: [UInt8], behind session: Session?, of run: AgentRun)
    /// What is still open will not be answered.
    func agentEnded(_ run: AgentRun, _ status: TerminationStatus)
}

/// Who waits for the answers to what the bridge itself has asked.
@LoopActor struct AnswerTable {
    typealias Taker = @LoopActor (Reply) -> Void

    private var takers: [Int: Taker] = [:]
    private(set) var count: Int

    /// - Parameter count: how many were asked before this program took over.
    init(count: Int = 0) { self.count = count }

    mutating func add(_ taker: @escaping Taker) -> Int {
        count += 1
        takers[count] = taker
        return count
    }

    mutating func take(_ number: Int) -> Taker? { takers.removeValue(forKey: number) }
}

extension AgentRun {
    /// Lets someone speak to the agent.
    func admit(_ guest: any AgentGuest, name: String) -> Exchange.Guest {
        guestCount += 1
        let number = guestCount
        guests[number] = guest
        sessions?.converse { exchange in
            exchange.guestCame(number, name: name)
            return []
        }
        guestsChanged()
        return number
    }

    /// The guest is back that the program before this one has admitted under this number.
    func readmit(_ guest: any AgentGuest, as number: Exchange.Guest) { guests[number] = guest }

    /// The agent is this guest's own from now on: what it asks of its client is put to this one.
    func makePrimary(_ guest: Exchange.Guest) {
        sessions?.converse { $0.guestTookOver(guest) }
        guestsChanged()
    }

    func dismiss(_ guest: Exchange.Guest) {
        guard guests.removeValue(forKey: guest) != nil else { return }
        sessions?.converse { $0.guestLeft(guest) }
        guestsChanged()
    }

    func guestsChanged() {
        let primary = sessions?.exchange.primary
        stay.hasGuests = guests.keys.contains { $0 != primary }
        stay.hasEditor = editor != nil || primary != nil
        reconsider()
    }

    func route(_ event: Exchange.Event) {
        switch event {
        case .toAgent(let line): input?.writeLine(line)
        case .toEditor(let line): editor?.output.writeLine(line)
        case .toGuest(let number, let line, let session):
            guests[number]?.agentSaid(line, behind: session.flatMap { sessions?.sessions[$0] }, of: self)
        case .answered(let number, let reply): answers.take(number)?(reply)
        default: break
        }
    }

    /// A prompt of a client that does not speak ACP itself. Its answer is the agent's, when the turn has ended.
    func prompt(
        session: String, params: JSONValue, by name: String, queues: Bool,
        then finish: @escaping @LoopActor (Reply) -> Void
    ) throws(GuestRefusal) {
        let number = answers.add(finish)
        do throws(GuestRefusal) {
            try sessions?.converse { (exchange) throws(GuestRefusal) in
                exchange.clients[number] = name
                return try exchange.prompt(
                    session, params, .bridge(number), queues: queues, at: wallClockMilliseconds())
            }
        } catch {
            _ = answers.take(number)
            throw error
        }
        reconsider()
    }

    /// A request of the bridge's own.
    func ask(
        _ method: String, _ params: JSONValue?, by name: String, then finish: @escaping @LoopActor (Reply) -> Void
    ) {
        guard let sessions else { return finish(Reply(error: .internalError, "the agent has ended")) }
        let number = answers.add(finish)
        sessions.converse { exchange in
            exchange.clients[number] = name
            return exchange.send(
                method, params.map { Array($0.rawText) }, session: params?["sessionId"]?.stringValue,
                asker: .bridge(number), at: wallClockMilliseconds())
        }
    }

    /// Who answers what the agent asks of its client: `editor`, or a guest by its name; nil: nobody.
    var primaryName: String? {
        if editor != nil { return "editor" }
        return (sessions?.exchange).flatMap { exchange in exchange.primary.flatMap { exchange.guests[$0]?.name } }
    }

    /// It runs without an editor, and whoever comes may have it.
    var isKept: Bool { editor == nil && !isEnding && sessions?.exchange.primary == nil && sessions != nil }

    func tellGuests(_ status: TerminationStatus) {
        sessions?.converse { $0.agentEnded(endMessage(status)) }
        for guest in Array(guests.values) { guest.agentEnded(self, status) }
        guests = [:]
    }

    /// Why nobody answers any more, for the person who asked: how the agent ended, and its last words.
    func endMessage(_ status: TerminationStatus) -> String {
        let end =
            switch status {
            case .exited(let code): "\(name) has exited with status \(code)"
            case .signaled(let signal): "\(name) was ended by signal \(signal)"
            }
        let words = errorTail.text.split(separator: "\n").suffix(5).joined(separator: "\n")
        return words.isEmpty ? end : "\(end); it wrote last:\n\(words)"
    }
}
