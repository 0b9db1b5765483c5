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
