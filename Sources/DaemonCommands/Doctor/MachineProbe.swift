import AgentProcess
import BridgeRequests
import BridgeSettings
import CommandContext
import EventLoop
import Glibc
import Invocations
import JSONScan
import LocalBridge
import Posix
import ProductVersion
import SessionStore

/// Collects the facts for `acpbridge doctor`. It reads only, and starts no bridge.
struct MachineProbe {
    private let context: ProcessContext
    private let home: Home

    init(_ context: ProcessContext) throws(Failure) {
        self.context = context
        home = try context.home
    }

    func facts() throws -> MachineFacts {
        var facts = MachineFacts()
        facts.version = programVersion
        facts.now = wallClockMilliseconds()
        facts.stateFolder = home.state
        addProgram(&facts)
        addFolders(&facts)
        addWriting(&facts)
        try addSettings(&facts)
        addDisk(&facts)
        addAgents(&facts)
        try addBridge(&facts)
        return facts
    }

    private func addProgram(_ facts: inout MachineFacts) {
        facts.program = ProcessContext.programPath
        facts.programInPath = context.programInPath.map(ProcessContext.realPath)
    }

    private func addFolders(_ facts: inout MachineFacts) {
        facts.hasOwnRuntimeFolder = !home.runtime.hasPrefix("/tmp/acpbridge-")
        for folder in [home.runtime, home.state, home.configuration, home.agents] {
            do throws(SystemError) {
                _ = try FileTrust.openFolder(folder)
            } catch {
                if error.code != ENOENT { facts.refusedFolders.append((folder, error.reason)) }
            }
        }
    }

    /// The bridge writes into these folders, and makes them if they do not exist. With a token, it only reads its
    /// configuration.
    private func addWriting(_ facts: inout MachineFacts) {
        let hasToken = Glibc.access(home.token, R_OK) == 0
        for folder in [home.runtime, home.state] + (hasToken ? [] : [home.configuration]) {
            let existing = Self.existingFolder(folder)
            guard Glibc.access(existing, W_OK | X_OK) != 0 else { continue }
            let reason = String(cString: strerror(errno))
            // All folders can be missing in the same one.
            if !facts.unwritableFolders.contains(where: { $0.path == existing }) {
                facts.unwritableFolders.append((existing, reason))
            }
        }
    }

    /// The folder, or the nearest one above it that exists.
    private static func existingFolder(_ path: String) -> String {
        var path = path
        while Glibc.access(path, F_OK) != 0, let slash = path.lastIndex(of: "/"), slash != path.startIndex {
            path = String(path[..<slash])
        }
        return path
    }

    private func addSettings(_ facts: inout MachineFacts) throws {
        let reading = try SettingsSource(context).read(["serve"])
        facts.settingFaults = reading.faults.map(\.description)
        guard let options = reading.resolved?.options else { return }
        facts.retainsAll = options.retention == nil
        do throws(Failure) {
            try ServeCommand(context).check(options)
        } catch {
            facts.settingFaults.append(error.message.text)
        }
        if let certificate = options.tlsCertificate, let key = options.tlsKey,
            let tls = try? TLSContext(certificate: certificate, key: key)
        {
            facts.certificateEnd = tls.validity?.upperBound
        }
    }

    private func addDisk(_ facts: inout MachineFacts) {
        var status = stat()
        if stat(home.log, &status) == 0 { facts.logBytes = UInt64(max(0, status.st_size)) }
        facts.logFault = LogHeader.fault(of: home.log)
        let damaged = LogFile(path: home.log).damagedPath
        if Glibc.access(damaged, F_OK) == 0 { facts.damagedLog = damaged }
        // Before the first start, the folder does not exist; one above it has the same disk.
        facts.freeBytes = freeBytes(at: Self.existingFolder(home.state))
    }

    private func addAgents(_ facts: inout MachineFacts) {
        let library = ProfileLibrary(userFolder: home.agents)
        facts.agents = library.sorted.filter { $0.name != "demo" }.map { profile in
            let summary = profile.summary(on: context)
            return MachineFacts.Agent(
                name: profile.name, isInstalled: summary.isInstalled, program: summary.command.first ?? "",
                file: library.files[profile.name], launcher: profile.launcher)
        }
        facts.defaultAgent = context.variables["ACPBRIDGE_AGENT"].flatMap { $0.isEmpty ? nil : $0 }
        facts.invalidProfiles = library.unreadable.map { "\($0.file): \($0.fault)" }
    }

    /// A running bridge answers in milliseconds.
    private static let patience = Duration.seconds(3)

    private func addBridge(_ facts: inout MachineFacts) throws {
        let access = try BridgeAccess(ConnectionOptions(), context: context)
        let running: JSONValue?
        do {
            running = try access.runningBridge(until: Instant.now + Self.patience)
        } catch {
            facts.bridgeFault = "\(error)"
            return
        }
        guard let status = running else { return }
        var bridge = MachineFacts.Bridge()
        bridge.pid = status["pid"]?.int64Value ?? 0
        bridge.version = status["version"]?.stringValue ?? ""
        bridge.urls = (status["urls"]?.elements ?? []).compactMap(\.stringValue)
        bridge.warnings = (status["warnings"]?.elements ?? []).compactMap(\.stringValue)
        bridge.hubs = ["hub", "hubReader"].compactMap { member in
            status[member].map {
                MachineFacts.Hub(
                    text: HubFigures.line(member, $0, now: facts.now), isFailed: $0["state"]?.stringValue == "failed")
            }
        }
        bridge.logError = status["logError"]?.stringValue
        bridge.unstoredLines = status["unstoredLines"]?.int64Value ?? 0
        bridge.group = Self.group(of: bridge.pid)
        bridge.publicURL = status["publicUrl"]?.stringValue
        bridge.limitsWholeAgents = status["limitsWholeAgents"]?.boolValue
        if let user = UserDatabase.name(of: geteuid()) {
            bridge.lingers = Glibc.access("/var/lib/systemd/linger/\(user)", F_OK) == 0
        }
        facts.bridge = bridge
    }

    /// The control group of a process in the unified hierarchy (cgroups(7)); a few hundred bytes.
    private static func group(of pid: Int64) -> String? {
        guard let bytes = try? PrivateFile.read("/proc/\(pid)/cgroup", limitBytes: 16 << 10, isBelieved: false)
        else { return nil }
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
        return lines.first { $0.hasPrefix("0::") }.map { String($0.dropFirst(3)) }
    }
}
