import Foundation
import JSONScan
import Synchronization
import Testing
import TinyvexClient
import TinyvexTransport

@testable import TinyvexHTTP

@Suite struct StoredFileTests {
    /// - Parameter answer: Returns the answer to a request.
    private func client(
        _ answer: @escaping @Sendable (HTTPRequest) -> HTTPResponse
    ) throws -> TinyvexHTTPClient {
        let endpoint = try #require(URL(string: "https://bridge.example"))
        let transport = InProcessHTTPTransport { request throws(TransportFailure) in answer(request) }
        return TinyvexHTTPClient(
            configuration: HTTPConfiguration(endpoint: endpoint), authToken: "t1", transport: transport)
    }

    @Test func anUploadSendsTheBytesWithTheirType() async throws {
        let client = try client { request in
            let isExpected =
                request.target == "/v1/files" && request.method == "POST" && request.body == [1, 2]
                && request.field("Content-Type") == "image/png" && request.field("Authorization") == "Bearer t1"
            return HTTPResponse(status: isExpected ? 200 : 400, body: Array(#"{"storageId":"f1"}"#.utf8))
        }
        #expect(try await client.files.upload([1, 2], contentType: "image/png") == "f1")
    }

    @Test func aFileIsReadAndItsAbsenceIsAnError() async throws {
        let client = try client { request in
            request.target == "/v1/files/f1"
                ? HTTPResponse(status: 200, body: [7]) : HTTPResponse(status: 404, body: Array(#"{"error":"no"}"#.utf8))
        }
        #expect(try await client.files.contents(of: "f1") == [7])
        do {
            _ = try await client.files.contents(of: "f2")
            Issue.record("the file does not exist")
        } catch TinyvexError.server(let code, let message, _) {
            #expect(code == "404" && message == "no")
        }
    }

    @Test func aFileThatIsLargerThanTheLimitIsTooLarge() async throws {
        let transport = InProcessHTTPTransport { request throws(TransportFailure) in
            throw .messageTooLarge(limitBytes: request.responseLimitBytes, beginning: [])
        }
        let client = TinyvexHTTPClient(
            configuration: HTTPConfiguration(endpoint: try #require(URL(string: "http://a.example"))),
            transport: transport)
        await #expect(throws: TinyvexError.tooLarge(limitBytes: 65 << 20)) { try await client.files.contents(of: "f1") }
    }

    @Test func aRefusedUploadReportsWhenToTryAgain() async throws {
        let client = try client { _ in HTTPResponse(status: 429, fields: [.init("Retry-After", "7")]) }
        do {
            _ = try await client.files.upload([1], contentType: "image/png")
            Issue.record("the upload was refused")
        } catch {
            #expect(error.retryAfter == .seconds(7))
        }
    }

    // MARK: Uploads of files

    /// The calls of a progress function.
    private final class Calls: Sendable {
        private let calls = Mutex<[UploadProgress]>([])
        var all: [UploadProgress] { calls.withLock { $0 } }
        func add(_ progress: UploadProgress) { calls.withLock { $0.append(progress) } }
    }

    private static func withFile<Result>(
        _ bytes: [UInt8], _ body: (URL) async throws -> Result
    ) async throws -> Result {
        let file = FileManager.default.temporaryDirectory.appending(path: "upload-\(UUID().uuidString)")
        try Data(bytes).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        return try await body(file)
    }

    @Test func anUploadOfAFileReportsItsProgress() async throws {
        let client = try client { request in
            let isExpected = request.body == [1, 2, 3] && request.field("Content-Type") == "application/octet-stream"
            return HTTPResponse(status: isExpected ? 200 : 400, body: Array(#"{"storageId":"f1"}"#.utf8))
        }
        let calls = Calls()
        let id = try await Self.withFile([1, 2, 3]) { file in
            try await client.files.upload(contentsOf: file) { calls.add($0) }
        }
        #expect(id == "f1")
        #expect(calls.all.map(\.sentBytes) == [0, 3] && calls.all.allSatisfy { $0.totalBytes == 3 })
        #expect(calls.all.last?.fraction == 1)
    }

    @Test(arguments: ["/nonexistent/file", "/"])
    func aFileThatCannotBeReadIsNotSent(path: String) async throws {
        let client = try client { _ in
            Issue.record("a request was sent")
            return HTTPResponse(status: 500)
        }
        do {
            _ = try await client.files.upload(contentsOf: URL(filePath: path))
            Issue.record("there is no such file")
        } catch {
            #expect("\(error)".contains("\(path) cannot be read"))
        }
    }

    @Test func anUploadBeginsAgainWithANewToken() async throws {
        let client = try client { request in
            request.field("Authorization") == "Bearer t2" && request.body == [9]
                ? HTTPResponse(status: 200, body: Array(#"{"storageId":"f1"}"#.utf8)) : HTTPResponse(status: 401)
        }
        client.setAuthTokenSource { "t2" }
        let calls = Calls()
        let id = try await client.files.upload([9]) { calls.add($0) }
        #expect(id == "f1")
        #expect(calls.all.map(\.sentBytes) == [0, 1, 0, 1])
    }

    // MARK: Lists and prompts

    @Test func aListIsAskedForWithItsLimitAndCursor() async throws {
        let client = try client { request in
            let args = (try? JSONValue(validating: request.body ?? []))?["args"]?.rawString
            let row =
                #"{"storageId":"f1","contentType":"image/png","size":2,"sha256":"00","createdTs":1000}"#
            let value = #"{"data":[\#(row)],"nextCursor":"1000.f1"}"#
            return HTTPResponse(
                status: args == #"{"cursor":"2.f2","limit":1}"# ? 200 : 400,
                body: Array(#"{"status":"success","value":\#(value)}"#.utf8))
        }
        let page = try await client.files.list(limit: 1, after: "2.f2")
        #expect(page.data.map(\.storageId) == ["f1"] && page.nextCursor == "1000.f1")
        #expect(page.data.first?.createdTs == Date(timeIntervalSince1970: 1))
    }

    @Test func aClientWithAConnectionSharesItsEndpointAndNewestToken() async throws {
        let endpoint = try #require(URL(string: "wss://bridge.example/b/tinyvex"))
        let client = TinyvexClient(configuration: TinyvexConfiguration(endpoint: endpoint), authToken: "t1")
        let transport = InProcessHTTPTransport { request throws(TransportFailure) in
            let text = [request.target, request.field("Authorization") ?? ""].joined(separator: " ")
            return HTTPResponse(status: 200, body: Array(text.utf8))
        }
        let files = client.files(over: transport)
        #expect(try await files.contents(of: "f 1") == Array("/b/v1/files/f%201 Bearer t1".utf8))
        client.setAuthToken("t2")
        #expect(try await files.contents(of: "f2") == Array("/b/v1/files/f2 Bearer t2".utf8))
    }

    @Test func aUnixSocketIsRefused() async throws {
        let client = TinyvexClient(endpoint: URL(filePath: "/run/bridge.sock"))
        do {
            _ = try await client.files.contents(of: "f1")
            Issue.record("URLSession has no Unix sockets")
        } catch {
            #expect("\(error)".contains("URLSession cannot connect"))
        }
    }

    @Test func aPromptNamesStoredFiles() throws {
        let prompt = SessionPrompt(
            "s1", [.text("see"), .image("f1"), .audio("f2"), .resource("f3", uri: "file:///a"), .resource("f4")])
        let text = String(decoding: try ModelCoding.object(prompt), as: UTF8.self)
        #expect(
            text == #"{"prompt":[{"text":"see","type":"text"},{"storageId":"f1","type":"image"},"#
                + #"{"storageId":"f2","type":"audio"},{"storageId":"f3","type":"resource","uri":"file:///a"},"#
                + #"{"storageId":"f4","type":"resource"}],"sessionId":"s1"}"#)
    }
}
