import BenchMeasuring
import BenchSystems
import EventLoop
import Posix

/// Measures the time from exec until a program is usable.
struct Start {
    private let programs: Programs
    private let options: BenchOptions
    private static let repeats = 5

    init(_ programs: Programs, _ options: BenchOptions) {
        self.programs = programs
        self.options = options
    }

    var trials: [Trial] {
        [
            trial("start: --version", measure: version),
            trial("start: initialize", .direct) { try self.initialize(.direct) },
            trial("start: initialize") { try self.initialize(.acpbridge) },
            trial("start: initialize, no bridge yet", measure: initializeStartingBridge),
        ]
            + ([.acpbridge] + options.against.filter(\.isServer)).map { system in
                trial("start: to ready", system) { try ready(system) }
            }
    }

    private func trial(_ name: String, _ system: System = .acpbridge, measure: @escaping () throws -> Duration) -> Trial
    {
        Trial(subject: Subject(benchmark: name, system: system), repeats: Self.repeats) {
            [Figure(.milliseconds, try measure().seconds * 1e3)]
        }
    }

    private func version() throws -> Duration {
        let home = try BridgeHome()
        let program = try RunningProgram([programs.acpbridge, "--version"], environment: home.environment)
        try program.waitForEnd()
        return .now - program.startedAt
    }

    private func ready(_ system: System) throws -> Duration {
        if system.isBridge {
            let daemon = try BridgeDaemon(
                programs, home: BridgeHome(), transport: system.transport(or: options.transport))
            try daemon.stop()
            return daemon.timeToReady
        }
        let server = try RelayServer(system, programs, command: ["cat"])
        server.stop()
        return server.timeToReady
    }

    /// The demo agent's response, directly and through a running bridge.
    private func initialize(_ system: System) throws -> Duration {
        let home = try BridgeHome()
        let daemon = system == .direct ? nil : try BridgeDaemon(programs, home: home, transport: .socket)
        let launcher = system == .direct ? [] : [programs.acpbridge, "--"]
        let editor = try Editor(launcher + [programs.demoAgent], environment: home.environment)
        try editor.close()
        try daemon?.stop()
        return editor.timeToInitialize
    }

    private func initializeStartingBridge() throws -> Duration {
        let home = try BridgeHome()
        let editor = try Editor([programs.acpbridge, "--", programs.demoAgent], environment: home.environment)
        try editor.close()
        try RunningProgram([programs.acpbridge, "stop"], environment: home.environment).waitForEnd()
        return editor.timeToInitialize
    }
}
