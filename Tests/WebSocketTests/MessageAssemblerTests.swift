import Testing
import WebSocket

@Suite struct MessageAssemblerTests {
    static let hello = MessageAssembler.Event.text(Array("Hello".utf8))

    /// RFC 6455, section 5.7.
    @Test(
        arguments: [
            (.client, [0x81, 0x05, 0x48, 0x65, 0x6C, 0x6C, 0x6F], hello),
            (.server, [0x81, 0x85, 0x37, 0xFA, 0x21, 0x3D, 0x7F, 0x9F, 0x4D, 0x51, 0x58], hello),
            (.client, [0x01, 0x03, 0x48, 0x65, 0x6C, 0x80, 0x02, 0x6C, 0x6F], hello),
            (.client, [0x89, 0x05, 0x48, 0x65, 0x6C, 0x6C, 0x6F], .ping(Array("Hello".utf8))),
            (.server, [0x8A, 0x85, 0x37, 0xFA, 0x21, 0x3D, 0x7F, 0x9F, 0x4D, 0x51, 0x58], .pong(Array("Hello".utf8))),
        ] as [(MessageAssembler.Role, [UInt8], MessageAssembler.Event)])
    func theExamplesOfTheStandardAreReadAtEveryCut(
        role: MessageAssembler.Role, bytes: [UInt8], event: MessageAssembler.Event
    ) {
        for pieces in bytes.cutInTwo + [bytes.singleBytes] {
            #expect(Transcript.reading(pieces, as: role) == Transcript(events: [event]))
        }
    }

    @Test(arguments: [0, 1, 124, 125, 126, 127, 128, 255, 65535, 65536, 70000])
    func everyFormOfLengthRoundTrips(count: Int) {
        let payload = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
        for (role, key) in [(MessageAssembler.Role.client, nil), (.server, 0xDEAD_BEEF)] as [(_, UInt32?)] {
            let bytes = frame(.binary, payload, key: key) + frame(.ping, key: key)
            for cut in [0, 1, 2, 3, 5, 9, 13, 14, 15, 21, bytes.count - 2, bytes.count] where cut <= bytes.count {
                let pieces = [Array(bytes[..<cut]), Array(bytes[cut...])]
                #expect(Transcript.reading(pieces, as: role).events == [.binary(payload), .ping([])])
            }
        }
    }

    /// Autobahn sends up to 65,536 fragments in a message, and some empty ones.
    @Test func aMessageHasAtMostAThousandEmptyFrames() {
        let empty = frame(.continuation, fin: false)
        let message = frame(.text, fin: false) + Array(repeating: empty, count: 999).flatMap { $0 }
        let last = frame(.continuation, "a")
        let full = Array(repeating: message + last, count: 3).flatMap { $0 }
        #expect(Transcript.reading([full], as: .client).events == Array(repeating: .text([0x61]), count: 3))
        let filled = Array(repeating: frame(.continuation, "b", fin: false), count: 65_536).flatMap { $0 }
        let many = Transcript.reading([message + filled + last], as: .client)
        #expect(many.events == [.text(Array(repeating: 0x62, count: 65_536) + [0x61])])
        let refused = Transcript.reading([message + empty + last], as: .client)
        #expect(refused == Transcript(violation: .tooManyEmptyFrames))
    }

    @Test func controlFramesBetweenFragmentsAreDeliveredAtEveryCut() {
        let bytes =
            frame(.text, "κό", fin: false, key: 1) + frame(.ping, "1", key: 2)
            + frame(.continuation, fin: false, key: 3)
            + frame(.pong, key: 4) + frame(.continuation, "σμε", key: 5) + frame(.binary, [0xFF], key: 6)
            + frame(.close, [0x03, 0xE8] + Array("bye".utf8), key: 7)
        let expected: [MessageAssembler.Event] = [
            .ping(Array("1".utf8)), .pong([]), .text(Array("κόσμε".utf8)), .binary([0xFF]),
            .close(.normalClosure, reason: Array("bye".utf8)),
        ]
        for pieces in bytes.cutInTwo + [bytes.singleBytes] {
            #expect(Transcript.reading(pieces, as: .server) == Transcript(events: expected))
        }
    }

    @Test func textIsValidAcrossFragmentsThatCutCodePoints() {
        let text = Array("a漢é🎉z".utf8)
        for cut in 0...text.count {
            let bytes = frame(.text, Array(text[..<cut]), fin: false) + frame(.continuation, Array(text[cut...]))
            #expect(Transcript.reading([bytes]) == Transcript(events: [.text(text)]))
        }
    }

    @Test(
        arguments: [
            (frame(.text, "a") + [0xC1, 0x00], .reservedBits),
            (frame(.text, "a") + frame(.continuation, "b"), .continuationWithoutMessage),
            (frame(.text, "a") + frame(.continuation, "b", fin: false), .continuationWithoutMessage),
            (frame(.text, "a") + frame(.text, "a", fin: false) + frame(.text, "b"), .messageInsideMessage),
            (
                frame(.text, "a") + frame(.binary, "a", fin: false) + frame(.binary, "b", fin: false),
                .messageInsideMessage
            ),
            (frame(.text, "a") + frame(.text, "b", key: 7), .maskedServerFrame),
            (frame(.text, "a") + frame(.text, [0xC3]), .invalidUTF8),
            (frame(.text, "a") + frame(.text, [0xC3], fin: false) + frame(.continuation), .invalidUTF8),
            (frame(.text, "a") + frame(.close, [0x03]), .truncatedCloseCode),
            (frame(.text, "a") + frame(.close, [0x03, 0xE8, 0xC3]), .invalidUTF8),
            (frame(.text, "a") + [0x83, 0x00], .reservedOpcode(3)),
        ] as [([UInt8], ProtocolViolation)])
    func completeEventsAreDeliveredBeforeAViolationAndNoneAfterIt(bytes: [UInt8], violation: ProtocolViolation) {
        let expected = Transcript(events: [.text([0x61])], violation: violation)
        let more = bytes + frame(.text, "never")
        for pieces in more.cutInTwo + [more.singleBytes] {
            #expect(Transcript.reading(pieces) == expected)
        }
    }

    @Test func unmaskedFramesFromAClientAreRefused() {
        #expect(Transcript.reading([frame(.text, "a")], as: .server).violation == .unmaskedClientFrame)
        #expect(Transcript.reading([frame(.ping)], as: .server).violation == .unmaskedClientFrame)
    }

    @Test func aZeroMaskingKeyIsAccepted() {
        #expect(Transcript.reading([frame(.text, "a", key: 0)], as: .server).events == [.text([0x61])])
    }

    @Test func invalidTextInTheMiddleOfAFrameIsRefused() {
        let valid = Array("κόσμε".utf8)
        let bytes = frame(.text, valid + [0xF4, 0x90] + valid)
        let upToTheWrongByte = 2 + valid.count + 2
        #expect(Transcript.reading([Array(bytes[..<(upToTheWrongByte - 1)])]).violation == nil)
        #expect(Transcript.reading([Array(bytes[..<upToTheWrongByte])]).violation == .invalidUTF8)
    }

    @Test func theLimitAppliesToAllFragmentsTogether() {
        let front = frame(.binary, "abcd", fin: false) + frame(.ping, "a ping does not count")
        let fitting = front + frame(.continuation, "efgh", fin: false) + frame(.continuation)
        let last = Transcript.reading([fitting], limitBytes: 8).events.last
        #expect(last == .binary(Array("abcdefgh".utf8)))

        let headerOfTooMuch: [UInt8] = [0x00, 0x05]
        #expect(
            Transcript.reading([front + headerOfTooMuch], limitBytes: 8).violation == .messageTooBig(limitBytes: 8))
        #expect(Transcript.reading([[0x82, 0x09]], limitBytes: 8).violation == .messageTooBig(limitBytes: 8))
    }

    @Test func theBeginningOfAMessageOverTheLimitIsKeptAtEveryCut() throws {
        let tooLong = frame(.text, "a") + frame(.text, "beginning and the rest")
        for pieces in tooLong.cutInTwo + [tooLong.singleBytes] {
            var assembler = MessageAssembler(role: .client, limits: MessageLimits(messageBytes: 8), beginningBytes: 9)
            var events: [MessageAssembler.Event] = []
            #expect(throws: ProtocolViolation.messageTooBig(limitBytes: 8)) {
                for piece in pieces {
                    assembler.append(piece.span)
                    while let event = try assembler.next() { events.append(event) }
                }
            }
            #expect(events == [.text([0x61])])
            #expect(assembler.oversizedBeginning == Array("beginning".utf8))
        }
    }

    @Test func aMessageOverTheLimitFailsWithoutWaitingForMore() {
        var assembler = MessageAssembler(role: .client, limits: MessageLimits(messageBytes: 2), beginningBytes: 9)
        assembler.append(frame(.text, "abc").span)
        #expect(throws: ProtocolViolation.messageTooBig(limitBytes: 2)) { try assembler.next() }
        #expect(assembler.oversizedBeginning == Array("abc".utf8))
    }

    @Test func withoutALimitTheLargestPossibleFrameIsAwaited() {
        let largest: [UInt8] = [0x7F] + [0x7F] + [UInt8](repeating: 0xFF, count: 7)
        #expect(Transcript.reading([[0x82] + largest + [1]], limitBytes: .max) == Transcript())
        let continued = frame(.binary, "a", fin: false) + [0x80] + largest + [1]
        #expect(Transcript.reading([continued], limitBytes: .max).violation == .messageTooBig(limitBytes: .max))
    }

    @Test func noEventFollowsAClose() throws {
        var assembler = MessageAssembler(role: .client)
        assembler.append((frame(.close) + frame(.text, "late") + [0xFF]).span)
        #expect(try assembler.next() == .close(nil, reason: []))
        #expect(assembler.isFinished)
        #expect(try assembler.next() == nil)
        assembler.append(frame(.text, "later").span)
        #expect(try assembler.next() == nil)
    }

    @Test func aMessageInterruptedByACloseIsDropped() {
        let bytes = frame(.text, "half", fin: false) + frame(.close, [0x03, 0xE9])
        #expect(Transcript.reading([bytes]) == Transcript(events: [.close(.goingAway, reason: [])]))
    }

    @Test func anIdleAssemblerIsSmall() {
        #expect(MemoryLayout<MessageAssembler>.size < 100)
    }

    @Test func aLargeMessageIsReadInManyPiecesAppendedBeforeAndBetweenReads() throws {
        let payload = [UInt8](repeating: 0x61, count: 1 << 20)
        let bytes = frame(.text, payload, key: 0x0102_0304) + frame(.text, "next", key: 9)
        for appendsPerRead in [1, 3, 1000] {
            var assembler = MessageAssembler(role: .server)
            var events: [MessageAssembler.Event] = []
            for (index, start) in stride(from: 0, to: bytes.count, by: 5000).enumerated() {
                assembler.append(bytes.span.extracting(start..<min(start + 5000, bytes.count)))
                guard index % appendsPerRead == 0 else { continue }
                while let event = try assembler.next() { events.append(event) }
            }
            while let event = try assembler.next() { events.append(event) }
            #expect(events == [.text(payload), .text(Array("next".utf8))])
        }
    }

    @Test func manySmallFramesAreReadWithAppendsBetweenThem() throws {
        let one = frame(.text, "small")
        var assembler = MessageAssembler(role: .client)
        var count = 0
        for _ in 0..<500 {
            assembler.append((one + one).span)
            if try assembler.next() != nil { count += 1 }
        }
        while try assembler.next() != nil { count += 1 }
        #expect(count == 1000)
    }

    @Test func arbitraryBytesNeverTrap() {
        var generator = SplitMix64(state: 42)
        for _ in 0..<20_000 {
            let opcode = Bool.random(using: &generator) ? UInt8.random(in: 0...255, using: &generator) : 0x81
            let bytes =
                [opcode]
                + (0..<Int.random(in: 0..<40, using: &generator)).map { _ in
                    UInt8.random(in: 0...255, using: &generator)
                }
            for role in [MessageAssembler.Role.server, .client] {
                #expect(Transcript.reading([bytes], as: role) == Transcript.reading(bytes.singleBytes, as: role))
            }
        }
    }
}

private struct SplitMix64: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }
}
