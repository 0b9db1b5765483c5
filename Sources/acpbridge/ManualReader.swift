import CShims
import Glibc

/// Shows the manual page to a person, by the program `man`.
enum ManualReader {
    /// Replaces this process by `man -l -`. Returns only if the program is not found.
    static func show(_ page: String) {
        let file = cshims_memory_file("acpbridge.1")
        guard file >= 0, page.withCString({ write(file, $0, strlen($0)) }) == page.utf8.count,
            lseek(file, 0, SEEK_SET) == 0, dup2(file, STDIN_FILENO) == STDIN_FILENO
        else { return }
        let words: [String] = ["man", "-l", "-"]
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) }
        arguments.append(nil)
        defer { for argument in arguments { free(argument) } }
        execvp("man", &arguments)
    }
}
