import Agents
import HTTP1
import JSONScan

/// The state that monitoring programs and load balancers ask for.
package struct HealthReport: Sendable {
    let version: String
    let uptimeSeconds: Int64
    /// False from a failure to write the session log until the log was written again.
    let isLogWritable: Bool
    /// Reads the agents that can be started by name, installed or not.
    let profiles: @Sendable () -> [ProfileSummary]

    package init(
        version: String, uptimeSeconds: Int64, isLogWritable: Bool, profiles: @escaping @Sendable () -> [ProfileSummary]
    ) {
        self.version = version
        self.uptimeSeconds = uptimeSeconds
        self.isLogWritable = isLogWritable
        self.profiles = profiles
    }

    private var status: Int { isLogWritable ? 200 : 503 }

    /// The answer of `/readyz`: whether clients can use the bridge now. It contains nothing else, because everyone can
    /// request it.
    var readiness: Response {
        .json(
            JSONWriter.object { writer in
                writer.member("status", isLogWritable ? "ok" : "unavailable")
                writer.member("log", log)
            }, status: status)
    }

    /// The answer of `/health`.
    ///
    /// - Parameter isAdmitted: The client has shown a token for more than one session. Others get only the number of installed agents.
    func answer(isAdmitted: Bool) -> Response {
        let installed = profiles().filter(\.isInstalled).map(\.name)
        return .json(
            JSONWriter.object { writer in
                writer.member("status", isLogWritable ? "ok" : "unavailable")
                writer.member("version", version)
                writer.member("uptimeSeconds", uptimeSeconds)
                writer.member("log", log)
                writer.member("installedAgents", installed.count)
                if isAdmitted {
                    writer.memberArray("agents") { writer in for name in installed { writer.element(name) } }
                }
            }, status: status)
    }

    private var log: String { isLogWritable ? "ok" : "failing" }
}
