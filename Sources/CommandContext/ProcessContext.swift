import AgentProcess
import Bridge
import Glibc
import Posix

/// The environment, folders and arguments of the process in which a command runs.
package struct ProcessContext {
    /// The `NAME=value` strings exactly as the process got them.
    package let environment: [SystemString]
    /// The environment by names, as text.
    package let variables: [String: String]
    private let located: Result<Home, Home.Missing>
    /// `ACPBRIDGE_HOME` as an absolute path, if it is set.
    private let root: String?

    package init() {
        environment = Self.readEnvironment()
        variables = Self.dictionary(environment)
        root = variables["ACPBRIDGE_HOME"].flatMap { root in
            root.isEmpty ? nil : root.hasPrefix("/") ? root : "\(Self.workingDirectory)/\(root)"
        }
        var absolute = variables
        absolute["ACPBRIDGE_HOME"] = root
        located = Result { [absolute] () throws(Home.Missing) in try Home(environment: absolute, user: geteuid()) }
    }

    /// Throws if the user has no home folder. A command for a remote bridge does not need one.
    package var home: Home {
        get throws(Failure) {
            do throws(Home.Missing) {
                return try located.get()
            } catch {
                throw Failure(message: "\(error.description)")
            }
        }
    }

    package var directory: SystemString { Self.workingDirectory }

    private static var workingDirectory: SystemString {
        guard let path = getcwd(nil, 0) else { return "/" }
        defer { free(path) }
        return SystemString(cString: path)
    }

    /// The user asked for core dumps of the bridge and for permission to attach a debugger.
    package var allowsCoreDumps: Bool { variables["ACPBRIDGE_DUMPABLE"] == "1" }

    /// The command line without the program's name.
    package static var arguments: [SystemString] {
        (1..<max(1, Int(CommandLine.argc))).compactMap { index in
            CommandLine.unsafeArgv[index].map { SystemString(cString: $0) }
        }
    }

    /// The environment for a daemon of this home. The daemon works in another directory. See ``DaemonEnvironment``.
    package var daemonEnvironment: [SystemString] {
        // A crashed daemon must not leave behind a backtrace process that keeps the agents' pipes open.
        var replaced = ["SWIFT_BACKTRACE": "enable=no"]
        replaced["ACPBRIDGE_HOME"] = root
        let kept = environment.filter { replaced[$0.variableName] == nil }
        return DaemonEnvironment.clean(kept) + replaced.map { SystemString("\($0.key)=\($0.value)") }
    }

    /// The service manager that started this process.
    package var serviceManager: ServiceManager { ServiceManager(variables, pid: getpid()) }

    /// The environment without the variables with these names.
    package func environment(without names: [String]) -> [SystemString] {
        environment.filter { !names.contains($0.variableName) }
    }

    /// The path of the running program's file.
    package static var programPath: String {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink("/proc/self/exe", &buffer, buffer.count - 1)
        guard count > 0 else { return "acpbridge" }
        return String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// The program that the name `acpbridge` runs in this shell, as the PATH has it; nil if there is none.
    package var programInPath: String? {
        let search = ProgramSearch(environment: environment, directory: directory)
        return (try? search.file(for: "acpbridge"))?.description
    }

    /// The path of this program for another program's settings: the one in the PATH, if that is this program. It is often a
    /// link, which a package manager changes at each new version, and the file itself is then gone.
    package var lastingProgramPath: String {
        guard let found = programInPath, found.hasPrefix("/"), Self.realPath(found) == Self.programPath else {
            return Self.programPath
        }
        return found
    }

    /// The path without symbolic links; the path itself if there is no such file.
    package static func realPath(_ path: String) -> String {
        guard let resolved = realpath(path, nil) else { return path }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    private static func readEnvironment() -> [SystemString] {
        var result: [SystemString] = []
        var next = environ
        while let variable = next.pointee {
            let text = SystemString(cString: variable)
            // This variable is private to the two programs of a hand-over, which run in one process.
            if !text.bytes.starts(with: HandOver.variable.utf8) { result.append(text) }
            next += 1
        }
        return result
    }

    private static func dictionary(_ environment: [SystemString]) -> [String: String] {
        var result: [String: String] = [:]
        for variable in environment {
            guard let equals = variable.bytes.firstIndex(of: UInt8(ascii: "=")) else { continue }
            result[variable.variableName] = String(decoding: variable.bytes[(equals + 1)...], as: UTF8.self)
        }
        return result
    }
}
