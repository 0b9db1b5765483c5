import Glibc
import Hub
import Posix
import Postgres

/// How a bridge uses its hub.
package struct HubSettings: Sendable {
    package let address: PostgresAddress
    /// The bridge's name in lists.
    package let name: String
    package let version: String
    /// The commands that the bridge accepts from viewers.
    package let commands: CommandPolicy

    package init(address: PostgresAddress, name: String, version: String, commands: CommandPolicy = .none) {
        self.address = address
        self.name = name
        self.version = version
        self.commands = commands
    }

    /// The name of this machine, or "bridge" if it has none.
    package static var machineName: String {
        // HOST_NAME_MAX is 64 on Linux.
        var bytes = [CChar](repeating: 0, count: 65)
        guard gethostname(&bytes, bytes.count - 1) == 0 else { return "bridge" }
        let name = String(decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return name.isEmpty ? "bridge" : name
    }

    /// Distinguishes this process from every other one, also in other containers and after a restart of the machine. It
    /// stays the same when another program replaces this one in the process.
    static var instance: String {
        // Field 22, the start time, is the 20th after the program's name, which ends with the last parenthesis.
        let stat = contents("/proc/self/stat")
        let fields = stat[(stat.lastIndex(of: ")") ?? stat.startIndex)...].split(separator: " ").dropFirst()
        let start = fields.dropFirst(19).first.map(String.init) ?? ""
        let boot = contents("/proc/sys/kernel/random/boot_id").filter { !$0.isWhitespace }
        return "\(machineName) \(boot) \(getpid()) \(start)"
    }

    private static func contents(_ path: String) -> String {
        let bytes = try? PrivateFile.read(path, limitBytes: 4096, isBelieved: false)
        return String(decoding: (bytes ?? nil) ?? [], as: UTF8.self)
    }
}
