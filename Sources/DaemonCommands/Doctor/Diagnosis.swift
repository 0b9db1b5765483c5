import SessionStore
import TextSearch

/// Judges the facts about a machine. Pure.
struct Diagnosis {
    private let facts: MachineFacts

    init(_ facts: MachineFacts) { self.facts = facts }

    /// In the order in which a person should read and fix them.
    var findings: [Finding] {
        [
            program, folders, settings, disk, log, damagedLog, agents, profiles, bridge, bridgeFaults, hubs, survival,
            limits,
            certificate, remote,
        ]
        .flatMap(\.self)
    }

    private var program: [Finding] {
        let text = "version \(facts.version), \(facts.program)"
        guard let found = facts.programInPath else {
            return [
                Finding(
                    .warning, "program", "\(text), which is not in the PATH",
                    fix: "in an editor's settings, use the whole path \(facts.program)")
            ]
        }
        guard found == facts.program else {
            return [
                Finding(
                    .warning, "program", "\(text), but the PATH has another one: \(found)",
                    fix: "remove one of them, or use the whole path in an editor's settings")
            ]
        }
        return [Finding(.ok, "program", text)]
    }

    private var folders: [Finding] {
        var findings = facts.refusedFolders.map { folder in
            Finding(
                .fault, "folders", "\(folder.path): \(folder.reason)",
                fix: "chmod go-w it if it is yours, or set ACPBRIDGE_HOME to a folder of your own")
        }
        findings += facts.unwritableFolders.map { folder in
            Finding(
                .fault, "folders", "\(folder.path) cannot be written: \(folder.reason)",
                fix: "make it writable for you, or set ACPBRIDGE_HOME to a folder of your own")
        }
        if !facts.hasOwnRuntimeFolder {
            findings.append(
                Finding(
                    .note, "folders", "XDG_RUNTIME_DIR is not set, so the socket is in a folder below /tmp",
                    fix: "set the same XDG_RUNTIME_DIR for your editor and your terminal, or for neither"))
        }
        return findings.isEmpty ? [Finding(.ok, "folders", "no other user can change them")] : findings
    }

    private var settings: [Finding] {
        if facts.settingFaults.isEmpty { return [Finding(.ok, "settings", "no errors")] }
        return facts.settingFaults.map {
            Finding(.fault, "settings", $0, fix: "correct it; `acpbridge config check` checks it again")
        }
    }

    /// Below this, a day of work can fill the disk.
    private static let lowDiskBytes: UInt64 = 1 << 30
    /// Below this, the log's next growth can fail.
    private static let fullDiskBytes: UInt64 = 64 << 20

    private var disk: [Finding] {
        guard let free = facts.freeBytes else { return [] }
        let text = "\(Self.size(free)) free for \(facts.stateFolder)"
        guard free < Self.lowDiskBytes else { return [Finding(.ok, "disk", text)] }
        return [
            Finding(
                free < Self.fullDiskBytes ? .fault : .warning, "disk", text,
                fix: "free some space; updates that cannot be stored are not sent to readers")
        ]
    }

    /// Above this size, a person should know that nothing limits the log.
    private static let largeLogBytes: UInt64 = 10 << 30

    private var log: [Finding] {
        guard let bytes = facts.logBytes else { return [Finding(.ok, "log", "no sessions are stored yet")] }
        if let fault = facts.logFault { return [finding(fault)] }
        let text = "\(Self.size(bytes)) of stored sessions"
        guard bytes > Self.largeLogBytes, facts.retainsAll else { return [Finding(.ok, "log", text)] }
        return [
            Finding(
                .note, "log", "\(text), and all sessions are kept",
                fix: #"set "retain": "90d" in the configuration file, then run `acpbridge serve --replace`"#)
        ]
    }

    private func finding(_ fault: LogHeader.Fault) -> Finding {
        switch fault {
        case .laterVersion(let found, let supported):
            Finding(
                .fault, "log", "its schema version is \(found), and this program supports versions up to \(supported)",
                fix:
                    "install the newer version again; `acpbridge export` there and `acpbridge import` here move sessions"
            )
        case .noDatabase:
            Finding(
                .fault, "log", "it is no SQLite file; the next bridge sets it aside and starts a new log",
                fix: "restore a backup before the next start, if you have one")
        }
    }

    private var damagedLog: [Finding] {
        guard let path = facts.damagedLog else { return [] }
        return [
            Finding(
                .warning, "log", "a damaged log was set aside: \(path); its readable part was copied to the new log",
                fix: "restore a backup, or delete the file and those beside it if no session is missing")
        ]
    }

    private var hubs: [Finding] {
        (facts.bridge?.hubs ?? []).map { hub in
            hub.isFailed
                ? Finding(
                    .warning, "hub", hub.text,
                    fix:
                        "the bridge tries again by itself; after a change of its settings, run `acpbridge serve --replace`"
                )
                : Finding(.ok, "hub", hub.text)
        }
    }

    private var agents: [Finding] {
        let ready = facts.agents.filter { $0.isInstalled && $0.launcher == nil }.map(\.name)
        let downloads = facts.agents.filter { $0.isInstalled && $0.launcher != nil }.map(\.name)
        guard !ready.isEmpty || !downloads.isEmpty else {
            return [
                Finding(
                    .warning, "agents", "none of the \(facts.agents.count) known agents was found",
                    fix: "install one: `acpbridge run --agent NAME` prints how, for example for \(exampleAgent)")
            ] + ownAgents
        }
        var findings: [Finding] = []
        if !ready.isEmpty { findings.append(Finding(.ok, "agents", "found: \(ready.joined(separator: ", "))")) }
        if !downloads.isEmpty {
            findings.append(
                Finding(.ok, "agents", "downloaded at their first start: \(downloads.joined(separator: ", "))"))
        }
        let absent = facts.agents.filter { !$0.isInstalled && $0.file == nil }.map(\.name)
        if !absent.isEmpty {
            findings.append(
                Finding(
                    .note, "agents", "not installed: \(absent.joined(separator: ", "))",
                    fix: "`acpbridge run --agent NAME` prints how to install one"))
        }
        return findings + ownAgents
    }

    private var exampleAgent: String {
        let names = facts.agents.map(\.name)
        return names.contains("claude") ? "claude" : names.first ?? "claude"
    }

    /// The user's own agents whose programs are missing, and a default agent that cannot be started.
    private var ownAgents: [Finding] {
        var findings = facts.agents.filter { !$0.isInstalled }.compactMap { agent in
            agent.file.map { file in
                Finding(
                    .warning, "agents", "\(agent.name): its program '\(agent.program)' was not found",
                    fix: "install it, or write its whole path in the \"command\" of \(file)")
            }
        }
        // The demo agent is not in the list.
        if let name = facts.defaultAgent, name != "demo",
            facts.agents.first(where: { $0.name == name })?.isInstalled != true
        {
            let isKnown = facts.agents.contains { $0.name == name }
            findings.append(
                Finding(
                    .warning, "agents",
                    "ACPBRIDGE_AGENT is '\(name)', which is \(isKnown ? "not installed" : "no known agent")",
                    fix: "set it to a name that `acpbridge agents` lists as found"))
        }
        return findings
    }

    private var profiles: [Finding] {
        facts.invalidProfiles.map { Finding(.fault, "agents", $0, fix: "correct or delete the file") }
    }

    private var bridge: [Finding] {
        if let fault = facts.bridgeFault {
            let fix =
                "`pgrep -af 'acpbridge serve'` shows its process; kill it if it stays like this, and start the editor again"
            return [Finding(.fault, "bridge", fault, fix: fix)]
        }
        guard let bridge = facts.bridge else {
            return [Finding(.ok, "bridge", "not running; it starts when an editor or a command needs it")]
        }
        let text = "running as process \(bridge.pid), version \(bridge.version)"
        guard bridge.version == facts.version else {
            return [
                Finding(
                    .warning, "bridge", "\(text), but this program is version \(facts.version)",
                    fix: "acpbridge serve --replace")
            ]
        }
        return [Finding(.ok, "bridge", text)]
    }

    private var bridgeFaults: [Finding] {
        guard let bridge = facts.bridge else { return [] }
        var findings = bridge.warnings.map { Finding(.warning, "bridge", $0) }
        if let error = bridge.logError {
            findings.append(
                Finding(.fault, "bridge", "the log cannot be written: \(error)", fix: "see `acpbridge status`"))
        }
        if bridge.unstoredLines > 0 {
            findings.append(Finding(.warning, "bridge", "\(bridge.unstoredLines) updates could not be stored"))
        }
        return findings
    }

    /// Whether the bridge outlives the program that started it.
    private var survival: [Finding] {
        guard let bridge = facts.bridge, let group = bridge.group else { return [] }
        let unit = group.split(separator: "/").last { $0.hasSuffix(".service") || $0.hasSuffix(".scope") }
        guard let unit else { return [] }
        let isOwn = unit.hasPrefix("acpbridge")
        guard isOwn else {
            return [
                Finding(
                    .note, "bridge", "it belongs to \(unit) of systemd, and ends with that unit",
                    fix: "acpbridge stop; systemctl --user enable --now acpbridge.socket")
            ]
        }
        guard group.contains(text: "user@"), !bridge.lingers else { return [] }
        return [Finding(.note, "bridge", "it ends when you log out", fix: "loginctl enable-linger")]
    }

    /// Whether the limits of agents hold for each agent or for each of its processes.
    private var limits: [Finding] {
        guard let isWhole = facts.bridge?.limitsWholeAgents else { return [] }
        let scope =
            isWhole
            ? "an agent with all its processes (control group)"
            : "each process of an agent, because no control group is delegated to the bridge"
        return [Finding(.ok, "limits", "--limit agent-memory and agent-processes hold for \(scope)")]
    }

    private static let dayMilliseconds: Int64 = 86_400_000
    private static let soonDays: Int64 = 14

    private var certificate: [Finding] {
        guard let end = facts.certificateEnd else { return [] }
        let days = (end - facts.now) / Self.dayMilliseconds
        let fix = "renew the files of tls-cert and tls-key, then run `acpbridge serve --replace`"
        if end < facts.now { return [Finding(.fault, "certificate", "it has expired; clients refuse it", fix: fix)] }
        let text = "it is valid for \(days == 1 ? "1 more day" : "\(days) more days")"
        return [
            days < Self.soonDays
                ? Finding(.warning, "certificate", text, fix: fix) : Finding(.ok, "certificate", text)
        ]
    }

    /// Whether a phone or another machine can connect.
    private var remote: [Finding] {
        guard let bridge = facts.bridge else { return [] }
        if let address = bridge.publicURL {
            return [
                Finding(
                    .ok, "remote", "other machines can connect to \(address), through your proxy",
                    fix: "acpbridge open --phone")
            ]
        }
        let isOpen = bridge.urls.contains { $0.hasPrefix("wss://") }
        if isOpen {
            return [
                Finding(
                    .ok, "remote", "other machines can connect to \(bridge.urls.joined(separator: ", "))",
                    fix: "acpbridge token create --role observe --ttl 30d --name phone")
            ]
        }
        return [
            Finding(
                .note, "remote", "only this machine can connect",
                fix: "for another machine, use `ssh -L`, or serve --listen, --tls-cert and --tls-key")
        ]
    }

    private static func size(_ bytes: UInt64) -> String {
        let units = ["B", "KiB", "MiB", "GiB", "TiB"]
        var value = bytes
        var unit = 0
        while value >= 10_240, unit < units.count - 1 {
            value /= 1024
            unit += 1
        }
        return "\(value) \(units[unit])"
    }
}
