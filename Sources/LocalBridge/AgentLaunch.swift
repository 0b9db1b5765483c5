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
        let library = ProfileLibrary(userFolder: try context.home.agents)
        let profile = try library.profile(name)
        guard let found = profile.commandFound(context: context) else { throw library.missingProgram(of: profile) }
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
