import JSONScan
import Testing
import Tinyvex

@testable import FileStore

@Suite struct PromptFilesTests {
    private static func blocks(_ text: String) throws -> JSONValue { try JSONValue(validating: Array(text.utf8)) }

    private static func contents(_ type: String, _ bytes: [UInt8]) throws -> [String: FileContents] {
        ["f1": FileContents(contentType: try #require(ContentType(type)), bytes: bytes)]
    }

    private static func resolved(_ text: String, _ type: String, _ bytes: [UInt8]) throws -> String {
        let files = try #require(try PromptFiles(blocks(text)))
        return String(decoding: try files.resolved(by: contents(type, bytes)), as: UTF8.self)
    }

    @Test func aPromptWithoutFilesIsNotRead() throws {
        #expect(try PromptFiles(Self.blocks(#"[{"type":"image","data":"AA==","mimeType":"image/png"},7]"#)) == nil)
    }

    @Test func anImageGetsItsBytesAndKeepsItsOtherMembers() throws {
        let prompt = #"[{"type":"text","text":"look"},{"type":"image","storageId":"f1","uri":"a:b","_meta":{"x":1}}]"#
        #expect(
            try Self.resolved(prompt, "image/png; x=1", [1, 2])
                == #"[{"type":"text","text":"look"},{"type":"image","uri":"a:b","_meta":{"x":1},"#
                + #""mimeType":"image/png","data":"AQI="}]"#)
    }

    @Test func aResourceIsTextOnlyIfItsBytesAre() throws {
        let prompt = #"[{"type":"resource","storageId":"f1","uri":"file:///a.txt"}]"#
        #expect(
            try Self.resolved(prompt, "text/plain", Array("hé".utf8))
                == #"[{"type":"resource","resource":{"uri":"file:///a.txt","mimeType":"text/plain","text":"hé"}}]"#)
        #expect(try Self.resolved(prompt, "text/plain", [0xff]).contains(#""blob":"/w==""#))
        #expect(
            try Self.resolved(#"[{"type":"resource","storageId":"f1"}]"#, "application/zip", [1])
                == #"[{"type":"resource","resource":{"uri":"acpbridge:files/f1","mimeType":"application/zip","blob":"AQ=="}}]"#
        )
    }

    @Test(arguments: [
        #"[{"type":"image","storageId":7}]"#, #"[{"type":"text","storageId":"f1"}]"#, #"[{"storageId":"f1"}]"#,
        #"[{"type":"image","storageId":"f1","data":"AA=="}]"#,
    ])
    func aBlockThatCannotNameAFileIsRefused(prompt: String) throws {
        #expect(throws: Rejection.self) { try PromptFiles(Self.blocks(prompt)) }
    }

    @Test func theTypeMustFitTheBlock() throws {
        #expect(throws: Rejection.self) {
            try Self.resolved(#"[{"type":"image","storageId":"f1"}]"#, "audio/mpeg", [1])
        }
        #expect(throws: Rejection.self) {
            try Self.resolved(#"[{"type":"audio","storageId":"f1"}]"#, "image/png", [1])
        }
    }
}
