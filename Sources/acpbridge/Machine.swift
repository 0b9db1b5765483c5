import AgentProcess
import Bridge
import Glibc

/// What a command needs to know of the process it runs in.
struct Machine {
    /// `NAME=value`, as they were given.
    let environment: [SystemString]
    let home: Home

    init() {
        environment = Self.readEnvironment()
        home = Home(environment: Self.dictionary(environment), user: geteuid())
    }

    var variables: [String: String] { Self.dictionary(environment) }

    var directory: SystemString {
        guard let path = getcwd(nil, 0) else { return "/" }
        defer { free(path) }
        return SystemString(cString: path)
    }

    /// The command line without the program's name.
    static var arguments: [SystemString] {
        (1..<max(1, Int(CommandLine.argc))).compactMap { index in
            CommandLine.unsafeArgv[index].map { SystemString(cString: $0) }
        }
    }

    /// The file of this very program.
    static var programPath: String {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink("/proc/self/exe", &buffer, buffer.count - 1)
        guard count > 0 else { return "acpbridge" }
        return String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    private static func readEnvironment() -> [SystemString] {
        var result: [SystemString] = []
        var next = environ
        while let variable = next.pointee {
            result.append(SystemString(cString: variable))
            next += 1
        }
        return result
    }

    private static func dictionary(_ environment: [SystemString]) -> [String: String] {
        var result: [String: String] = [:]
        for variable in environment.map(\.description) {
            guard let equals = variable.firstIndex(of: "=") else { continue }
            result[String(variable[..<equals])] = String(variable[variable.index(after: equals)...])
        }
        return result
    }
}
