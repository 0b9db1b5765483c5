import AgentProcess
import BenchMeasuring
import EventLoop
import Glibc
import Posix

/// A home folder for one bridge, removed when it is no longer used.
package final class BridgeHome {
    let path: String

    package init() throws {
        let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        var template = Array((parent + "/acpb-XXXXXX").utf8CString)
        guard mkdtemp(&template) != nil else { throw SystemError("mkdtemp in \(parent)") }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit { Self.remove(path) }

    /// Our environment, with this home instead of the user's.
    package var environment: [SystemString] {
        let replaced = ["ACPBRIDGE_", "SWIFT_BACKTRACE="].map { Array($0.utf8) }
        return Self.ownEnvironment.filter { variable in !replaced.contains { variable.bytes.starts(with: $0) } }
            + [SystemString("ACPBRIDGE_HOME=\(path)"), "SWIFT_BACKTRACE=enable=no"]
    }

    static var ownEnvironment: [SystemString] {
        var variables: [SystemString] = []
        var next = environ
        while let variable = next.pointee {
            variables.append(SystemString(cString: variable))
            next += 1
        }
        return variables
    }

    var socket: String { path + "/run/bridge.sock" }

    func token() throws -> String {
        String(try SmallFile.text(path + "/config/token").prefix { !$0.isWhitespace })
    }

    private static func remove(_ path: String) {
        if let folder = opendir(path) {
            while let entry = readdir(folder) {
                let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                    String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
                }
                guard name != ".", name != ".." else { continue }
                let isFolder = entry.pointee.d_type == UInt8(DT_DIR)
                if isFolder { remove(path + "/" + name) } else { unlink(path + "/" + name) }
            }
            closedir(folder)
        }
        rmdir(path)
    }
}
