import CommandContext
import JSONScan
import Testing

@testable import ClientCommands

@Suite struct AttachedFileTests {
    private static func accepted(_ image: Bool, _ context: Bool) throws -> AttachedFile.Accepted {
        let text = #"{"image":\#(image),"audio":false,"embeddedContext":\#(context)}"#
        return try #require(AttachedFile.Accepted(try JSONValue(validating: Array(text.utf8))))
    }

    private static func block(
        _ path: String, _ bytes: [UInt8], image: Bool = true, context: Bool = true, isRemote: Bool = false
    ) throws -> JSONValue {
        let block = try AttachedFile(path: path, bytes: bytes)
            .block(for: "demo", accepted(image, context), isRemote: isRemote)
        return try JSONValue(validating: block)
    }

    @Test func anImageIsSentWithItsBytes() throws {
        let block = try Self.block("/a/b.PNG", [1, 2])
        #expect(block.rawString == #"{"type":"image","mimeType":"image/png","data":"AQI="}"#)
        #expect(throws: Failure.self) { try Self.block("/a/b.png", [1], image: false) }
        #expect(throws: Failure.self) { try Self.block("/a/b.mp3", [1]) }
    }

    @Test func textIsEmbeddedIfTheAgentAcceptsThat() throws {
        let block = try Self.block("/a/ü b.txt", Array("x".utf8))
        #expect(block["resource"]?["uri"]?.stringValue == "file:///a/%C3%BC%20b.txt")
        #expect(block["resource"]?["text"]?.stringValue == "x")
        #expect(try Self.block("/a", Array("x".utf8), context: false)["type"]?.stringValue == "resource_link")
    }

    @Test func otherBytesAreALinkOnThisMachineOnly() throws {
        let block = try Self.block("/a/b.bin", [0, 1])
        #expect(block["type"]?.stringValue == "resource_link" && block["name"]?.stringValue == "b.bin")
        #expect(throws: Failure.self) { try Self.block("/a/b.bin", [0, 1], isRemote: true) }
    }

    @Test func whatAnUnknownAgentAcceptsIsNotChecked() throws {
        let block = try AttachedFile(path: "/a.png", bytes: [1]).block(for: "demo", nil, isRemote: true)
        #expect(try JSONValue(validating: block)["type"]?.stringValue == "image")
    }

    @Test func onlyRegularFilesAreRead() {
        #expect(throws: Failure.self) { try AttachedFile.read(["/"]) }
        #expect(throws: Failure.self) { try AttachedFile.read(["/nonexistent"]) }
        #expect(throws: Failure.self) { try AttachedFile.read(["/dev/zero"]) }
    }
}
