import Glibc
import Testing

@testable import BenchMeasuring
@testable import BenchSystems

/// Checks that the relays that acpbridge is compared with really relay.
@Suite struct RelayServerTests {
    private static let python = ".venv/bin/python3"

    @Test(arguments: [1, 125, 126, 60_000])
    func theCRelaySendsEachLineToAllReaders(byteCount: Int) throws {
        try expectEachLineAtAll(byteCount, .c)
    }

    @Test(.enabled(if: access(python, X_OK) == 0, "Tests/run.sh makes .venv"))
    func thePythonRelaySendsEachLineToAllReaders() throws {
        try expectEachLineAtAll(126, .python)
    }

    private func expectEachLineAtAll(_ byteCount: Int, _ system: System) throws {
        let programs = try Programs(acpbridge: nil, python: Self.python)
        let server = try RelayServer(system, programs, command: ["cat"])
        defer { server.stop() }
        let clients = try (0..<3).map { _ in try server.connect() }
        for filler in [UInt8(ascii: "a"), UInt8(ascii: "b")] {
            let line = [UInt8](repeating: filler, count: byteCount)
            try clients[0].send(line)
            for client in clients { #expect(try client.nextMessage() == line) }
        }
    }

    /// Tests with longer lines than a client can send, and more lines than a socket can hold.
    @Test func theCRelayLosesNoLinesWithASlowReader() throws {
        let count = 300
        let lead = 40
        let script = "read -r word; i=0; while [ $i -lt \(count) ]; do printf '%070000d\\n' $i; i=$((i + 1)); done; cat"
        let programs = try Programs(acpbridge: nil, python: Self.python)
        let server = try RelayServer(.c, programs, command: ["sh", "-c", script])
        defer { server.stop() }
        let quick = try server.connect()
        let slow = try server.connect()
        try quick.send(Array("go".utf8))
        for number in 0..<(count + lead) {
            if number < count { try expect(number, from: quick) }
            if number >= lead { try expect(number - lead, from: slow) }
        }
    }

    private func expect(_ number: Int, from client: WebSocketClient) throws {
        let message = String(decoding: try client.nextMessage(), as: UTF8.self)
        try #require(message.utf8.count == 70_000 && Int(message) == number)
    }
}
