import Testing
import WebSocket

@Suite struct FrameHeaderTests {
    static let headers: [(FrameHeader, [UInt8])] = [
        (FrameHeader(opcode: .text, payloadLength: 5), [0x81, 0x05]),
        (FrameHeader(opcode: .text, maskKey: 0x3D21_FA37, payloadLength: 5), [0x81, 0x85, 0x37, 0xFA, 0x21, 0x3D]),
        (FrameHeader(fin: false, opcode: .text, payloadLength: 3), [0x01, 0x03]),
        (FrameHeader(opcode: .continuation, payloadLength: 2), [0x80, 0x02]),
        (FrameHeader(rsv1: true, opcode: .binary, payloadLength: 0), [0xC2, 0x00]),
        (FrameHeader(opcode: .ping, payloadLength: 125), [0x89, 0x7D]),
        (FrameHeader(opcode: .binary, payloadLength: 126), [0x82, 0x7E, 0x00, 0x7E]),
        (FrameHeader(opcode: .binary, payloadLength: 256), [0x82, 0x7E, 0x01, 0x00]),
        (FrameHeader(opcode: .binary, payloadLength: 65535), [0x82, 0x7E, 0xFF, 0xFF]),
        (FrameHeader(opcode: .binary, payloadLength: 65536), [0x82, 0x7F, 0, 0, 0, 0, 0, 1, 0, 0]),
        (
            FrameHeader(opcode: .binary, maskKey: 0x0403_0201, payloadLength: 1 << 32),
            [0x82, 0xFF, 0, 0, 0, 1, 0, 0, 0, 0, 1, 2, 3, 4]
        ),
    ]

    @Test(arguments: headers)
    func aCompleteHeaderIsParsedAtEveryOffset(header: FrameHeader, bytes: [UInt8]) throws {
        for offset in 0...3 {
            let shifted = [UInt8](repeating: 0xFF, count: offset) + bytes
            for count in 0..<bytes.count {
                let front = shifted.span.extracting(..<(offset + count))
                #expect(try FrameHeader.parse(front.bytes, at: offset, limitBytes: .max) == nil)
            }
            #expect(try FrameHeader.parse(shifted.span.bytes, at: offset, limitBytes: .max) == header)
        }
        #expect(header.size == bytes.count)
    }

    @Test(arguments: headers)
    func aHeaderRoundTrips(header: FrameHeader, bytes: [UInt8]) {
        var buffer = [UInt8](repeating: 0, count: FrameHeader.maxSize)
        let size = buffer.withUnsafeMutableBytes { header.write(into: $0) }
        #expect(Array(buffer[..<size]) == bytes)
    }

    @Test(arguments: [0, 1, 125, 126, 200, 65535, 65536, 1 << 40])
    func theFastTextHeaderIsWrittenLikeAnyOther(payloadLength: Int) {
        let header = FrameHeader(opcode: .text, payloadLength: payloadLength)
        var (fast, slow) = ([UInt8](repeating: 0, count: 14), [UInt8](repeating: 0, count: 14))
        let size = fast.withUnsafeMutableBytes { buffer in
            buffer.baseAddress.map { FrameHeader.writeTextHeader(payloadLength: payloadLength, to: $0) }
        }
        slow.withUnsafeMutableBytes { _ = header.write(into: $0) }
        #expect(fast == slow)
        #expect(size == FrameHeader.size(payloadLength: payloadLength, masked: false))
    }

    @Test(
        arguments: [
            ([0xA1, 0x00], .reservedBits), ([0x91, 0x00], .reservedBits),
            ([0x83, 0x00], .reservedOpcode(3)), ([0x87, 0x00], .reservedOpcode(7)),
            ([0x8B, 0x00], .reservedOpcode(11)),
            ([0x8F, 0x00], .reservedOpcode(15)),
            ([0x09, 0x00], .fragmentedControlFrame), ([0x08, 0x00], .fragmentedControlFrame),
            ([0x89, 0x7E], .controlFrameTooLong), ([0x88, 0x7F], .controlFrameTooLong),
            ([0x82, 0x7E, 0x00, 0x7D], .lengthNotMinimal),
            ([0x82, 0x7F, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF], .lengthNotMinimal),
            ([0x82, 0x7F, 0x80, 0, 0, 0, 0, 0, 0, 0], .lengthOutOfRange),
            ([0x82, 0x7F, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], .messageTooBig(limitBytes: 1000)),
            ([0x82, 0x7E, 0x03, 0xE9], .messageTooBig(limitBytes: 1000)),
            ([0x82, 0xFE, 0x03, 0xE9], .messageTooBig(limitBytes: 1000)),
        ] as [([UInt8], ProtocolViolation)])
    func headersThatTheStandardForbidsAreRefused(bytes: [UInt8], violation: ProtocolViolation) {
        #expect(throws: violation) {
            try FrameHeader.parse(bytes.span.bytes, limitBytes: 1000)
        }
    }

    @Test func aFrameOfExactlyTheLimitAndAllControlFramesAreAccepted() throws {
        let exactly: [UInt8] = [0x82, 0x7E, 0x03, 0xE8]
        #expect(try FrameHeader.parse(exactly.span.bytes, limitBytes: 1000)?.payloadLength == 1000)
        let ping: [UInt8] = [0x89, 0x7D]
        #expect(try FrameHeader.parse(ping.span.bytes, limitBytes: 0)?.payloadLength == 125)
    }
}
