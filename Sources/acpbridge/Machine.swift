import Bridge
import Glibc

/// What a command needs to know of the process it runs in.
struct Machine {
    /// `NAME=value`, as they were given.
    let environment: [String]
    let home: Home

    init() {
        environment = Self.readEnvironment()
        home = Home(environment: Self.dictionary(environment), user: geteuid())
    }

    var variables: [String: String] { Self.dictionary(environment) }

    var directory: String {
        guard let path = getcwd(nil, 0) else { return "/" }
        defer { free(path) }
        return String(cString: path)
    }

    /// The file of this very program.
    static var programPath: String {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink("/proc/self/exe", &buffer, buffer.count - 1)
        guard count > 0 else { return "acpbridge" }
        return String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    private static func readEnvironment() -> [String] {
        var result: [String] = []
        var next = environ
        while let variable = next.pointee {
            result.append(String(cString: variable))
            next += 1
        }
        return result
    }

    private static func dictionary(_ environment: [String]) -> [String: String] {
        var result: [String: String] = [:]
        for variable in environment {
            guard let equals = variable.firstIndex(of: "=") else { continue }
            result[String(variable[..<equals])] = String(variable[variable.index(after: equals)...])
        }
        return result
    }
}
