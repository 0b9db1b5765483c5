import Glibc
import Synchronization
import TinyvexTransport

func text(_ text: String) -> [UInt8] { Array(text.utf8) }

/// Returns the next `count` messages.
func messages(_ count: Int, from connection: any TransportConnection) async throws -> [[UInt8]] {
    var messages: [[UInt8]] = []
    while messages.count < count {
        let batch = try await connection.receive()
        messages += (0..<batch.count).map { Array(batch.bytes[batch[$0]]) }
    }
    return messages
}

/// Returns the failure that `body` throws; nil if it does not throw.
func failure(_ body: () async throws -> some Any) async -> TransportFailure? {
    do {
        _ = try await body()
        return nil
    } catch {
        return error as? TransportFailure
    }
}

/// Makes a thread wait for the test.
final class Gate: Sendable {
    private let isOpen = Mutex(false)

    func open() { isOpen.withLock { $0 = true } }

    func wait() { while !isOpen.withLock({ $0 }) { poll(nil, 0, 1) } }
}
