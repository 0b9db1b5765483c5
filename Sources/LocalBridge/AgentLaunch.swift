import AgentProcess
import Agents
import CommandContext
import Glibc
import Posix

/// Builds the request that starts an agent of the library on this machine.
package struct AgentLaunch {
    private let context: ProcessContext
    /// True if the agent inherits this process's whole environment, like an agent that an editor starts. False if it
    /// gets only the variables that ``AgentEnvironment`` keeps.
    private let inheritsAll: Bool

    package init(context: ProcessContext, inheritsAll: Bool = true) {
        self.context = context
        self.inheritsAll = inheritsAll
    }

    /// - Parameter words: arguments that follow those of the profile.
    package func request(for name: String, adding words: [SystemString] = []) throws(Failure) -> LaunchRequest {
        let folder = try context.home.agents
        let library = ProfileLibrary(userFolder: folder)
        guard let profile = library.profiles[name] else { throw unknownAgent(name, library, folder) }
        guard let found = profile.commandFound(context: context) else {
            let advice = profile.install.map { " \($0)" } ?? ""
            throw Failure(
                message: "\(profile.title) is not installed: \(profile.command[0]) was not found.\(advice)",
                status: 127)
        }
        var request = LaunchRequest(
            agent: name, command: found.map { SystemString($0) } + words, directory: directory,
            environment: profile.environment(over: environment(for: profile)),
            fileModeMask: Self.fileModeMask, openFilesLimit: Self.openFilesLimit)
        if !profile.limits.isEmpty { request.limits = profile.limits }
        if profile.restartsOnFailure { request.restartsOnFailure = true }
        return request
    }

    /// An agent for a remote client is started before its first session, so its folder is not known. It starts in the
    /// user's home folder: the bridge works in `/` or in the folder of the editor that started it.
    private var directory: SystemString {
        guard !inheritsAll, let home = context.variables["HOME"], home.hasPrefix("/"), access(home, X_OK) == 0 else {
            return context.directory
        }
        return SystemString(home)
    }

    private func environment(for profile: AgentProfile) -> [SystemString] {
        inheritsAll
            ? context.environment : AgentEnvironment.clean(context.environment, adding: profile.passedVariables)
    }

    private func unknownAgent(_ name: String, _ library: ProfileLibrary, _ folder: String) -> Failure {
        if let (file, fault) = library.unreadable.first(where: { $0.file.hasSuffix("/\(name).json") }) {
            return Failure(message: "\(file) is not a valid agent profile: \(fault)")
        }
        if let refusal = library.refusal {
            return Failure(message: "your own agent profiles were not read: \(refusal)")
        }
        let names = library.sorted.map(\.name).joined(separator: ", ")
        return Failure(
            message: "unknown agent '\(name)'. Known agents: \(names). To add your own, create \(folder)/NAME.json",
            status: Failure.wrongUsage)
    }

    package static var fileModeMask: Int32 {
        let mask = umask(0)
        umask(mask)
        return Int32(mask)
    }

    package static var openFilesLimit: Int {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 0 }
        return Int(clamping: limit.rlim_cur)
    }
}
