import BenchLoad
import BenchMeasuring
import EventLoop
import Glibc
import Posix

/// The programs that a benchmark runs: those built beside this one.
package struct Programs {
    package let acpbridge: String
    package let demoAgent: String
    /// The relay in C that approximates the limit of the machine.
    let cRelay: String
    /// A Python interpreter with the package `websockets`.
    let python: String
    private let bench: String

    package init(acpbridge: String?, python: String) throws {
        self.python = Self.fromHere(python)
        bench = try Self.ownPath()
        let folder = String(bench[..<(bench.lastIndex(of: "/") ?? bench.startIndex)])
        self.acpbridge = try Self.absolute(acpbridge ?? folder + "/acpbridge")
        demoAgent = try Self.absolute(folder + "/acpbridge-demo-agent")
        cRelay = try Self.absolute(folder + "/c-relay")
    }

    /// Programs are started in the root folder, so relative paths would be wrong.
    private static func absolute(_ path: String) throws -> String {
        guard access(path, X_OK) == 0, let resolved = realpath(path, nil) else {
            throw BenchFailure("\(path) does not exist; build all targets in release mode")
        }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    /// The absolute path of the same file. Links are kept, because an interpreter finds the packages of a virtual
    /// environment by the path of its link.
    private static func fromHere(_ name: String) -> String {
        guard name.contains("/"), !name.hasPrefix("/"), let folder = getcwd(nil, 0) else { return name }
        defer { free(folder) }
        return String(cString: folder) + "/" + name
    }

    /// The command of the benchmark's own agent.
    func agent(_ options: AgentOptions) -> [String] { [bench, "agent"] + options.arguments }

    /// The command of the benchmark's own reader.
    func libraryReader(_ options: LibraryReaderOptions) -> [String] { [bench, "library-reader"] + options.arguments }

    private static func ownPath() throws -> String {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink("/proc/self/exe", &buffer, buffer.count - 1)
        guard count > 0 else { throw SystemError("readlink /proc/self/exe") }
        return String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
