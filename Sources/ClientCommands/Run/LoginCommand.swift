import ACPRouting
import CommandContext
import Glibc
import Invocations
import LocalBridge
import TerminalIO

/// `acpbridge login`: logs in to an agent, by a request to the agent or by its command in this terminal.
package struct LoginCommand {
    private let context: ProcessContext

    package init(_ context: ProcessContext) { self.context = context }

    package func run(_ options: LoginOptions) throws {
        let agent = try AgentChoice(context).name(
            options.agent, way: "write `acpbridge login NAME`, or set ACPBRIDGE_AGENT")
        let title = try AgentChoice(context).title(agent)
        let dialog = LoginDialog(context, agent: agent)
        let endings = try BlockedSignals(BlockedSignals.heeded([SIGTERM, SIGHUP]))
        let started = try StartedAgent(forLoginOf: agent, context: context)
        do {
            try started.logIn(endings: endings) { methods, answer in
                try choose(methods, options.method, dialog, answer)
            }
        } catch let login as TerminalLogin {
            endings.setBlocked(false)
            try dialog.run(login)
        }
        Console.reportDone("\(Table.cell(title)) is logged in.")
    }

    private func choose(
        _ methods: [LoginMethod], _ name: String?, _ dialog: LoginDialog, _ answer: () throws -> String?
    ) throws -> LoginMethod? {
        try dialog.checkOffers(methods)
        if let name { return try dialog.method(named: name, in: methods) }
        if methods.count == 1 { return try dialog.method(named: methods[0].id, in: methods) }
        guard TerminalInput.isAvailable, methods.count > 1 else {
            throw Failure(
                message: "no way to log in was named; \(LoginDialog.list(methods))", status: Failure.wrongUsage)
        }
        return try dialog.choose(methods, answer)
    }
}
