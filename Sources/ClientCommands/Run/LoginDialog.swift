import ACPRouting
import AgentProcess
import Agents
import CommandContext
import LocalBridge
import TerminalIO
import TerminalText

/// Thrown for a login by which the agent's command must run in the terminal.
struct TerminalLogin: Error {
    let method: LoginMethod
}

/// Logs in to an agent at the terminal.
struct LoginDialog {
    private let context: ProcessContext
    private let agent: String

    init(_ context: ProcessContext, agent: String) {
        self.context = context
        self.agent = agent
    }

    /// Asks which of the agent's ways to log in to use. Nil if the person chooses none, or cannot be asked.
    ///
    /// - Parameter answer: Returns the next line that the person types; nil at the end.
    func choose(_ methods: [LoginMethod], _ answer: () throws -> String?) throws -> LoginMethod? {
        let methods = methods.filter(\.isUsable)
        guard TerminalInput.isAvailable, !methods.isEmpty else { return nil }
        try Console.print("\(Table.cell(agent)) requires a login:")
        for (index, method) in methods.enumerated() { try Console.print("  \(index + 1)  \(method.line)") }
        while true {
            try Console.print("Type the number of the way to log in, or only Return to cancel:")
            guard let line = try answer(), !line.isEmpty else { return nil }
            if let number = Int(line), methods.indices.contains(number - 1) { return methods[number - 1] }
        }
    }

    /// Throws if the agent offers no way to log in that acpbridge knows.
    func checkOffers(_ methods: [LoginMethod]) throws(Failure) {
        guard !methods.contains(where: \.isUsable) else { return }
        throw Failure(
            message: "\(Table.cell(agent)) offers no way to log in by ACP; log in with the agent's own program")
    }

    /// The method with the id or name.
    func method(named name: String, in methods: [LoginMethod]) throws(Failure) -> LoginMethod {
        if let method = methods.first(where: { $0.id == name }) ?? methods.first(where: { $0.name == name }) {
            guard method.isUsable else {
                throw Failure(message: "acpbridge does not know this way to log in; \(Self.list(methods))")
            }
            return method
        }
        throw Failure(
            message: "\(Table.cell(agent)) has no way '\(Table.cell(name))' to log in; \(Self.list(methods))",
            status: Failure.wrongUsage)
    }

    /// `write one of: key (API key), account (Account)`
    static func list(_ methods: [LoginMethod]) -> TerminalText {
        return "write one of: "
            + methods.filter(\.isUsable).map { method -> TerminalText in
                "\(Table.cell(method.id)) (\(Table.cell(method.name)))"
            }
            .joined(separator: ", ")
    }

    /// Runs the agent's command with the login's arguments in this terminal. A status other than 0 is a failure.
    ///
    /// - Parameter command: The command of an agent without a profile.
    func run(_ login: TerminalLogin, command: [String]? = nil) throws {
        guard case .terminal(let arguments, let variables) = login.method.kind else { return }
        guard TerminalInput.isAvailable else {
            throw Failure(message: "this login needs a terminal: run `acpbridge login \(Table.cell(agent))` in one")
        }
        var words = (command ?? []).map { SystemString($0) } + arguments.map { SystemString($0) }
        var environment = context.environment
        if command == nil {
            let launch = try AgentLaunch(context: context).request(for: agent, adding: words)
            (words, environment) = (launch.command, launch.environment)
        }
        let names = Set(variables.map(\.name))
        let kept = environment.filter { entry in !names.contains(String(entry.description.prefix { $0 != "=" })) }
        let request = SpawnRequest(
            command: words, directory: context.directory,
            environment: kept + variables.map { SystemString("\($0.name)=\($0.value)") })
        let status: TerminationStatus
        do throws(SpawnError) {
            status = try ForegroundProcess.run(request)
        } catch {
            throw Failure(message: "the login cannot be started: \(error.description)", status: error.exitStatus)
        }
        switch status {
        case .exited(code: 0): return
        case .exited(let code): throw Failure(message: "the login has failed: exit status \(code)")
        case .signaled(let signal): throw Failure(message: "the login has failed: signal \(signal)")
        }
    }
}

extension LoginMethod {
    /// False for a way to log in that ACP does not define.
    fileprivate var isUsable: Bool { if case .other = kind { false } else { true } }

    fileprivate var line: TerminalText {
        let title = Table.cell(name)
        guard let description else { return "\(title)" }
        return "\(title): \(Table.cell(description, limit: 200))"
    }
}
