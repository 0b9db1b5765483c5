import Testing
import WebSocket

/// Both ends of a connection as transcripts: the bytes that arrive and the actions that follow.
@Suite struct ConnectionMachineTests {
    private static func actions(
        _ bytes: [UInt8], closingWith code: CloseCode? = nil, as role: MessageAssembler.Role = .client
    ) -> [ConnectionMachine.Action] {
        var machine = ConnectionMachine(role: role, limits: MessageLimits(messageBytes: 100))
        if let code { _ = machine.close(code) }
        var actions: [ConnectionMachine.Action] = []
        for piece in bytes.singleBytes {
            piece.withUnsafeBytes { machine.bytesArrived($0) }
            while let action = machine.next() { actions.append(action) }
        }
        return actions
    }

    private static let text = frame(.text, "a")
    private static let goodbye = frame(.close, [0x03, 0xE9] + Array("bye".utf8))

    @Test func messagesAreDeliveredAndPingsAnswered() {
        let bytes = Self.text + frame(.ping, "p") + frame(.pong, "q") + frame(.binary, [1])
        let expected: [ConnectionMachine.Action] = [
            .deliverText([0x61]), .send(Frame.pong(Array("p".utf8))), .pongArrived(Array("q".utf8)),
            .deliverBinary([1]),
        ]
        #expect(Self.actions(bytes) == expected)
    }

    @Test func thePeersCloseCodeIsReturnedAndTheConnectionIsFinished() {
        let expected: [ConnectionMachine.Action] = [
            .deliverText([0x61]), .sendClose(Frame.close(.goingAway)), .endTransport,
        ]
        #expect(Self.actions(Self.text + Self.goodbye + Self.text) == expected)
        #expect(Self.actions(frame(.close)) == [.sendClose(Frame.close(nil)), .endTransport])
    }

    @Test func afterOurCloseOnlyThePeersCloseFrameMatters() {
        let late = Self.text + frame(.binary, [1]) + frame(.ping) + frame(.pong)
        #expect(Self.actions(late, closingWith: .normalClosure).isEmpty)
        #expect(Self.actions(late + Self.goodbye + late, closingWith: .normalClosure) == [.endTransport])
    }

    @Test func twoCloseFramesCanCross() {
        var machine = ConnectionMachine(role: .client)
        #expect(machine.close(.goingAway, reason: "so long") == Frame.close(.goingAway, reason: "so long"))
        #expect(machine.close(.goingAway) == nil)
        Self.goodbye.withUnsafeBytes { machine.bytesArrived($0) }
        #expect(machine.next() == .endTransport)
        #expect(machine.next() == nil)
    }

    @Test(
        arguments: [
            ([0xF1, 0x00], .reservedBits), (frame(.text, [0xFF]), .invalidUTF8), ([0x83, 0x00], .reservedOpcode(3)),
            ([0x82, 0x65], .messageTooBig(limitBytes: 100)), (frame(.text, "a", key: 1), .maskedServerFrame),
            (frame(.close, [0x03]), .truncatedCloseCode), ([0x09, 0x00], .fragmentedControlFrame),
        ] as [([UInt8], ProtocolViolation)])
    func aViolationIsReportedWithoutWaitingForAnAnswer(bytes: [UInt8], violation: ProtocolViolation) {
        let expected: [ConnectionMachine.Action] = [
            .deliverText([0x61]), .sendClose(Frame.close(violation)), .endTransport,
        ]
        #expect(Self.actions(Self.text + bytes + Self.text + Self.goodbye) == expected)
        #expect(Self.actions(bytes, closingWith: .normalClosure) == [.endTransport])
    }

    @Test func onlyAClientMasksItsFrames() throws {
        var client = ConnectionMachine(role: .client)
        let bytes = frame(.ping, "p") + Self.goodbye
        bytes.withUnsafeBytes { client.bytesArrived($0) }
        #expect(client.next(maskKey: 7) == .send(Frame.pong(Array("p".utf8), maskKey: 7)))
        #expect(client.next(maskKey: 8) == .sendClose(Frame.close(.goingAway, maskKey: 8)))
        var server = ConnectionMachine(role: .server)
        frame(.ping, "p", key: 9).withUnsafeBytes { server.bytesArrived($0) }
        #expect(server.next() == .send(Frame.pong(Array("p".utf8))))
    }

    @Test func theConnectionIsOpenUntilACloseFrameIsSentOrReceived() {
        var closed = ConnectionMachine(role: .client)
        #expect(closed.isOpen == true)
        _ = closed.close(.normalClosure)
        #expect(closed.isOpen == false)
        var answered = ConnectionMachine(role: .client)
        Self.goodbye.withUnsafeBytes { answered.bytesArrived($0) }
        _ = answered.next()
        #expect(answered.isOpen == false)
    }
}
