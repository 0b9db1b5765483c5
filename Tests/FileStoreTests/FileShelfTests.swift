import Foundation
import TestSupport
import Testing
import Tinyvex

@testable import FileStore

@Suite struct FileShelfTests {
    private let folder = TemporaryFolder()

    private var path: String { folder.path + "/files" }

    private func shelf() -> FileShelf { FileShelf(path: path, limits: FileLimits()) }

    private static func request(_ type: String, _ count: Int, of tenant: String? = nil) throws -> UploadRequest {
        UploadRequest(contentType: try #require(ContentType(type)), byteCount: count, tenant: tenant)
    }

    private var names: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted() }

    @Test func aStoredFileIsReadAgainAfterARestart() throws {
        var first = shelf()
        try first.begin("a1", Self.request("text/plain", 3, of: "acme"))
        try first.write(Array("ab".utf8), to: "a1")
        try first.write(Array("c".utf8), to: "a1")
        let file = try first.finish("a1", now: 7)
        #expect(file.sha256 == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        #expect(names == ["a1.data", "a1.json"])
        for name in names {
            let mode = try FileManager.default.attributesOfItem(atPath: "\(path)/\(name)")[.posixPermissions]
            #expect(mode as? Int == 0o600, "\(name)")
        }
        var second = shelf()
        #expect(try second.file("a1", of: "evil") == nil)
        let opened = try #require(try second.open("a1", of: "acme"))
        #expect(opened.file == file)
        #expect(try opened.read(at: 1, count: 9) == Array("bc".utf8))
        #expect(try second.delete("a1", of: "acme"))
        #expect(try second.delete("a1", of: "acme") == false)
        #expect(names.isEmpty)
        // An open file can still be read.
        #expect(try opened.read(at: 0, count: 3) == Array("abc".utf8))
    }

    @Test func aNameAndATypeAreKeptOverARestart() throws {
        var first = shelf()
        try first.begin("a1", Self.request("image/png", 0, of: "acme"))
        _ = try first.finish("a1", now: 7)
        let jpeg = try #require(ContentType("image/jpeg"))
        let label = try FileLabel(name: "pho\"to.jpg", contentType: jpeg)
        #expect(try first.save("a1", label, of: "evil") == nil)
        let saved = try #require(try first.save("a1", label, of: "acme"))
        #expect(saved.name == "pho\"to.jpg" && saved.contentType == jpeg)
        var second = shelf()
        #expect(try second.file("a1", of: "acme") == saved)
        let unnamed = try second.save("a1", FileLabel(name: nil, contentType: nil), of: "acme")
        #expect(unnamed?.name == nil && unnamed?.contentType == jpeg)
    }

    @Test(arguments: ["", "a\nb", "\u{7f}"]) func aNameIsOneLineOfText(name: String) {
        #expect(throws: Rejection.self) { try FileLabel(name: name, contentType: nil) }
    }

    @Test func aFileWithADamagedRecordIsKeptAndHidesNoOther() throws {
        var first = shelf()
        for id in ["a1", "b2", "c3"] {
            try first.begin(id, Self.request("text/plain", 1))
            try first.write(Array("x".utf8), to: id)
            _ = try first.finish(id, now: 7)
        }
        #expect(truncate("\(path)/a1.json", 5) == 0)
        try FileManager.default.removeItem(atPath: "\(path)/b2.json")
        try FileManager.default.createDirectory(atPath: "\(path)/b2.json", withIntermediateDirectories: false)
        var second = shelf()
        #expect(try second.file("a1", of: nil) == nil && second.file("b2", of: nil) == nil)
        #expect(try second.file("c3", of: nil) != nil)
        #expect(names == ["a1.data", "a1.json", "b2.data", "b2.json", "c3.data", "c3.json"])
    }

    @Test func anInterruptedUploadLeavesNothing() throws {
        var first = shelf()
        try first.begin("a1", Self.request("text/plain", 3))
        try first.write([1], to: "a1")
        try first.begin("a2", Self.request("text/plain", 3))
        first.cancel("a2")
        #expect(names == ["a1.part"])
        // Bytes without a record, as after a crash.
        #expect(FileManager.default.createFile(atPath: path + "/a3.data", contents: Data([1])))
        var second = shelf()
        #expect(try second.file("a1", of: nil) == nil)
        #expect(try second.file("a3", of: nil) == nil)
        #expect(names.isEmpty)
    }

    @Test func filesOlderThanTheRetentionAreDeleted() throws {
        var shelf = shelf()
        for (id, time) in [("a1", 10), ("a2", 20)] {
            try shelf.begin(id, Self.request("text/plain", 0))
            _ = try shelf.finish(id, now: Int64(time))
        }
        #expect(try shelf.forget(before: 20) == 1)
        #expect(names == ["a2.data", "a2.json"])
    }

    @Test func aPromptGetsTheBytesOfItsOwnTenantsFiles() throws {
        var shelf = shelf()
        try shelf.begin("a1", Self.request("image/png", 2, of: "acme"))
        try shelf.write([1, 2], to: "a1")
        _ = try shelf.finish("a1", now: 1)
        #expect(try shelf.contents(["a1"], of: "acme")["a1"]?.bytes == [1, 2])
        #expect(throws: Rejection.self) { try shelf.contents(["a1"], of: "evil") }
        #expect(throws: Rejection.self) { try shelf.contents(["../a1"], of: nil) }
    }
}
