import EventLoop
import Glibc

/// The programs a benchmark runs: those built beside this one.
struct Programs {
    let acpbridge: String
    let demoAgent: String
    /// The relay in C that stands for what the machine can do.
    let cRelay: String
    /// An interpreter that has the package `websockets`.
    let python: String
    private let bench: String

    init(acpbridge: String?, python: String) throws {
        self.python = Self.fromHere(python)
        bench = try Self.ownPath()
        let folder = String(bench[..<(bench.lastIndex(of: "/") ?? bench.startIndex)])
        self.acpbridge = try Self.absolute(acpbridge ?? folder + "/acpbridge")
        demoAgent = try Self.absolute(folder + "/acpbridge-demo-agent")
        cRelay = try Self.absolute(folder + "/c-relay")
    }

    /// Programs are started in the root folder, so a relative path would not do.
    private static func absolute(_ path: String) throws -> String {
        guard access(path, X_OK) == 0, let resolved = realpath(path, nil) else {
            throw BenchFailure("\(path) is not there; build all targets, in release")
        }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    /// The same file when looked for from the root folder. Links stay: it is by its link that an interpreter finds the
    /// packages of a virtual environment.
    private static func fromHere(_ name: String) -> String {
        guard name.contains("/"), !name.hasPrefix("/"), let folder = getcwd(nil, 0) else { return name }
        defer { free(folder) }
        return String(cString: folder) + "/" + name
    }

    /// The benchmark's own agent.
    func agent(_ options: AgentOptions) -> [String] { [bench, "agent"] + options.arguments }

    /// The benchmark's own reader.
    func libraryReader(_ options: LibraryReaderOptions) -> [String] { [bench, "library-reader"] + options.arguments }

    private static func ownPath() throws -> String {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink("/proc/self/exe", &buffer, buffer.count - 1)
        guard count > 0 else { throw SystemError("readlink /proc/self/exe") }
        return String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}

/// Thousands of readers need thousands of descriptors; the usual soft limit is 1024.
enum OpenFiles {
    static func raiseLimit() {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
        limit.rlim_cur = limit.rlim_max
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }
}
