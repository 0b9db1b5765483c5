import Glibc
import Testing

@testable import Posix

@Suite struct ServiceManagerTests {
    @Test func socketsForThisProcessAreFound() {
        #expect(ServiceManager(["LISTEN_PID": "7", "LISTEN_FDS": "2"], pid: 7).descriptors == 3..<5)
    }

    @Test(arguments: [
        [:], ["LISTEN_FDS": "2"], ["LISTEN_PID": "8", "LISTEN_FDS": "2"], ["LISTEN_PID": "7"],
        ["LISTEN_PID": "7", "LISTEN_FDS": "0"], ["LISTEN_PID": "7", "LISTEN_FDS": "-1"],
        ["LISTEN_PID": "7", "LISTEN_FDS": "65"], ["LISTEN_PID": "7", "LISTEN_FDS": "99999999999"],
        ["LISTEN_PID": "x", "LISTEN_FDS": "1"],
    ])
    func otherVariablesPassNoSocket(variables: [String: String]) {
        #expect(ServiceManager(variables, pid: 7).descriptors.isEmpty)
    }

    @Test func theWatchdogIsOnlyForItsProcess() {
        let limit = Duration.seconds(120)
        #expect(ServiceManager(["WATCHDOG_USEC": "120000000"], pid: 7).watchdogLimit == limit)
        #expect(ServiceManager(["WATCHDOG_USEC": "120000000", "WATCHDOG_PID": "7"], pid: 7).watchdogLimit == limit)
        #expect(ServiceManager(["WATCHDOG_USEC": "120000000", "WATCHDOG_PID": "8"], pid: 7).watchdogLimit == nil)
        #expect(ServiceManager(["WATCHDOG_USEC": "0"], pid: 7).watchdogLimit == nil)
        #expect(ServiceManager([:], pid: 7).watchdogLimit == nil)
    }

    @Test func theGroupIsDelegatedOnlyToTheProcessThatTheManagerStarted() {
        let unit = ["SYSTEMD_EXEC_PID": "7", "ACPBRIDGE_DELEGATED": "1"]
        #expect(ServiceManager(unit, pid: 7).hasDelegatedGroup)
        #expect(!ServiceManager(unit, pid: 8).hasDelegatedGroup)
        #expect(!ServiceManager(["ACPBRIDGE_DELEGATED": "1"], pid: 7).hasDelegatedGroup)
        #expect(!ServiceManager(["SYSTEMD_EXEC_PID": "7"], pid: 7).hasDelegatedGroup)
        #expect(!ServiceManager(["SYSTEMD_EXEC_PID": "7", "ACPBRIDGE_DELEGATED": "0"], pid: 7).hasDelegatedGroup)
    }

    /// Returns a bound datagram socket.
    private func receiver(_ name: [UInt8]) throws -> Descriptor {
        let fd = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        try #require(fd >= 0)
        let descriptor = Descriptor(owning: fd)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name) }
        let length = socklen_t(2 + name.count)
        let code = withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(fd, $0, length) }
        }
        try #require(code == 0)
        return descriptor
    }

    private func message(_ descriptor: borrowing Descriptor) -> String {
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = recv(descriptor.raw, &bytes, bytes.count, Int32(MSG_DONTWAIT))
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }

    @Test func messagesReachASocketOfEitherNamespace() throws {
        let name = "acpbridge-test-\(getpid())"
        let abstract = try receiver([0] + Array(name.utf8))
        ServiceManager(["NOTIFY_SOCKET": "@\(name)"], pid: 7).notify("READY=1", "STATUS=x")
        #expect(message(abstract) == "READY=1\nSTATUS=x")
        let path = "/tmp/\(name)"
        unlink(path)
        defer { unlink(path) }
        let named = try receiver(Array(path.utf8))
        ServiceManager(["NOTIFY_SOCKET": path], pid: 7).notify("STOPPING=1")
        #expect(message(named) == "STOPPING=1")
    }

    @Test(arguments: ["", "@", "relative", "/nowhere/at/all", "/" + String(repeating: "x", count: 200)])
    func aSocketThatCannotBeReachedIsIgnored(name: String) {
        ServiceManager(["NOTIFY_SOCKET": name], pid: 7).notify("READY=1")
    }
}
