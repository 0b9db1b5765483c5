import JSONScan

/// The updates of a terminal that the agent owns (ACP version 2).
enum TerminalUpdate {
    static func begin(_ id: String, command: String, cwd: String) -> [UInt8] {
        update(id) {
            $0.member("command", command)
            $0.member("cwd", cwd)
            $0.memberObject("capabilities") { $0.memberObject("cancel") { _ in } }
        }
    }

    /// Each chunk is base64 of its own, so a chunk can end inside a UTF-8 sequence.
    static func output(_ id: String, _ bytes: some Collection<UInt8>) -> [UInt8] {
        SessionUpdate.object("terminal_output_chunk") {
            $0.member("terminalId", id)
            $0.member("data", base64(bytes))
        }
    }

    static func exited(_ id: String, code: Int) -> [UInt8] {
        end(id) { $0.member("exitCode", code) }
    }

    /// A concrete `exitStatus` without members: the command never ran.
    static func neverStarted(_ id: String) -> [UInt8] {
        end(id) { _ in }
    }

    static func killed(_ id: String) -> [UInt8] {
        end(id) { $0.member("signal", "SIGTERM") }
    }

    private static func end(_ id: String, _ status: (inout JSONWriter) -> Void) -> [UInt8] {
        update(id) {
            $0.memberObject("exitStatus", status)
            $0.memberNull("capabilities")
        }
    }

    private static func update(_ id: String, _ members: (inout JSONWriter) -> Void) -> [UInt8] {
        SessionUpdate.object("terminal_update") {
            $0.member("terminalId", id)
            members(&$0)
        }
    }
}
