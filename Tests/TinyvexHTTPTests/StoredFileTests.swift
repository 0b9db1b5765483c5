import Foundation
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
        #expect(try await client.upload([1, 2], contentType: "image/png") == "f1")
    }

    @Test func aFileIsReadAndItsAbsenceIsAnError() async throws {
        let client = try client { request in
            request.target == "/v1/files/f1"
                ? HTTPResponse(status: 200, body: [7]) : HTTPResponse(status: 404, body: Array(#"{"error":"no"}"#.utf8))
        }
        #expect(try await client.file("f1") == [7])
        do {
            _ = try await client.file("f2")
            Issue.record("the file does not exist")
        } catch TinyvexError.server(let code, let message, _) {
            #expect(code == "404" && message == "no")
        }
    }

    @Test func aRefusedUploadReportsWhenToTryAgain() async throws {
        let client = try client { _ in HTTPResponse(status: 429, fields: [.init("Retry-After", "7")]) }
        do {
            _ = try await client.upload([1], contentType: "image/png")
            Issue.record("the upload was refused")
        } catch {
            #expect(error.retryAfter == .seconds(7))
        }
    }
}
