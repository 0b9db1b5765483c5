import Testing
import WebSocket

@Suite struct DeflateTests {
    private static func read(
        _ pieces: [[UInt8]], as role: MessageAssembler.Role = .client, limitBytes: Int = 1 << 20,
        deflate: PermessageDeflate = PermessageDeflate()
    ) -> Transcript {
        var reader = MessageReader(role: role, limits: MessageLimits(messageBytes: limitBytes), deflate: deflate)
        var transcript = Transcript()
        for piece in pieces {
            reader.append(piece.span)
            do throws(ProtocolViolation) {
                while let event = try reader.next() { transcript.events.append(event) }
            } catch {
                transcript.violation = error
            }
        }
        return transcript
    }

    private static func frame(
        _ opcode: Opcode, _ payload: [UInt8], fin: Bool = true, isDeflated: Bool = true, key: UInt32? = nil
    ) -> [UInt8] {
        var bytes: [UInt8] = []
        Frame.append(opcode, payload.span, fin: fin, isDeflated: isDeflated, maskKey: key, to: &bytes)
        return bytes
    }

    private struct OutOfMemory: Error {}

    /// Replaces `#require`, which cannot return a noncopyable value.
    private static func deflater(
        _ direction: PermessageDeflate.Direction, level: Int32 = 1
    ) throws(OutOfMemory) -> Deflater {
        guard let deflater = Deflater(direction, level: level) else { throw OutOfMemory() }
        return deflater
    }

    private static let hello = MessageAssembler.Event.text(Array("Hello".utf8))

    /// RFC 7692, section 7.2.3.
    @Test(
        arguments: [
            [0xC1, 0x07, 0xF2, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00],
            [0x41, 0x03, 0xF2, 0x48, 0xCD, 0x80, 0x04, 0xC9, 0xC9, 0x07, 0x00],
            // Without compression, with a final block, and in two blocks.
            [0xC1, 0x0B, 0x00, 0x05, 0x00, 0xFA, 0xFF, 0x48, 0x65, 0x6C, 0x6C, 0x6F, 0x00],
            [0xC1, 0x08, 0xF3, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00, 0x00],
            [0xC1, 0x0D, 0xF2, 0x48, 0x05, 0x00, 0x00, 0x00, 0xFF, 0xFF, 0xCA, 0xC9, 0xC9, 0x07, 0x00],
        ] as [[UInt8]])
    func theExamplesOfTheStandardAreReadAtEveryCut(bytes: [UInt8]) {
        for pieces in bytes.cutInTwo + [bytes.singleBytes] {
            #expect(Self.read(pieces) == Transcript(events: [Self.hello]))
        }
    }

    @Test func earlierMessagesThatThePeerCanReferToAreRemembered() {
        let first: [UInt8] = [0xC1, 0x07, 0xF2, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00]
        let second: [UInt8] = [0xC1, 0x05, 0xF2, 0x00, 0x11, 0x00, 0x00]
        #expect(Self.read([first + second]) == Transcript(events: [Self.hello, Self.hello]))
        let forgetful = PermessageDeflate(server: .init(keepsContext: false))
        let read = Self.read([first + second], deflate: forgetful)
        #expect(read == Transcript(events: [Self.hello], violation: .invalidCompression))
    }

    @Test func uncompressedMessagesAndControlFramesCanBeInterleaved() {
        let compressed: [UInt8] = [0x41, 0x03, 0xF2, 0x48, 0xCD]
        let rest: [UInt8] = [0x80, 0x04, 0xC9, 0xC9, 0x07, 0x00]
        let ping = Self.frame(.ping, [1], isDeflated: false)
        let plain = Self.frame(.binary, [0xFF], isDeflated: false)
        let expected: [MessageAssembler.Event] = [.ping([1]), Self.hello, .binary([0xFF]), .ping([1]), Self.hello]
        #expect(Self.read([compressed + ping + rest + plain + compressed + ping + rest]).events == expected)
    }

    /// Tests every window with and without context, in both directions, for short, long, similar and empty messages.
    @Test(arguments: 8...15)
    func compressedMessagesRoundTrip(windowBits: Int) throws {
        var generator = SystemRandomNumberGenerator()
        let noise = (0..<100_000).map { _ in UInt8.random(in: 0...255, using: &generator) }
        let words = Array(String(repeating: "{\"jsonrpc\":\"2.0\",\"method\":\"session/update\"}", count: 3_000).utf8)
        let messages = [[], [], words, [0x61], [], noise, Array(words.prefix(200)), Array(words.prefix(200)), noise]
        for keepsContext in [true, false] {
            let direction = PermessageDeflate.Direction(keepsContext: keepsContext, windowBits: windowBits)
            let deflate = PermessageDeflate(server: direction, client: direction)
            for (role, key) in [(MessageAssembler.Role.client, nil), (.server, 0xDEAD_BEEF)] as [(_, UInt32?)] {
                var deflater = try Self.deflater(direction)
                let bytes = messages.flatMap { message in
                    var payload: [UInt8] = []
                    message.withUnsafeBytes { deflater.deflate($0, to: &payload) }
                    return Self.frame(.binary, payload, key: key)
                }
                let read = Self.read([bytes], as: role, deflate: deflate)
                #expect(read == Transcript(events: messages.map { .binary($0) }))
            }
        }
    }

    @Test func withAContextRepeatedContentIsSmall() throws {
        let message = Array(#"{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s"}}"#.utf8)
        var sizes: [Bool: Int] = [:]
        for keepsContext in [true, false] {
            var deflater = try Self.deflater(.init(keepsContext: keepsContext))
            var payload: [UInt8] = []
            message.withUnsafeBytes { deflater.deflate($0, to: &payload) }
            payload = []
            message.withUnsafeBytes { deflater.deflate($0, to: &payload) }
            sizes[keepsContext] = payload.count
        }
        #expect(try #require(sizes[true]) < 10)
        #expect(try #require(sizes[false]) > 40)
    }

    // MARK: Violations by a peer

    @Test(
        arguments: [
            ("a ping with the compression bit", frame(.ping, [0x00]), .reservedBits),
            (
                "a continuation with the compression bit",
                frame(.text, [0xF2], fin: false) + frame(.continuation, [0x48]),
                .reservedBits
            ),
            ("an invalid block type", frame(.text, [0x07, 0xFF]), .invalidCompression),
            ("a reference to before the start", frame(.text, [0xF2, 0x00, 0x11, 0x00, 0x00]), .invalidCompression),
            ("text that is not UTF-8", frame(.text, [0x00, 0x01, 0x00, 0xFE, 0xFF, 0xFF, 0x00]), .invalidUTF8),
            ("the second reserved bit", [0xE1, 0x00], .reservedBits),
        ] as [(String, [UInt8], ProtocolViolation)])
    func violationsEndTheStream(name: String, bytes: [UInt8], violation: ProtocolViolation) {
        let more = bytes + Self.frame(.text, Array("never".utf8), isDeflated: false)
        #expect(Self.read([more]) == Transcript(violation: violation), "\(name)")
    }

    @Test func compressionWithoutAnAgreementIsAViolation() {
        let bytes: [UInt8] = [0xC1, 0x07, 0xF2, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00]
        #expect(Transcript.reading([bytes]).violation == .reservedBits)
        var reader = MessageReader(role: .client)
        reader.append(bytes.span)
        #expect(throws: ProtocolViolation.reservedBits) { try reader.next() }
    }

    /// 64 MiB compressed to less than 100 kB. Never more than the limit is decompressed.
    @Test func aDecompressionBombIsRefusedAsTooBig() throws {
        var deflater = try Self.deflater(.init(), level: 9)
        let mebibyte = [UInt8](repeating: 0, count: 1 << 20)
        var payload: [UInt8] = []
        for _ in 0..<64 { mebibyte.withUnsafeBytes { deflater.deflate($0, to: &payload) } }
        #expect(payload.count < 100_000)
        let bomb = Self.frame(.binary, payload)
        #expect(Self.read([bomb], limitBytes: 100_000) == Transcript(violation: .messageTooBig(limitBytes: 100_000)))
    }

    @Test func theLimitIsExactAndAlsoAppliesToTheCompressedForm() throws {
        var deflater = try Self.deflater(.init())
        let message = [UInt8](repeating: 0x61, count: 50_000)
        var payload: [UInt8] = []
        message.withUnsafeBytes { deflater.deflate($0, to: &payload) }
        let bytes = Self.frame(.text, payload)
        #expect(Self.read([bytes], limitBytes: 50_000).events == [.text(message)])
        #expect(Self.read([bytes], limitBytes: 49_999).violation == .messageTooBig(limitBytes: 49_999))
        #expect(Self.read([[0xC2, 0x09]], limitBytes: 8).violation == .messageTooBig(limitBytes: 8))
    }

    @Test func arbitraryBytesNeverTrap() {
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<5_000 {
            let payload = (0..<Int.random(in: 0..<60)).map { _ in UInt8.random(in: 0...255, using: &generator) }
            let bytes = Self.frame(.binary, payload)
            let whole = Self.read([bytes], limitBytes: 4_096)
            #expect(Self.read(bytes.singleBytes, limitBytes: 4_096) == whole)
        }
    }
}
