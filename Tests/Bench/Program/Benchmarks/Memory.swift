import BenchMeasuring
import BenchSystems
import Glibc

/// Measures the daemon's memory: soon after the start, and with readers that wait at the end of an idle session. For the
/// other systems, only the memory after the start.
struct Memory {
    private let programs: Programs
    private let options: BenchOptions

    init(_ programs: Programs, _ options: BenchOptions) {
        self.programs = programs
        self.options = options
    }

    var trials: [Trial] {
        (options.subscribers ?? [1_000]).flatMap { count in
            let settings = [Setting(name: "subscribers", value: count)]
            return ([.acpbridge] + options.against.filter(\.isBridge)).map { system in
                Trial(subject: Subject(benchmark: "memory", system: system, settings: settings)) {
                    try measure(system, count)
                }
            }
        }
            + ([.acpbridge] + options.against.filter(\.isServer)).map { system in
                Trial(subject: Subject(benchmark: "memory: idle", system: system)) { try idle(system) }
            }
    }

    /// 2 s after the start, a program is idle: the bridge has unmapped the code of its start.
    private static let microsecondsToRest: UInt32 = 2_000_000

    private func idleBytes(_ probe: ProcessProbe) throws -> Int {
        usleep(Self.microsecondsToRest)
        return try probe.residentBytes()
    }

    private func idle(_ system: System) throws -> [Figure] {
        let resident: Int
        if system.isBridge {
            let bare = try BridgeDaemon(
                programs, home: BridgeHome(), transport: system.transport(or: options.transport))
            resident = try idleBytes(bare.probe)
            try bare.stop()
        } else {
            let server = try RelayServer(system, programs, command: ["cat"])
            resident = try idleBytes(server.probe)
            server.stop()
        }
        return [Figure(.residentBytes, Double(resident))]
    }

    private func measure(_ system: System, _ subscribers: Int) throws -> [Figure] {
        let stage = try Stage(
            programs, options.agent, transport: system.transport(or: options.transport))
        // One reader and one update first, so that one-time allocations do not count as the readers' cost.
        try stage.subscribe(count: 1)
        _ = try stage.turn(lines: 1)
        let before = try stage.daemon.probe.residentBytes()
        try stage.subscribe(count: subscribers)
        let after = try stage.daemon.probe.residentBytes()
        _ = try stage.turn(lines: 1)
        try stage.close()
        return [
            Figure(.residentBytes, Double(after)),
            Figure(.bytesPerSubscriber, Double(after - before) / Double(subscribers)),
        ]
    }
}
