import CommandContext
import Glibc
import Invocations
import TerminalIO
import TerminalText

/// `acpbridge doctor`: reports what works on this machine, what does not, and how to fix it.
package struct DoctorCommand {
    private let context: ProcessContext

    package init(_ context: ProcessContext) { self.context = context }

    /// Returns the exit status: 1 if there is a fault.
    package func run(_ options: DoctorOptions) throws -> Int32 {
        let findings = Diagnosis(try MachineProbe(context).facts()).findings
        for finding in findings {
            if options.json {
                try Console.printRecord(finding.json)
            } else {
                try Console.print(Self.text(finding, columns: Console.columns(STDOUT_FILENO)))
            }
        }
        return findings.contains { $0.level == .fault } ? 1 : 0
    }

    /// `warning  program      …`, with the fix on the next line.
    ///
    /// - Parameter columns: The width of the terminal; nil if the output goes elsewhere.
    static func text(_ finding: Finding, columns: Int?) -> TerminalText {
        let head: TerminalText =
            "\(padded(finding.level.rawValue, 9))\(padded(finding.subject, 13))"
            + WordWrap.text(finding.text, indent: 22, columns: columns)
        guard finding.level != .ok || finding.subject == "remote", let fix = finding.fix else { return head }
        return head + "\n\(padded("", 22))-> " + WordWrap.text(fix, indent: 25, columns: columns)
    }

    private static func padded(_ text: String, _ columns: Int) -> String {
        text + String(repeating: " ", count: max(0, columns - text.count))
    }
}
