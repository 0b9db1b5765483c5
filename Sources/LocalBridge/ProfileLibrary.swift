import AgentProcess
import Agents
import ArgumentParsing
import Bridge
import CProfiles
import CommandContext
import Glibc
import Posix

/// The profiles that come with the program, and the user's own. A file `NAME.json` in the `agents` folder of the
/// configuration folder replaces or adds a profile.
package struct ProfileLibrary {
    package private(set) var profiles: [String: AgentProfile] = [:]
    /// The user's files, by the names of their profiles.
    package private(set) var files: [String: String] = [:]
    private let userFolder: String
    /// The user's files that are not valid profiles, each with its error.
    package private(set) var unreadable: [(file: String, fault: AgentProfile.Fault)] = []
    /// The reason why no user file was read: another user can change the folder or its parent.
    package private(set) var refusal: SystemError?

    package init(userFolder: String) {
        self.userFolder = userFolder
        var entry = embedded_profiles()
        while let name = entry.pointee.name, let bytes = entry.pointee.bytes {
            let json = Array(UnsafeBufferPointer(start: bytes, count: entry.pointee.length))
            profiles[String(cString: name)] = try? AgentProfile(json: json)
            entry += 1
        }
        do throws(SystemError) {
            try addFiles(in: userFolder)
        } catch {
            if error.code != ENOENT { refusal = error }
        }
    }

    package var sorted: [AgentProfile] { profiles.values.sorted { $0.name < $1.name } }

    /// Throws if no agent has the name.
    package func profile(_ name: String) throws(Failure) -> AgentProfile {
        if let profile = profiles[name] { return profile }
        throw unknown(name)
    }

    private func unknown(_ name: String) -> Failure {
        if let (file, fault) = unreadable.first(where: { $0.file.hasSuffix("/\(name).json") }) {
            return Failure(message: "\(file) is not a valid agent profile: \(fault)")
        }
        if let refusal { return Failure(message: "your own agent profiles were not read: \(refusal)") }
        let names = sorted.map(\.name)
        let hint = nearest(to: name, among: names).map { " Did you mean '\($0)'?" } ?? ""
        return Failure(
            message: """
                unknown agent '\(name)'.\(hint) Known agents: \(names.joined(separator: ", ")). To add your own, create \
                \(userFolder)/\(name).json
                """, status: Failure.wrongUsage)
    }

    /// The failure to start an agent whose program was not found.
    func missingProgram(of profile: AgentProfile) -> Failure {
        let program = profile.command[0]
        let place = files[profile.name].map { "write its whole path in the \"command\" of \($0)" }
        let advice = profile.install ?? "Install it, or \(place ?? "add its folder to the PATH")."
        return Failure(
            message: "\(profile.title) is not installed: '\(program)' was not found in the PATH. \(advice)", status: 127
        )
    }

    private mutating func addFiles(in folder: String) throws(SystemError) {
        if let slash = folder.lastIndex(of: "/") { _ = try FileTrust.openFolder(String(folder[..<slash])) }
        let descriptor = try FileTrust.openFolder(folder)
        guard let directory = fdopendir(descriptor.release()) else { throw SystemError("open \(folder)") }
        for file in FolderNames.names(closing: directory) where file.hasSuffix(".json") {
            do throws(AgentProfile.Fault) {
                let profile = try AgentProfile(json: Self.read(folder + "/" + file))
                profiles[profile.name] = profile
                files[profile.name] = folder + "/" + file
            } catch {
                unreadable.append((folder + "/" + file, error))
            }
        }
    }

    /// A profile has a few hundred bytes. A file larger than 64 KiB is rejected.
    private static func read(_ path: String) throws(AgentProfile.Fault) -> [UInt8] {
        // Opening a named pipe would otherwise wait for a writer, and all clients of the bridge with it.
        let fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard fd >= 0 else { throw AgentProfile.Fault("it cannot be read (\(String(cString: strerror(errno))))") }
        defer { close(fd) }
        do throws(SystemError) {
            try FileTrust.check(fd, path: path)
        } catch {
            throw AgentProfile.Fault(error.reason)
        }
        var bytes = [UInt8](repeating: 0, count: 64 << 10)
        let count = Glibc.read(fd, &bytes, bytes.count)
        guard count >= 0 else { throw AgentProfile.Fault("it cannot be read (\(String(cString: strerror(errno))))") }
        return Array(bytes.prefix(count))
    }
}

extension AgentProfile {
    package func summary(on context: ProcessContext) -> ProfileSummary {
        ProfileSummary(
            name: name, title: title, command: command, isInstalled: commandFound(context: context) != nil,
            homepage: homepage, install: install)
    }

    /// The program that downloads the agent and then runs it, such as `npx`; nil if the command is the agent itself.
    ///
    /// If the launcher is found, the agent can still be missing: it is downloaded at its first start.
    package var launcher: String? { Self.launchers.contains(command[0]) ? command[0] : nil }

    private static let launchers: Set<String> = ["npx", "bunx", "uvx", "pipx"]

    /// The command with the path of its program, if the program is found on the `PATH` or beside this program.
    func commandFound(context: ProcessContext) -> [String]? {
        let search = ProgramSearch(environment: environment(over: context.environment), directory: context.directory)
        if (try? search.file(for: SystemString(command[0]))) != nil { return command }
        let folder = ProcessContext.programPath.split(separator: "/", omittingEmptySubsequences: false).dropLast()
        let beside = (folder + [Substring(command[0])]).joined(separator: "/")
        guard access(beside, X_OK) == 0 else { return nil }
        return [beside] + command.dropFirst()
    }
}
