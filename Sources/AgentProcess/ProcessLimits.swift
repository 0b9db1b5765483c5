import CShims
import Glibc

/// Limits for a program. Nil leaves the limit of this process.
///
/// In a control group (``AgentGroups``), memory and processes are limits of the program and all its children together.
/// Otherwise they are limits of setrlimit(2), which the children inherit, each with a count of its own, except `processes`.
package struct ProcessLimits: Sendable, Equatable, Codable {
    /// RLIMIT_DATA: private writable memory in bytes, of each process. RLIMIT_AS would also count address space that is
    /// only reserved, of which V8 and Go take hundreds of GiB.
    package var memoryBytes: Int?
    /// RLIMIT_CPU: seconds of processor time, of each process. The kernel sends SIGXCPU, and SIGKILL 5 s later.
    package var cpuSeconds: Int?
    /// RLIMIT_NPROC: processes and threads of the user, including those outside of the agent. It has no effect for
    /// root.
    package var processes: Int?
    /// RLIMIT_NOFILE: open files, of each process.
    package var openFiles: Int?
    /// The number of processors that the program and its children can keep busy. Only in a control group.
    package var processors: Int?

    package init(
        memoryBytes: Int? = nil, cpuSeconds: Int? = nil, processes: Int? = nil, openFiles: Int? = nil,
        processors: Int? = nil
    ) {
        self.memoryBytes = memoryBytes
        self.cpuSeconds = cpuSeconds
        self.processes = processes
        self.openFiles = openFiles
        self.processors = processors
    }

    package var isEmpty: Bool { self == ProcessLimits() }

    /// These limits, and for those that are nil the ones of `others`.
    package func filled(from others: ProcessLimits) -> ProcessLimits {
        ProcessLimits(
            memoryBytes: memoryBytes ?? others.memoryBytes, cpuSeconds: cpuSeconds ?? others.cpuSeconds,
            processes: processes ?? others.processes, openFiles: openFiles ?? others.openFiles,
            processors: processors ?? others.processors)
    }

    /// The limits that remain for setrlimit(2) in a control group.
    package var outsideOfGroup: ProcessLimits { ProcessLimits(cpuSeconds: cpuSeconds, openFiles: openFiles) }

    /// Whether a control group can keep one of these limits.
    package var needsGroup: Bool { memoryBytes != nil || processes != nil || processors != nil }

    /// The time between SIGXCPU and SIGKILL.
    private static let cpuGraceSeconds = 5

    var values: [cshims_limit] {
        [
            Self.limit(Int32(RLIMIT_DATA.rawValue), memoryBytes), Self.limit(Int32(__RLIMIT_NPROC.rawValue), processes),
            Self.limit(Int32(RLIMIT_NOFILE.rawValue), openFiles),
            Self.limit(Int32(RLIMIT_CPU.rawValue), cpuSeconds, grace: Self.cpuGraceSeconds),
        ].compactMap(\.self)
    }

    private static func limit(_ resource: Int32, _ value: Int?, grace: Int = 0) -> cshims_limit? {
        guard let value, value >= 0 else { return nil }
        return cshims_limit(resource: resource, soft: UInt(value), hard: UInt(value) + UInt(grace))
    }
}
