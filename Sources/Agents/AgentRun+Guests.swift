import ACPRouting
import AgentProcess
import EventLoop
import JSONRPC
import JSONScan
import Posix
import SessionStreams

/// A client that exchanges whole lines with an agent.
@LoopActor package protocol AgentGuest: AnyObject {
    /// Receives a line from the agent. The guest must send it after the updates of `session` that came before it.
    func agentSaid(_ line: [UInt8], behind session: Session?, of run: AgentRun)
    /// Receives the agent's end. The agent will not answer the requests that are still open.
    func agentEnded(_ run: AgentRun, _ status: TerminationStatus)
}

/// The callbacks for the answers to the bridge's own requests.
@LoopActor struct AnswerTable {
    typealias Taker = @LoopActor (Reply) -> Void

    private var takers: [Int: Taker] = [:]
    private(set) var count: Int

    /// - Parameter count: The number of requests that the previous program had sent at the hand-over.
    init(count: Int = 0) { self.count = count }

    mutating func add(_ taker: @escaping Taker) -> Int {
        count += 1
        takers[count] = taker
        return count
    }

    mutating func take(_ number: Int) -> Taker? { takers.removeValue(forKey: number) }
}

extension AgentRun {
    /// Admits a guest to the agent and returns its number.
    package func admit(_ guest: any AgentGuest, name: String) -> Exchange.Guest {
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

    /// Reconnects a guest that the previous program admitted under this number.
    package func readmit(_ guest: any AgentGuest, as number: Exchange.Guest) { guests[number] = guest }

    /// Makes the guest the primary: it receives the agent's requests from now on.
    package func makePrimary(_ guest: Exchange.Guest) {
        sessions?.converse { $0.guestTookOver(guest) }
        guestsChanged()
    }

    package func dismiss(_ guest: Exchange.Guest) {
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

    /// Sends a prompt for a client that does not speak ACP itself. `finish` receives the agent's answer when the turn
    /// has ended.
    package func prompt(
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

    /// Sends a request of the bridge's own.
    package func ask(
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

    /// The name of the client that answers the agent's requests: `editor`, or a guest's name. Nil if there is none.
    package var primaryName: String? {
        if editor != nil { return "editor" }
        return (sessions?.exchange).flatMap { exchange in exchange.primary.flatMap { exchange.guests[$0]?.name } }
    }

    /// True if the agent runs without an editor and without a primary, so that the next client can take it over.
    package var isKept: Bool { editor == nil && !isEnding && sessions?.exchange.primary == nil && sessions != nil }

    func tellGuests(_ status: TerminationStatus) {
        sessions?.converse { $0.agentEnded(endMessage(status)) }
        for guest in Array(guests.values) { guest.agentEnded(self, status) }
        guests = [:]
    }

    /// Explains to the person who sent a request why it will not be answered: how the agent ended, and the end of its
    /// standard error.
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
