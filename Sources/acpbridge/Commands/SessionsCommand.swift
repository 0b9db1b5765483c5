import Bridge
import CLI
import EventLoop
import Glibc

/// `acpbridge sessions`: a table for a person, or one JSON object a line.
struct SessionsCommand {
    private let machine: Machine

    init(_ machine: Machine) { self.machine = machine }

    func run(_ options: SessionsOptions) throws {
        let access = try BridgeAccess(options.connection, machine: machine)
        let all = try access.ask(starting: true) { try await ListedSession.all($0) }
        let shown = options.all ? all : all.filter(\.isLive)
        if options.json {
            for session in shown { try Console.printRecord(session.raw.rawText) }
            return
        }
        guard !shown.isEmpty else {
            let hint = all.isEmpty ? "" : " (\(all.count) ended: --all lists them)"
            return Console.say("No sessions\(hint).")
        }
        try Console.print(table(shown).text(columns: Console.columns(STDOUT_FILENO), yielding: 2))
    }

    private func table(_ sessions: [ListedSession]) -> Table {
        let now = wallClockMilliseconds()
        var table = Table(header: ["SESSION", "AGENT", "TITLE", "STATE", "UPDATES", "WHEN"])
        table.rows = sessions.map { session in
            [
                Table.cell(session.id), Table.cell(session.agent, limit: 24), Table.cell(session.title, limit: 40),
                session.state, String(session.updateCount), Dates.ago(milliseconds: now - session.lastTime),
            ]
        }
        return table
    }
}
