import SessionStore

/// The facts that `acpbridge doctor` has collected. They are values, so tests of ``Diagnosis`` need no machine in that
/// state.
struct MachineFacts {
    var version = ""
    /// The path of the running program's file.
    var program = ""
    /// The program that the name `acpbridge` runs in this shell; nil if there is none.
    var programInPath: String?
    /// The folder for the socket comes from `XDG_RUNTIME_DIR` or `ACPBRIDGE_HOME`, and not from `/tmp`.
    var hasOwnRuntimeFolder = true
    /// The existing folders of the bridge that it will refuse, with the reasons.
    var refusedFolders: [(path: String, reason: String)] = []
    /// The folders in which the bridge cannot write, with the reasons.
    var unwritableFolders: [(path: String, reason: String)] = []
    /// Errors in the settings, or in files that they name.
    var settingFaults: [String] = []
    var stateFolder = ""
    /// Bytes that this user can still store in the state folder; nil if that cannot be found out.
    var freeBytes: UInt64?
    /// The size of the session log; nil without one.
    var logBytes: UInt64?
    var retainsAll = true
    /// Why this program cannot open the session log as it is; nil if nothing is known against it.
    var logFault: LogHeader.Fault?
    /// A damaged log that a bridge has set aside.
    var damagedLog: String?
    var agents: [Agent] = []
    /// The agent that `ACPBRIDGE_AGENT` names; nil if it names none.
    var defaultAgent: String?
    /// The user's profiles that are not valid, with the reasons.
    var invalidProfiles: [String] = []
    var bridge: Bridge?
    /// Why a bridge that listens has not reported its state.
    var bridgeFault: String?
    /// The last day of the certificate in milliseconds since 1970; nil without TLS.
    var certificateEnd: Int64?
    /// Milliseconds since 1970.
    var now: Int64 = 0

    struct Agent {
        var name: String
        var isInstalled: Bool
        /// The first word of its command.
        var program = ""
        /// The user's own profile; nil for one that comes with acpbridge.
        var file: String?
        /// The program that downloads the agent at its first start.
        var launcher: String?
    }

    /// A connection of the bridge to a hub.
    struct Hub {
        /// The sentence about it, which has the reason of a failure.
        var text: String
        var isFailed: Bool
    }

    /// The running bridge.
    struct Bridge {
        var pid: Int64 = 0
        var version = ""
        /// Where TCP clients connect.
        var urls: [String] = []
        /// The address at the proxy in front of the bridge.
        var publicURL: String?
        var warnings: [String] = []
        /// Its connections to a hub.
        var hubs: [Hub] = []
        var logError: String?
        var unstoredLines: Int64 = 0
        /// The control group; nil if it cannot be read.
        var group: String?
        /// The limits of memory and processes hold for each agent as a whole. Nil for a bridge that does not report it.
        var limitsWholeAgents: Bool?
        /// The services of this user continue after logout.
        var lingers = false
    }
}
