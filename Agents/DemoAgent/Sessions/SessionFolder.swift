import Glibc
import JSONScan

/// Stores sessions in a folder, in one file `ID.ndjson` each. The first line is `{"cwd":"/…"}`, with
/// `"protocolVersion":2` in a session of version 2. Each further line is an `update` object, or the params of a
/// `session/update` of a child session.
///
/// Sessions that cannot be read or written are ignored, because a demo can run without them.
struct SessionFolder {
    /// The maximum number of bytes read from a file: twice the limit of a session in memory.
    static let fileLimitBytes = 2 * History.limitBytes

    private let path: String

    /// 50 sessions: more than a person tries, and few enough to read at each start.
    static let usualLimit = 50

    /// Creates the folder, with access only for its owner, if it does not exist. Its parent must exist.
    init(path: String) {
        self.path = path
        mkdir(path, 0o700)
    }

    /// The folder of `--store`, without all but its newest ``usualLimit`` sessions. Nil if the user has no folder for it.
    ///
    /// - Parameter variable: Returns the value of an environment variable.
    static func usual(_ variable: (String) -> String?) -> SessionFolder? {
        guard let path = usualPath(variable) else { return nil }
        var parent = ""
        for name in path.split(separator: "/").dropLast() {
            parent += "/\(name)"
            mkdir(parent, 0o700)
        }
        let folder = SessionFolder(path: path)
        folder.removeOldest(keeping: usualLimit)
        return folder
    }

    static func usualPath(_ variable: (String) -> String?) -> String? {
        let state = variable("XDG_STATE_HOME").flatMap { $0.hasPrefix("/") ? $0 : nil }
        let home = variable("HOME").flatMap { $0.hasPrefix("/") ? $0 + "/.local/state" : nil }
        return (state ?? home).map { $0 + "/acpbridge-demo-agent" }
    }

    /// Removes the files that were written first.
    func removeOldest(keeping limit: Int) {
        let times = fileNames().map { name in
            var status = stat()
            stat("\(path)/\(name)", &status)
            return (time: status.st_mtim.tv_sec, name: name)
        }
        for file in times.sorted(by: <).dropLast(limit) { unlink("\(path)/\(file.name)") }
    }

    /// All sessions, in the order of their ids.
    func records() -> [SessionRecord] {
        fileNames().sorted().compactMap { name in
            record(id: String(name.dropLast(Self.suffix.count)), text: contents(of: name))
        }
    }

    func append(_ record: SessionRecord) {
        let descriptor = open("\(path)/\(record.id)\(Self.suffix)", O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        var text: [UInt8] = []
        if lseek(descriptor, 0, SEEK_END) == 0 {
            let head = JSONWriter.object {
                $0.member("cwd", record.cwd)
                if record.version != .one { $0.member("protocolVersion", record.version.rawValue) }
            }
            text += head + [0x0a]
        }
        for update in record.updates { text += update + [0x0a] }
        _ = write(descriptor, text, text.count)
    }

    /// Removes a session's file.
    func remove(_ id: String) {
        unlink("\(path)/\(id)\(Self.suffix)")
    }

    private static let suffix = ".ndjson"

    private func record(id: String, text: [UInt8]) -> SessionRecord? {
        let lines = text.split(separator: 0x0a).map(Array.init)
        guard let head = lines.first.flatMap({ try? JSONValue(validating: $0) }), let cwd = head["cwd"]?.stringValue
        else {
            return nil
        }
        // An incomplete last line is not valid JSON, and is dropped.
        let updates = lines.dropFirst().filter { line in
            guard let value = try? JSONValue(validating: line) else { return false }
            return (value["update"] ?? value)["sessionUpdate"]?.kind == .string
        }
        let version = head["protocolVersion"]?.int64Value == 2 ? ProtocolVersion.two : .one
        return SessionRecord(id: id, cwd: cwd, updates: Array(updates), version: version)
    }

    private func fileNames() -> [String] {
        guard let folder = opendir(path) else { return [] }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name.hasPrefix("demo-"), name.hasSuffix(Self.suffix) { names.append(name) }
        }
        return names
    }

    private func contents(of name: String) -> [UInt8] {
        let descriptor = open("\(path)/\(name)", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return [] }
        defer { close(descriptor) }
        var contents: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while contents.count < Self.fileLimitBytes {
            let count = read(descriptor, &buffer, buffer.count)
            guard count > 0 else { break }
            contents += buffer[..<count]
        }
        return contents
    }
}
