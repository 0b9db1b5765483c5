import ArgumentParsing
import CLI
import ClientCommands
import CommandContext
import DaemonCommands
import EditorShims
import ExportCommands
import Glibc
import Invocations
import ProductVersion
import ReportCommands
import TerminalIO
import TerminalText

@main enum Acpbridge {
    static func main() { exit(run(Array(CommandLine.arguments.dropFirst()))) }

    nonisolated static func run(_ arguments: [String]) -> Int32 {
        openStandardDescriptors()
        // A closed reader makes the write fail with an error; it does not end the process.
        signal(SIGPIPE, SIG_IGN)
        do {
            let url = getenv("ACPBRIDGE_URL").map { String(cString: $0) }
            return try perform(CommandLineInterface.parse(arguments, url: url))
        } catch let error as UsageError {
            Console.report("Error: \(lines: error.description)")
            return Failure.wrongUsage
        } catch let failure as Failure {
            Console.report("Error: \(failure.message)")
            return failure.status
        } catch Console.WriteError.readerClosed {
            return 0
        } catch let interrupted as Interrupted {
            endProcess(withSignal: interrupted.signal)
        } catch {
            Console.report("Error: \(error)")
            return 1
        }
    }

    /// Opens `/dev/null` in place of each standard stream that the parent process closed. Otherwise the next file that
    /// is opened would get that descriptor number and be taken for the stream. `open` returns the lowest free number.
    private static func openStandardDescriptors() {
        for stream in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where fcntl(stream, F_GETFD) < 0 {
            _ = open("/dev/null", O_RDWR)
        }
    }

    private static func perform(_ invocation: Invocation) throws -> Int32 {
        lazy var context = ProcessContext()
        switch invocation {
        case .stdio(let options): return try StdioCommand(context).run(options)
        case .connect(let options): return try ConnectCommand(context).run(options)
        case .serve(let options):
            try options.replaces
                ? ReplaceCommand(context).run(options) : ServeCommand(context).run(isOnDemand: options.isOnDemand)
        case .attach(let options): try AttachCommand(context).run(options)
        case .prompt(let options): return try PromptCommand(context).run(options)
        case .answer(let options): try AnswerCommand(context).run(options)
        case .cancel(let options): try CancelCommand(context).run(options)
        case .sessions(let options): try SessionsCommand(context).run(options)
        case .set(let options): try SetCommand(context).run(options)
        case .rename(let options): try RenameCommand(context).run(options)
        case .tag(let options): try TagCommand(context).run(options)
        case .archive(let options): try ArchiveCommand(context).run(options)
        case .delete(let options): return try DeleteCommand(context).run(options)
        case .diff(let options): try DiffCommand(context).run(options)
        case .export(let options): try ExportCommand(context).run(options)
        case .import(let options): try ImportCommand(context).run(options)
        case .search(let options): try SearchCommand(context).run(options)
        case .usage(let options): try UsageCommand(context).run(options)
        case .agents(let options): try AgentsCommand(context).run(options)
        case .notify(let options): try NotifyCommand(context).run(options)
        case .open(let options): try OpenCommand(context).run(options)
        case .share(let options): try ShareCommand(context).run(options)
        case .token(let options): try TokenCommand(context).run(options)
        case .status(let options): try StatusCommand(context).run(options)
        case .stop(let options): return try StopCommand(context).run(options)
        case .run(let options): return try RunCommand(context).run(options)
        case .login(let options): try LoginCommand(context).run(options)
        case .doctor(let options): return try DoctorCommand(context).run(options)
        case .setup(let options): try SetupCommand(context).run(options)
        case .hub(let options): try HubCommand(context).run(options)
        case .audit(let options): return try AuditCommand(context).run(options)
        case .config(let options): return try ConfigCommand(context).run(options)
        case .help(let topic): try show(CommandLineInterface.help(about: topic))
        case .man: try showManual(context)
        case .completions(let shell): try show(CommandLineInterface.completions(for: shell))
        case .version: try Console.print("acpbridge \(programVersion)")
        }
        return 0
    }

    /// A terminal gets the page from `man`, and other readers get its source.
    private static func showManual(_ context: ProcessContext) throws {
        let page = CommandLineInterface.manPage(version: programVersion)
        guard Console.isTerminal(STDOUT_FILENO) else { return try show(page) }
        guard !ManualReader.show(page, context) else { return }
        try show(page)
        Console.report(
            "acpbridge: this is the page's source, because the program 'man' does not show it; see 'acpbridge help'")
    }

    private static func show(_ page: String) throws { try Console.show(TerminalText(lines: page)) }
}
