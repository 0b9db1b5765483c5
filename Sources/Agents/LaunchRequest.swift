import AgentProcess
import JSONScan
import Tinyvex
import WireLogging

/// A stdio shim's request to the daemon to run a command. The editor's streams are sent with it.
///
/// The text is one line:
/// `{"agent":"codex","command":["codex-acp"],"directory":"/home/me/project","environment":["PATH=/usr/bin"],
/// "umask":18,"openFiles":1024}`. A word that is not valid UTF-8 is sent as an array of its byte values.
package struct LaunchRequest: Sendable, Equatable, Codable {
    /// The profile's name, or nil for a plain command.
    package var agent: String?
    package var command: [SystemString]
    package var directory: SystemString
    package var environment: [SystemString]
    /// The shim's umask. The agent must have the same umask.
    package var fileModeMask: Int32
    /// The shim's soft limit of open files. The agent must have the same limit.
    package var openFilesLimit: Int
    /// `"keep":true`, or `"lingerMilliseconds":600000`.
    package var lifetime = LingerPolicy.standard
    /// `"permissionMilliseconds":3600000`: the time limit for a permission request while no client is attached. Nil
    /// keeps the bridge's default.
    package var permissionLimit: Duration?
    /// `"limits":{"memory":4294967296,"cpu":3600,"processes":200,"files":1024}`: the limits of the agent's profile, in
    /// bytes, seconds and counts. Nil in the state of an older bridge.
    package var limits: ProcessLimits?
    /// `"wireLog":{"path":"/tmp/wire.ndjson","keepsTokens":false}`
    package var wireLog: WireLogRequest?
    /// `"restart":true`: start the agent again if it fails while no client has it. Nil in the state of an older bridge.
    package var restartsOnFailure: Bool?

    /// The names in a hand-over's JSON. They stay the names of the first format.
    private enum CodingKeys: String, CodingKey {
        case agent, command, directory, environment, fileModeMask, openFilesLimit, lifetime = "stay",
            permissionLimit, limits, wireLog, restartsOnFailure
    }

    package init(
        agent: String?, command: [SystemString], directory: SystemString, environment: [SystemString],
        fileModeMask: Int32,
        openFilesLimit: Int
    ) {
        self.agent = agent
        self.command = command
        self.directory = directory
        self.environment = environment
        self.fileModeMask = fileModeMask
        self.openFilesLimit = openFilesLimit
    }

    package func json() -> [UInt8] {
        JSONWriter.object { writer in
            writer.member("agent", ifPresent: agent)
            writer.memberArray("command") { for word in command { $0.element(TextOrBytes(word)) } }
            writer.member("directory", TextOrBytes(directory))
            writer.memberArray("environment") { for variable in environment { $0.element(TextOrBytes(variable)) } }
            writer.member("umask", fileModeMask)
            writer.member("openFiles", openFilesLimit)
            switch lifetime {
            case .keep: writer.member("keep", true)
            case .linger(let time): writer.member("lingerMilliseconds", time.wholeMilliseconds)
            }
            writer.member("permissionMilliseconds", ifPresent: permissionLimit?.wholeMilliseconds)
            if restartsOnFailure == true { writer.member("restart", true) }
            if let wireLog {
                writer.memberObject("wireLog") { writer in
                    writer.member("path", wireLog.path)
                    writer.member("keepsTokens", wireLog.keepsTokens)
                }
            }
            if let limits, !limits.isEmpty {
                writer.memberObject("limits") { writer in
                    writer.member("memory", ifPresent: limits.memoryBytes)
                    writer.member("cpu", ifPresent: limits.cpuSeconds)
                    writer.member("processes", ifPresent: limits.processes)
                    writer.member("files", ifPresent: limits.openFiles)
                    writer.member("processors", ifPresent: limits.processors)
                }
            }
        }
    }

    package init?(json: [UInt8]) {
        guard let value = try? JSONValue(validating: json), let directory = value["directory"].flatMap(Self.string),
            let command = Self.strings(value["command"]), let environment = Self.strings(value["environment"])
        else { return nil }
        self.init(
            agent: value["agent"]?.stringValue, command: command, directory: directory, environment: environment,
            fileModeMask: Int32(value["umask"]?.int64Value.map { $0 & 0o777 } ?? 0o022),
            openFilesLimit: Int(clamping: max(0, value["openFiles"]?.int64Value ?? 0)))
        if value["keep"]?.boolValue == true {
            lifetime = .keep
        } else if let linger = value["lingerMilliseconds"]?.int64Value {
            lifetime = .linger(.milliseconds(max(0, linger)))
        }
        permissionLimit = value["permissionMilliseconds"]?.int64Value.map { .milliseconds(max(0, $0)) }
        limits = value["limits"].map(Self.limits)
        if value["restart"]?.boolValue == true { restartsOnFailure = true }
        if let path = value["wireLog"]?["path"]?.stringValue, path.hasPrefix("/") {
            wireLog = WireLogRequest(path: path, keepsTokens: value["wireLog"]?["keepsTokens"]?.boolValue ?? false)
        }
    }

    private static func limits(_ value: JSONValue) -> ProcessLimits {
        func number(_ name: String) -> Int? { value[name]?.int64Value.map { Int(clamping: max(0, $0)) } }
        return ProcessLimits(
            memoryBytes: number("memory"), cpuSeconds: number("cpu"), processes: number("processes"),
            openFiles: number("files"), processors: number("processors"))
    }

    private static func string(_ value: JSONValue) -> SystemString? {
        if let text = value.stringValue { return SystemString(text) }
        guard value.kind == .array else { return nil }
        let bytes = value.elements.compactMap { $0.int64Value.flatMap(UInt8.init(exactly:)) }
        return bytes.count == value.elements.count ? SystemString(bytes: bytes) : nil
    }

    private static func strings(_ value: JSONValue?) -> [SystemString]? {
        guard let value, value.kind == .array else { return nil }
        let strings = value.elements.compactMap(string)
        return strings.count == value.elements.count ? strings : nil
    }
}

/// A message from the daemon to a shim, on one line.
package enum ShimNotice: Sendable, Equatable {
    /// `{"started":{"pid":4711}}`
    case started(pid: Int32)
    /// `{"exit":{"code":0}}` or `{"exit":{"signal":9}}`: the agent has ended and all its output has been forwarded.
    case exit(TerminationStatus)
    /// `{"refused":{"message":"codex-acp: command not found","status":127}}`
    case refused(message: String, status: Int32)

    package func json() -> [UInt8] {
        JSONWriter.object { writer in
            switch self {
            case .started(let pid): writer.memberObject("started") { $0.member("pid", Int64(pid)) }
            case .exit(.exited(let code)): writer.memberObject("exit") { $0.member("code", Int64(code)) }
            case .exit(.signaled(let signal)): writer.memberObject("exit") { $0.member("signal", Int64(signal)) }
            case .refused(let message, let status):
                writer.memberObject("refused") { writer in
                    writer.member("message", message)
                    writer.member("status", Int64(status))
                }
            }
        }
    }

    package init?(json: [UInt8]) {
        guard let value = try? JSONValue(validating: json) else { return nil }
        if let pid = value["started"]?["pid"]?.int64Value {
            self = .started(pid: Int32(truncatingIfNeeded: pid))
        } else if let code = value["exit"]?["code"]?.int64Value {
            self = .exit(.exited(code: Int32(truncatingIfNeeded: code)))
        } else if let signal = value["exit"]?["signal"]?.int64Value {
            self = .exit(.signaled(signal: Int32(truncatingIfNeeded: signal)))
        } else if let refused = value["refused"], let message = refused["message"]?.stringValue {
            self = .refused(message: message, status: Int32(truncatingIfNeeded: refused["status"]?.int64Value ?? 1))
        } else {
            return nil
        }
    }
}

/// A message from a shim to the daemon after the launch request: `{"signal":15}`, a signal that the shim received.
package struct ShimSignal: Sendable, Equatable {
    package let signal: Int32

    package init(signal: Int32) { self.signal = signal }

    package func json() -> [UInt8] { JSONWriter.object { $0.member("signal", Int64(signal)) } }

    package init?(json: [UInt8]) {
        guard let value = try? JSONValue(validating: json), let signal = value["signal"]?.int64Value,
            (1...64).contains(signal)
        else { return nil }
        self.signal = Int32(signal)
    }
}

/// A JSON string, or an array of the byte values if the bytes are not valid UTF-8.
private struct TextOrBytes: JSONScalar {
    private let string: SystemString

    init(_ string: SystemString) { self.string = string }

    func append(to text: inout [UInt8]) {
        if let valid = String(validating: string.bytes, as: UTF8.self) { return valid.append(to: &text) }
        text += JSONWriter.array { for byte in string.bytes { $0.element(Int(byte)) } }
    }
}
