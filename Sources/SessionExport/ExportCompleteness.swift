/// Finds an export that was cut between two lines. Pure.
///
/// Pass each line that is not empty, and then call ``finish()``. A file whose first line announces no end was written by
/// an earlier version or by hand, and can end anywhere. A file with an end is checked in any case.
package struct ExportCompleteness {
    private var lineCount: Int64 = 0
    private var announcesEnd = false
    private var end: ExportEnd?

    package init() {}

    package mutating func add(_ line: ExportLine) throws(ExportLine.Fault) {
        guard end == nil else { throw ExportLine.Fault(reason: "follows the end of the export") }
        switch line {
        case .head(let head) where head.announcesEnd: announcesEnd = true
        case .end(let end):
            guard end.lineCount == lineCount else {
                throw ExportLine.Fault(
                    reason: """
                        ends an export of \(end.lineCount) lines, but \(lineCount) lines are before it; to import \
                        these, delete this line, and 'end' in the first line
                        """)
            }
            self.end = end
        case .head, .update, .entry, .skipped: break
        }
        lineCount += 1
    }

    /// Returns the reason why the file is incomplete: the end of a sentence that begins with its name. Nil if nothing shows
    /// that.
    package func finish() -> String? {
        guard announcesEnd, end == nil else { return nil }
        return """
            is cut off after \(lineCount) lines: the line that ends an export is missing; to import these lines, delete \
            'end' in the first line
            """
    }
}
