import BenchEcho
import BenchLoad
import BenchMeasuring
import BenchSystems
import Glibc

/// `acpbridge-bench`: measures the speed of the `acpbridge` that was built beside it. Prints a table, or one JSON
/// object per line.
@main enum AcpbridgeBench {
    static func main() { exit(run(Array(CommandLine.arguments.dropFirst()))) }

    nonisolated static func run(_ arguments: [String]) -> Int32 {
        // Writing to a closed peer must fail with an error instead of ending the process.
        signal(SIGPIPE, SIG_IGN)
        do {
            switch try Command.parse(arguments) {
            case .help: Output.print(Usage.text)
            case .agent(let options): BenchAgent(options).run()
            case .libraryReader(let options): try LibraryReader(options).run()
            case .echo(let address): try EchoCommands.serve(at: address)
            case .echoClient(let server): try EchoCommands.runCases(of: server)
            case .measure(let benchmarks, let options): try measure(benchmarks, options)
            }
            return 0
        } catch let error as UsageError {
            Output.note("Error: \(error)\n\(Usage.hint)")
            return 64
        } catch {
            Output.note("Error: \(error)")
            return 1
        }
    }

    private static func measure(_ benchmarks: [Benchmark], _ options: BenchOptions) throws {
        Interruption.watch()
        OpenFiles.raiseLimit()
        let programs = try Programs(acpbridge: options.program, python: options.python)
        var table = TableReport()
        for benchmark in benchmarks {
            let trials = benchmark.trials(options, programs)
            let outcomes = try Alternation(runs: options.runs, progress: Output.progress).run(trials)
            table.add(outcomes)
            if options.json { for outcome in outcomes { Output.print(JSONReport.line(outcome, among: outcomes)) } }
        }
        if !options.json { Output.print(table.text()) }
    }
}
