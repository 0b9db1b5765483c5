/// The tests' own agent, which deliberately misbehaves: `rude-agent BEHAVIOUR… [--OPTION VALUE]…`.
///
/// The behaviours (see `Behaviour`) run one after another. Then the agent answers ACP requests like `echo` until its
/// stdin ends. Every update contains a running number in `params._meta.n`, from 1, so that tests can check order and
/// gaps. A usage error prints a sentence on stderr and exits with 64.
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
