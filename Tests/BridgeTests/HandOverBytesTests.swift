import JSONCoding
import Testing

@testable import Bridge

@Suite struct HandOverBytesTests {
    @Test(arguments: [Array("{\"a\":1}\n".utf8), [0x7b, 0xc3], [0xff], []] as [[UInt8]])
    func bytesReachTheNextProgramUnchanged(bytes: [UInt8]) throws {
        let text = try HandOver.encoder.encode(["bytes": bytes])
        #expect(try HandOver.decoder.decode([String: [UInt8]].self, from: text) == ["bytes": bytes])
    }

    @Test func bytesThatAreNoTextTakeLittleMoreRoomThanTheyHave() throws {
        let text = try HandOver.encoder.encode(["bytes": [UInt8](repeating: 0xff, count: 30_000)])
        #expect(text.count < 41_000)
    }

    @Test(arguments: [("[123,255]", [123, 255]), ("[]", [])] as [(String, [UInt8])])
    func arraysOfNumbersOfTheFirstFormatAreRead(text: String, bytes: [UInt8]) throws {
        #expect(try HandOver.decoder.decode([UInt8].self, from: Array(text.utf8)) == bytes)
    }

    @Test(arguments: ["[256]", "{}", "7", #"["a"]"#])
    func otherValuesAreNoBytes(text: String) {
        #expect(throws: (any Error).self) { try HandOver.decoder.decode([UInt8].self, from: Array(text.utf8)) }
    }
}
