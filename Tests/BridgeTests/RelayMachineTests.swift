import Resumption
import Testing

@testable import Bridge

/// Transcripts of a client's conversation with the bridge, whose connections are lost.
@Suite struct RelayMachineTests {
    private func text(_ number: Int) -> [UInt8] { Array("message \(number)".utf8) }

    /// What an event of a machine gives, which a macro could not ask for: it changes the machine.
    private func expect<Value: Equatable>(
        _ wanted: Value, _ found: Value, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(found == wanted, sourceLocation: sourceLocation)
    }

    @Test func whatIsSaidMeanwhileComesWithTheNextConnection() throws {
        var machine = RelayMachine()
        expect(true, try machine.lineOpened(after: 0).isEmpty)
        expect(true, machine.bridgeSaid(text(1)))
        machine.lineLost()
        expect(false, machine.bridgeSaid(text(2)))
        // The first may have come, or may not.
        #expect(machine.canGoOn(after: 0))
        expect([text(2)], Array(try machine.lineOpened(after: 1)))
        machine.lineLost()
        #expect(!machine.canGoOn(after: 0))
        #expect(!machine.canGoOn(after: 3))
        expect([], Array(try machine.lineOpened(after: 2)))
    }

    @Test func theClientIsToldOnceWhatHasCome() throws {
        var machine = RelayMachine()
        _ = try machine.lineOpened(after: 0)
        expect(nil, machine.takeReceipt())
        expect(true, machine.clientSaid(byteCount: 5))
        expect(true, machine.clientSaid(byteCount: 5))
        expect(2, machine.takeReceipt())
        expect(nil, machine.takeReceipt())
        expect(true, machine.clientSaid(byteCount: 5))
        machine.lineLost()
        expect(nil, machine.takeReceipt())
        // The handshake tells of three.
        _ = try machine.lineOpened(after: 0)
        #expect(machine.receivedCount == 3)
        expect(nil, machine.takeReceipt())
    }

    @Test func theBridgeIsLeftUnreadWhileTooMuchWaits() throws {
        var machine = RelayMachine()
        _ = try machine.lineOpened(after: 0)
        let message = [UInt8](repeating: 0x20, count: 1 << 20)
        for _ in 0..<4 { _ = machine.bridgeSaid(message) }
        #expect(machine.isFull)
        try machine.receiptCame(1)
        #expect(!machine.isFull)
        #expect(throws: SentMessages.Disagreement.neverSent) { try machine.receiptCame(5) }
    }

    @Test func aClientThatDoesNotWaitForReceiptsIsTold() throws {
        var machine = RelayMachine()
        _ = try machine.lineOpened(after: 0)
        expect(true, machine.clientSaid(byteCount: RelayMachine.limitBytes))
        expect(false, machine.clientSaid(byteCount: 1))
        _ = machine.takeReceipt()
        expect(true, machine.clientSaid(byteCount: 1))
    }
}
