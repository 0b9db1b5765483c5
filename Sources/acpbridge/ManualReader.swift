import AgentProcess
import CShims
import CommandContext
import Glibc

/// Shows the manual page to a person, by the program `man`.
enum ManualReader {
    /// Returns false if the page was not shown: `man` is missing, it cannot read a page from its input (BusyBox), or the system
    /// refuses the file.
    static func show(_ page: String, _ context: ProcessContext) -> Bool {
        guard replaceInput(by: page) else { return false }
        let request = SpawnRequest(
            command: ["man", "-l", "-"], directory: context.directory, environment: context.environment)
        // The programs that format the page end when the person leaves it. Otherwise they would report that as an error.
        let handler = signal(SIGPIPE, SIG_DFL)
        defer { signal(SIGPIPE, handler) }
        guard let status = try? ForegroundProcess.run(request) else { return false }
        // 3: a program that `man` has started has failed, for example the pager, after it has shown the page.
        if case .exited(let code) = status { return code == 0 || code == 3 }
        return true
    }

    private static func replaceInput(by page: String) -> Bool {
        let file = cshims_memory_file("acpbridge.1")
        guard file >= 0, page.withCString({ write(file, $0, strlen($0)) }) == page.utf8.count else { return false }
        return lseek(file, 0, SEEK_SET) == 0 && dup2(file, STDIN_FILENO) == STDIN_FILENO
    }
}
