import EventLoop
import Glibc
import HTTP1
import JSONScan
import Posix
import Testing
import WebSocket

/// Stored files: uploads, downloads, their use in prompts.
@Suite(.blocking) struct FileTests {
    private static func uploadURL(_ client: HTTPClient) throws -> String {
        let answer = try client.call("mutation", "files:generateUploadUrl").json()
        return try #require(answer["value"]?.stringValue)
    }

    /// The target of a URL: its path and query.
    private static func target(_ url: String) throws -> String {
        String(url[try #require(url.firstRange(of: "/v1/")).lowerBound...])
    }

    private static func upload(
        _ client: HTTPClient, _ body: String, type: String = "image/png"
    ) throws -> String {
        let stranger = HTTPClient(client.address)
        let answer = try stranger.post(target(uploadURL(client)), body, ["Content-Type: \(type)"])
        #expect(answer.status == 200)
        return try #require(try answer.json()["storageId"]?.stringValue)
    }

    /// As `curl --data-binary` sends more than 1 MiB.
    @Test func anUploadBeginsAfter100Continue() throws {
        try BridgeHome.with { home in
            let address = try TokenTests.serve(home, "--limit", "file=4MiB", "--limit", "files=4MiB")
            let token = try TokenTests.create(home, "--role", "control")
            func begin(_ token: String, _ byteCount: Int) throws -> RawConnection {
                let connection = try RawConnection(address)
                let fields = [
                    "Expect: 100-continue", "Content-Length: \(byteCount)", "Authorization: Bearer \(token)",
                    "Connection: close",
                ]
                try connection.send(Array(RawConnection.head("/v1/files", method: "POST", fields).utf8))
                return connection
            }
            let connection = try begin(token, 3 << 20)
            try connection.waitForText("HTTP/1.1 100 Continue\r\n\r\n")
            let body = [UInt8](repeating: 7, count: 1 << 16)
            for _ in 0..<48 { try connection.send(body) }
            let answer = String(decoding: try connection.readToEnd(), as: UTF8.self)
            #expect(answer.contains("HTTP/1.1 200 OK") && answer.contains("storageId"), "\(answer)")

            for (token, byteCount, status) in [("wrong", 1, 401), (token, 5 << 20, 413), (token, 2 << 20, 429)] {
                let refused = try begin(token, byteCount).readToEnd()
                #expect(String(decoding: refused, as: UTF8.self).hasPrefix("HTTP/1.1 \(status) "), "\(status)")
            }
        }
    }

    @Test func aFileIsUploadedInChunks() throws {
        try BridgeHome.with { home in
            let client = HTTPClient(try TokenTests.serve(home), token: try TokenTests.create(home, "--role", "control"))
            let chunk = "40000\r\n" + String(repeating: "0123456789abcdef", count: 1 << 14) + "\r\n"
            let chunks = String(repeating: chunk, count: 5)
            let stored = try client.ask("POST", "/v1/files", ["Transfer-Encoding: chunked"], chunks + "0\r\n\r\n")
                .json()
            let id = try #require(stored["storageId"]?.stringValue)
            let size = try client.call("query", "files:get", #"{"storageId":"\#(id)"}"#).json()["value"]?["size"]
            #expect(size?.int64Value == 5 << 18)
            let query = #"{"path":"files:list"}"#
            let body = String(query.utf8.count, radix: 16) + "\r\n\(query)\r\n0\r\n\r\n"
            let list = try client.ask("POST", "/api/query", ["Transfer-Encoding: chunked"], body)
            #expect(try list.json()["value"]?["data"]?.elements.count == 1)
            #expect(try client.ask("POST", "/api/v1/admission", ["Transfer-Encoding: chunked"], body).status == 411)
        }
    }

    @Test func aFileIsStoredReadAndDeleted() throws {
        try BridgeHome.with { home in
            let address = try TokenTests.serve(home)
            let client = HTTPClient(address, token: try TokenTests.create(home, "--role", "control"))
            let reader = HTTPClient(address, token: try TokenTests.create(home, "--role", "observe"))
            let stranger = HTTPClient(address)
            // Larger than the limit of other bodies, and than one part of a download.
            let bytes = String(repeating: "0123456789abcdef", count: 1 << 17)
            let url = try Self.uploadURL(client)
            #expect(url.hasPrefix("http://"))
            let stored = try stranger.post(Self.target(url), bytes, ["Content-Type: text/html; charset=utf-8"])
            #expect(stored.status == 200)
            let id = try #require(try stored.json()["storageId"]?.stringValue)
            // A URL is valid once.
            #expect(try stranger.post(Self.target(url), bytes).status == 401)

            let file = try reader.get("/v1/files/\(id)")
            #expect(file.status == 200 && file.body.elementsEqual(bytes.utf8))
            #expect(file.headers.first("Content-Type") == "text/html; charset=utf-8")
            #expect(file.headers.first("Content-Disposition") == "attachment")
            #expect(file.headers.first("X-Content-Type-Options") == "nosniff")
            let tag = try #require(file.headers.first("ETag"))
            #expect(try reader.get("/v1/files/\(id)", ["If-None-Match: \(tag)"]).status == 304)
            #expect(try stranger.get("/v1/files/\(id)").status == 401)
            let facts = try reader.call("query", "files:get", #"{"storageId":"\#(id)"}"#).json()["value"]
            #expect(facts?["size"]?.int64Value == Int64(bytes.utf8.count))
            #expect(tag == "\"\(facts?["sha256"]?.stringValue ?? "")\"")

            let list = try reader.call("query", "files:list", #"{"limit":1}"#).json()["value"]
            #expect(list?["data"]?.elements.map { $0["storageId"]?.stringValue } == [id])
            #expect(list?["nextCursor"] == nil)
            #expect(try reader.call("query", "files:list", #"{"cursor":"x"}"#).status == 400)

            let label = #"{"storageId":"\#(id)","filename":"page.html","mimeType":"text/plain"}"#
            #expect(try reader.call("mutation", "files:saveFile", label).status == 403)
            #expect(try client.call("mutation", "files:saveFile", label).json()["value"]?.stringValue == id)
            let saved = try reader.call("query", "files:get", #"{"storageId":"\#(id)"}"#).json()["value"]
            #expect(saved?["name"]?.stringValue == "page.html" && saved?["contentType"]?.stringValue == "text/plain")
            for wrong in [#""filename":"""#, #""mimeType":"text""#, #""filename":7"#] {
                let args = "{\"storageId\":\"\(id)\",\(wrong)}"
                #expect(try client.call("mutation", "files:saveFile", args).status == 400)
            }

            #expect(try reader.ask("DELETE", "/v1/files/\(id)").status == 403)
            #expect(try client.ask("DELETE", "/v1/files/\(id)").status == 200)
            #expect(try client.ask("DELETE", "/v1/files/\(id)").status == 404)
            #expect(try reader.get("/v1/files/\(id)").status == 404)
            #expect(try reader.call("query", "files:get", #"{"storageId":"\#(id)"}"#).json()["value"]?.isNull == true)
            #expect(try reader.call("mutation", "files:generateUploadUrl").status == 403)
            let audit = String(
                decoding: try #require(FileBytes.read(home.path + "/state/audit.log")), as: UTF8.self)
            #expect(audit.contains(#""event":"file_stored""#) && audit.contains(#""event":"file_deleted""#))
        }
    }

    @Test func uploadsOverTheLimitAreRefusedBeforeTheirBody() throws {
        try BridgeHome.with { home in
            let address = try TokenTests.serve(home, "--limit", "file=2KiB", "--limit", "files=3KiB")
            let client = HTTPClient(address, token: try TokenTests.create(home, "--role", "control"))
            #expect(try client.ask("POST", "/v1/files", ["Content-Length: 2049"]).status == 413)
            #expect(try client.ask("POST", "/v1/files").status == 411)
            let body = String(repeating: "x", count: 2048)
            #expect(try client.post("/v1/files", body).status == 200)
            #expect(try client.post("/v1/files", body).status == 429)
            #expect(try client.post("/v1/files", "x", ["Content-Type: nonsense"]).status == 400)
        }
    }

    @Test func aTenantReachesNoOtherTenantsFiles() throws {
        try IssuerHome.with { home in
            let acme = HTTPClient(home.address, token: try home.token("acme", "control"))
            let evil = HTTPClient(home.address, token: try home.token("evil", "control"))
            let id = try Self.upload(acme, "secret")
            #expect(try acme.get("/v1/files/\(id)").status == 200)
            #expect(try evil.get("/v1/files/\(id)").status == 404)
            #expect(try evil.ask("DELETE", "/v1/files/\(id)").status == 404)
            let arguments = #"{"storageId":"\#(id)"}"#
            #expect(try evil.call("query", "files:get", arguments).json()["value"]?.isNull == true)
            #expect(try evil.call("mutation", "files:saveFile", arguments).status == 400)
            #expect(
                try evil.call("mutation", "files:delete", arguments).json()["value"]?["deleted"]?.boolValue == false)
            #expect(try acme.get("/v1/files/\(id)").status == 200)
        }
    }

    @Test func aPromptNamesAStoredImage() throws {
        try BridgeHome.with { home in
            let editor = try EditorSession([Binary.demoAgent], in: home)
            let client = HTTPClient(.unix(path: home.socket))
            let id = try Self.upload(client, "abc")
            func prompt(_ block: String) throws -> Response {
                try client.call(
                    "action", "sessions:prompt",
                    #"{"sessionId":"\#(editor.sessionId)","prompt":[{"type":"text","text":"/echo hi"},\#(block)]}"#)
            }
            let answer = try prompt(#"{"type":"image","storageId":"\#(id)"}"#)
            #expect(answer.status == 200, "\(String(decoding: answer.body, as: UTF8.self))")
            #expect(try prompt(#"{"type":"audio","storageId":"\#(id)"}"#).status == 400)
            #expect(try prompt(#"{"type":"image","storageId":"none"}"#).status == 400)
            try home.waitUntilStored()
            let export = try client.call(
                "action", "sessions:export", #"{"sessionId":"\#(editor.sessionId)"}"#)
            let text = String(decoding: export.body, as: UTF8.self).replacing("\\\"", with: "\"")
            #expect(text.contains(#""mimeType":"image/png","data":"YWJj""#), "\(text)")
            try editor.end()
        }
    }

    @Test func aPromptWithAFileIsNotOvertakenByTheNextOne() throws {
        try BridgeHome.with { home in
            let editor = try EditorSession([Binary.demoAgent], in: home)
            let id = try Self.upload(HTTPClient(.unix(path: home.socket)), "abc")
            let client = try TinyvexTestClient(home)
            let prompts = [
                #"[{"type":"text","text":"/echo hi"},{"type":"image","storageId":"\#(id)"}]"#,
                #"[{"type":"text","text":"/echo ho"}]"#,
            ]
            var frames: [UInt8] = []
            for (number, prompt) in prompts.enumerated() {
                let args = #"{"sessionId":"\#(editor.sessionId)","queue":true,"prompt":\#(prompt)}"#
                let request =
                    #"{"jsonrpc":"2.0","id":"\#(number)","method":"tinyvex/action","params":{"requestId":"\#(number)","#
                    + #""name":"sessions:prompt","args":\#(args)}}"#
                Frame.append(.text, Array(request.utf8).span, maskKey: 0x0102_0304, to: &frames)
            }
            try client.write(frames)
            // The agent answers each prompt at the end of its turn.
            let answers = try prompts.map { _ in try JSONValue(validating: client.nextMessage())["id"]?.stringValue }
            #expect(answers == ["0", "1"])
            try editor.end()
        }
    }
}
