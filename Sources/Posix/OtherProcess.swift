import Glibc

/// Another process, as `/proc` shows it: proc(5). All figures are empty if it has ended or belongs to another user.
package struct OtherProcess {
    private let folder: String

    package init(pid: pid_t) { folder = "/proc/\(pid)" }

    /// The threads with their processor times (in 10 ms), and the counters of input and output, as text. The text changes
    /// when the process uses the processor, reads or writes.
    package var work: [UInt8] {
        threads.flatMap { $0.work } + ProcessFigures.contents(of: folder + "/io", limitBytes: 4_096)
    }

    /// The name of a thread that waits for the disk.
    package var waitingForDisk: String? { threads.first { $0.state == UInt8(ascii: "D") }?.name }

    private struct Thread {
        let name: String
        let state: UInt8
        let work: [UInt8]
    }

    /// `11 (acpbridge) S` and further fields. The name can contain spaces and parentheses.
    private var threads: [Thread] {
        FolderNames.names(in: folder + "/task").compactMap { id in
            let text = ProcessFigures.contents(of: "\(folder)/task/\(id)/stat", limitBytes: 4_096)
            guard let start = text.firstIndex(of: UInt8(ascii: "(")), let end = text.lastIndex(of: UInt8(ascii: ")"))
            else { return nil }
            let fields = text[text.index(after: end)...].split(separator: 0x20)
            // Fields 3, 14 and 15 of proc_pid_stat(5).
            guard fields.count > 12, let state = fields[0].first else { return nil }
            return Thread(
                name: String(decoding: text[text.index(after: start)..<end], as: UTF8.self), state: state,
                work: Array("\(id) ".utf8) + fields[11] + [0x20] + fields[12] + [0x0a])
        }
    }
}
