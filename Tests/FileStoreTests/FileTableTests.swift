import Testing
import Tinyvex

@testable import FileStore

@Suite struct FileTableTests {
    private static var limits: FileLimits {
        var limits = FileLimits()
        limits.fileBytes = 100
        limits.totalBytes = 250
        limits.count = 4
        limits.uploads = 3
        return limits
    }

    private static func file(_ id: String, of tenant: String?, bytes: Int = 10, at time: Int64 = 0) -> StoredFile {
        StoredFile(
            id: id, contentType: .unknown, byteCount: bytes, sha256: "", createdTs: time, tenant: tenant)
    }

    @Test func aTenantSeesOnlyItsOwnFiles() {
        var table = FileTable(Self.limits)
        table.add(Self.file("a", of: "acme"))
        table.add(Self.file("b", of: nil))
        #expect(table.file("a", of: "acme") != nil)
        #expect(table.file("a", of: "evil") == nil)
        #expect(table.file("b", of: "acme") == nil)
        #expect(table.file("a", of: nil) != nil && table.file("b", of: nil) != nil)
    }

    @Test func uploadsUnderWayCountInTheTotal() throws {
        var table = FileTable(Self.limits)
        #expect(throws: Rejection.self) { try table.reserve(101, of: "acme") }
        try table.reserve(100, of: "acme")
        try table.reserve(100, of: "acme")
        #expect(throws: Rejection.self) { try table.reserve(51, of: "acme") }
        try table.reserve(100, of: "other")
        // The limit of uploads at once.
        #expect(throws: Rejection.self) { try table.reserve(1, of: "third") }
        table.end(reservation: 100, of: "acme")
        try table.reserve(51, of: "acme")
    }

    @Test func theNumberOfFilesIsLimitedAndDeletionMakesRoom() throws {
        var table = FileTable(Self.limits)
        for id in ["a", "b", "c", "d"] { table.add(Self.file(id, of: "acme")) }
        #expect(throws: Rejection.self) { try table.reserve(1, of: "acme") }
        table.remove("a")
        table.remove("a")
        try table.reserve(1, of: "acme")
    }

    @Test func theOldestFilesAreForgottenFirst() {
        var table = FileTable(Self.limits)
        for (id, time) in [("a", 3), ("b", 1), ("c", 2)] { table.add(Self.file(id, of: nil, at: Int64(time))) }
        #expect(table.files(before: 3, limit: 5).map(\.id) == ["b", "c"])
        #expect(table.files(before: 9, limit: 1).map(\.id) == ["b"])
    }

    @Test func aListHasTheNewestFirstAndOnlyTheTenantsFiles() throws {
        var table = FileTable(Self.limits)
        table.add(Self.file("a1", of: "acme", at: 1))
        table.add(Self.file("a3", of: "acme", at: 2))
        table.add(Self.file("a2", of: "acme", at: 2))
        table.add(Self.file("b1", of: "evil", at: 3))
        let first = table.page(of: "acme", after: nil, limit: 2)
        #expect(first.files.map(\.id) == ["a3", "a2"])
        let cursor = try #require(first.next)
        #expect(cursor.description == "2.a2" && FilePage.Cursor("2.a2") == cursor)
        let rest = table.page(of: "acme", after: cursor, limit: 2)
        #expect(rest.files.map(\.id) == ["a1"] && rest.next == nil)
        #expect(table.page(of: nil, after: nil, limit: 9).files.map(\.id) == ["b1", "a3", "a2", "a1"])
    }

    @Test func aListContinuesAfterADeletion() throws {
        var table = FileTable(Self.limits)
        for number in 1...3 { table.add(Self.file("a\(number)", of: nil, at: Int64(number))) }
        let cursor = try #require(table.page(of: nil, after: nil, limit: 1).next)
        table.remove("a3")
        table.remove("a2")
        #expect(table.page(of: nil, after: cursor, limit: 9).files.map(\.id) == ["a1"])
    }

    @Test(arguments: ["", "1", "1.", ".a", "x.a", "1.a.b", "1.A", "1.\"", "99999999999999999999.a"])
    func aTextThatIsNoCursorIsRefused(text: String) {
        #expect(FilePage.Cursor(text) == nil)
    }
}
