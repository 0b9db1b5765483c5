import AgentProcess
import Glibc
import Testing

/// Everything that a program's caller can observe after the program has ended.
struct Outcome: Equatable {
    var output: [UInt8]
    var error: [UInt8]
    var status: TerminationStatus

    var outputText: String { String(decoding: output, as: UTF8.self) }
    var errorText: String { String(decoding: error, as: UTF8.self) }
}

/// Expects equal bytes. For megabytes it reports only the position of the first difference.
func expectSame(
    _ found: [UInt8], _ wanted: [UInt8], _ what: String, sourceLocation: SourceLocation = #_sourceLocation
) {
    guard !haveSameBytes(found, wanted) else { return }
    let parting = zip(found, wanted).enumerated().first { $1.0 != $1.1 }?.offset ?? min(found.count, wanted.count)
    func around(_ bytes: [UInt8]) -> String {
        String(decoding: bytes[max(0, parting - 40)..<min(bytes.count, parting + 80)], as: UTF8.self)
    }
    Issue.record(
        """
        \(what): \(found.count) bytes instead of \(wanted.count), different from byte \(parting)
        found: \(around(found))
        wanted: \(around(wanted))
        """, sourceLocation: sourceLocation)
}

/// Uses memcmp(3), because comparing element by element takes a debug build seconds for 64 MiB.
func haveSameBytes(_ a: [UInt8], _ b: [UInt8]) -> Bool {
    a.count == b.count && (a.isEmpty || memcmp(a, b, a.count) == 0)
}

/// Expects that a caller could not distinguish two programs.
func expectSame(_ found: Outcome, _ wanted: Outcome, sourceLocation: SourceLocation = #_sourceLocation) {
    expectSame(found.output, wanted.output, "stdout", sourceLocation: sourceLocation)
    expectSame(found.error, wanted.error, "stderr", sourceLocation: sourceLocation)
    #expect(found.status == wanted.status, sourceLocation: sourceLocation)
}

/// Expects the same lines in the same order, and reports the first line that differs.
func expectSame(
    _ found: some Collection<[UInt8]>, _ wanted: some Collection<[UInt8]>,
    sourceLocation: SourceLocation = #_sourceLocation
) {
    #expect(found.count == wanted.count, sourceLocation: sourceLocation)
    for (index, (found, wanted)) in zip(found, wanted).enumerated() where !haveSameBytes(found, wanted) {
        expectSame(found, wanted, "line \(index + 1)", sourceLocation: sourceLocation)
        return
    }
}

/// The complete lines, without LF.
func wholeLines(of bytes: [UInt8]) -> [[UInt8]] {
    var lines: [[UInt8]] = []
    bytes.withUnsafeBytes { bytes in
        guard let base = bytes.baseAddress else { return }
        var start = 0
        while start < bytes.count, let end = memchr(base + start, 0x0a, bytes.count - start) {
            let next = UnsafeRawPointer(end) - base + 1
            lines.append(Array(bytes[start..<next - 1]))
            start = next
        }
    }
    return lines
}
