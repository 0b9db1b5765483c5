import AgentProcess
import Posix

/// The environment of an agent that a client names (`/acp?agent=NAME`). It differs from the environment of the client's
/// own programs.
///
/// The bridge inherited its environment from the editor that happened to start it, including that editor's keys and
/// preloaded libraries. Another client's agent gets none of these. It gets only the variables of a login session and
/// the variables that the agent's profile names.
package enum AgentEnvironment {
    /// `LC_*` is passed too. `ACPBRIDGE_HOME` names a folder; the agent uses it to find the bridge that runs the agent.
    private static let login: Set<String> = [
        "HOME", "USER", "LOGNAME", "SHELL", "PATH", "LANG", "LANGUAGE", "TZ", "TMPDIR", "XDG_RUNTIME_DIR",
        "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "ACPBRIDGE_HOME",
    ]

    package static func clean(_ environment: [SystemString], adding names: [String] = []) -> [SystemString] {
        let kept = login.union(names).union(Sanitizer.variables)
        return environment.filter { kept.contains($0.variableName) || $0.variableName.hasPrefix("LC_") }
    }
}

/// The environment of a bridge that is started on demand.
enum DaemonEnvironment {
    /// The service manager of the program that starts the bridge is not that of the bridge. The others are variables that
    /// make a program load code into itself (ld.so(8), iconv(3), openssl(1)), and a token that is meant
    /// only for the program that received it.
    private static let dropped: Set<String> = [
        "GCONV_PATH", "OPENSSL_CONF", "OPENSSL_ENGINES", "OPENSSL_MODULES", "ACPBRIDGE_TOKEN",
    ]

    static func clean(_ environment: [SystemString]) -> [SystemString] {
        environment.filter { variable in
            let name = variable.variableName
            return Sanitizer.variables.contains(name)
                || !(name.hasPrefix("LD_") || dropped.contains(name) || ServiceManager.variables.contains(name))
        }
    }
}

extension SystemString {
    /// The part of `NAME=value` before the `=`.
    var variableName: String { String(decoding: bytes.prefix { $0 != UInt8(ascii: "=") }, as: UTF8.self) }
}

/// A build under a sanitizer (`Tests/run.sh --sanitize`) passes the sanitizer's settings to every program that it
/// starts.
private enum Sanitizer {
    #if ACPBRIDGE_SANITIZED
        static let variables: Set<String> = ["ASAN_OPTIONS", "TSAN_OPTIONS", "LD_PRELOAD"]
    #else
        static let variables: Set<String> = []
    #endif
}
