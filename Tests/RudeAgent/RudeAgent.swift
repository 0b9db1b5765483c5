/// The tests' own agent, which misbehaves on purpose: `rude-agent BEHAVIOUR… [--OPTION VALUE]…`.
///
/// Behaviours (`Behaviour` says what each does) run one after another, then the agent answers ACP requests as `echo`
/// does until its stdin ends. Every update it makes carries a running number in `params._meta.n`, from 1, so that tests
/// can check order and holes. Wrong usage: a sentence on stderr, exit 64.
@main
enum RudeAgent {
    static func main() {
        switch Arguments.parse(Array(CommandLine.arguments.dropFirst())) {
        case .failure(let problem):
            write("rude-agent: \(problem.message)\n", to: 2)
            terminate(code: 64)
        case .success(let arguments):
            var agent = EchoAgent(arguments: arguments)
            agent.run()
        }
    }
}
