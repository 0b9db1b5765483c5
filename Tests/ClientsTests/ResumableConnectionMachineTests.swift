import Resumption
import Testing

@testable import Clients

/// Transcripts of a client's conversation with the bridge over connections that are lost.
@Suite struct ResumableConnectionMachineTests {
    private func text(_ number: Int) -> [UInt8] { Array("message \(number)".utf8) }

    /// Compares the result of a machine's event. The `#expect` macro cannot contain the event, because the event
    /// changes the machine.
    private func expect<Value: Equatable>(
        _ wanted: Value, _ found: Value, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(found == wanted, sourceLocation: sourceLocation)
    }

    @Test func messagesSentWhileDisconnectedArriveWithTheNextConnection() throws {
        var machine = ResumableConnectionMachine()
        expect(true, try machine.lineOpened(after: 0).isEmpty)
        expect(true, machine.bridgeSent(text(1)))
        machine.lineLost()
        expect(false, machine.bridgeSent(text(2)))
        // It is unknown whether the first message arrived.
        #expect(machine.canResume(after: 0))
        expect([text(2)], Array(try machine.lineOpened(after: 1)))
        machine.lineLost()
        #expect(!machine.canResume(after: 0))
        #expect(!machine.canResume(after: 3))
        expect([], Array(try machine.lineOpened(after: 2)))
    }

    @Test func eachReceiptIsSentOnce() throws {
        var machine = ResumableConnectionMachine()
        _ = try machine.lineOpened(after: 0)
        expect(nil, machine.takeReceipt())
        expect(true, machine.clientSent(byteCount: 5))
        expect(true, machine.clientSent(byteCount: 5))
        expect(2, machine.takeReceipt())
        expect(nil, machine.takeReceipt())
        expect(true, machine.clientSent(byteCount: 5))
        machine.lineLost()
        expect(nil, machine.takeReceipt())
        // The handshake reports three messages.
        _ = try machine.lineOpened(after: 0)
        #expect(machine.receivedCount == 3)
        expect(nil, machine.takeReceipt())
    }

    @Test func theConnectionIsFullWhileTooManyBytesAreUnconfirmed() throws {
        var machine = ResumableConnectionMachine()
        _ = try machine.lineOpened(after: 0)
        let message = [UInt8](repeating: 0x20, count: 1 << 20)
        for _ in 0..<4 { _ = machine.bridgeSent(message) }
        #expect(machine.isFull)
        try machine.receiptCame(1)
        #expect(!machine.isFull)
        #expect(throws: SentMessages.Disagreement.neverSent) { try machine.receiptCame(5) }
    }

    @Test func aClientThatExceedsTheUnconfirmedLimitIsRefused() throws {
        var machine = ResumableConnectionMachine()
        _ = try machine.lineOpened(after: 0)
        expect(true, machine.clientSent(byteCount: ResumableConnectionMachine.limitBytes))
        expect(false, machine.clientSent(byteCount: 1))
        _ = machine.takeReceipt()
        expect(true, machine.clientSent(byteCount: 1))
    }
}
