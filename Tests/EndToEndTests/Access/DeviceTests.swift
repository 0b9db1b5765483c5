import AgentProcess
import EventLoop
import HTTP1
import JSONScan
import Posix
import Testing
import WebSocket

/// The way of a browser into the bridge: a code, a token of its own, a ticket for each WebSocket; and its end.
@Suite(.blocking) struct DeviceTests {
    private static func code(_ home: BridgeHome, _ args: String = #"{"role":"observe"}"#) throws -> String {
        let answer = try HTTPClient(.unix(path: home.socket)).call("action", "codes:create", args).json()
        return try #require(answer["value"]?["code"]?.stringValue)
    }

    private static func admit(_ address: SocketAddress, _ code: String, name: String? = nil) throws -> Response {
        let member = name.map { #","name":"\#($0)""# } ?? ""
        return try HTTPClient(address).post("/api/v1/admission", #"{"code":"\#(code)"\#(member)}"#)
    }

    private static func ticket(_ client: HTTPClient) throws -> String {
        try #require(try client.post("/api/v1/tickets", "").json()["ticket"]?.stringValue)
    }

    private static func upgrade(_ address: SocketAddress, _ target: String, _ fields: [String] = []) throws -> Response
    {
        try RawConnection(address).response(to: RawConnection.head(target, RawConnection.upgrade + fields))
    }

    @Test func aCodeBecomesOneToken() throws {
        try BridgeHome.with { home in
            let address = try TokenTests.serve(home)
            let code = try Self.code(home, #"{"role":"control","name":"browser"}"#)
            #expect(code.count == 32)
            let response = try Self.admit(address, code)
            #expect(response.status == 200 && response.headers.first("Cache-Control") == "no-store")
            let device = try response.json()
            #expect(device["role"]?.stringValue == "control" && device["name"]?.stringValue == "browser")
            #expect(device["expiresTs"]?.int64Value != nil, "a page's token has an end")
            let token = try #require(device["token"]?.stringValue)
            #expect(try HTTPClient(address, token: token).get("/v1/agents").status == 200)
            #expect(try Self.admit(address, code).status == 401, "a code is valid once")
        }
    }

    @Test func aShortCodeCanBeTypedLoosely() throws {
        try BridgeHome.with { home in
            let address = try TokenTests.serve(home)
            let code = try Self.code(home, #"{"role":"observe","short":true}"#)
            #expect(code.count == 11)
            let typed = code.lowercased().replacing("-", with: " ")
            let device = try Self.admit(address, typed, name: "Safari on iPhone").json()
            #expect(device["name"]?.stringValue == "Safari on iPhone")
        }
    }

    @Test func wrongAdmissionsAreRefused() throws {
        try BridgeHome.with { home in
            let client = HTTPClient(try TokenTests.serve(home))
            for (body, status) in [
                (#"{"code":"00000000000000000000000000000000"}"#, 401), (#"{"code":""}"#, 401), ("{}", 400),
                ("[]", 400), ("", 400), (#"{"code":1}"#, 400), (#"{"code":"a","code":"b"}"#, 400),
                (#"{"code":"\#(String(repeating: "x", count: 4096))"}"#, 413),
            ] {
                let response = try client.post("/api/v1/admission", body)
                #expect(response.status == status, "\(body.prefix(80))")
                #expect(try response.json()["error"]?.stringValue?.isEmpty == false)
            }
            #expect(try client.get("/api/v1/admission").status == 405)
            #expect(try client.ask("POST", "/api/v1/admission").status == 411)
        }
    }

    @Test func aNameThatCannotBeUsedKeepsTheCode() throws {
        try BridgeHome.with { home in
            let address = try TokenTests.serve(home)
            let code = try Self.code(home)
            #expect(try Self.admit(address, code, name: String(repeating: "n", count: 101)).status == 400)
            #expect(try Self.admit(address, code).status == 200)
        }
    }

    @Test func attemptsToUseCodesAreLimited() throws {
        try BridgeHome.with { home in
            let address = try TokenTests.serve(home)
            let statuses = try (0..<31).map { _ in try Self.admit(address, "wrong").status }
            #expect(statuses.prefix(30).allSatisfy { $0 == 401 })
            #expect(statuses.last == 429)
            #expect(try Self.admit(.unix(path: home.socket), "wrong").status == 401)
        }
    }

    @Test func aPageOfAnotherOriginCannotUseACode() throws {
        try BridgeHome.with { home in
            let address = try TokenTests.serve(home)
            let body = #"{"code":"\#(try Self.code(home))"}"#
            let client = HTTPClient(address)
            #expect(try client.post("/api/v1/admission", body, ["Origin: https://evil.example"]).status == 403)
            #expect(try client.post("/api/v1/admission", body, ["Origin: http://localhost:3000"]).status == 403)
            #expect(try client.post("/api/v1/admission", body, ["Origin: http://localhost"]).status == 200)
        }
    }

    @Test func onlyAnAdminCreatesCodes() throws {
        try BridgeHome.with { home in
            let address = try TokenTests.serve(home)
            let client = HTTPClient(address, token: try TokenTests.create(home, "--role", "control"))
            #expect(try client.call("action", "codes:create", #"{"role":"observe"}"#).status == 403)
        }
    }

    // MARK: Tickets

    @Test func aTicketOpensOneWebSocket() throws {
        try BridgeHome.with { home in
            let address = try TokenTests.serve(home)
            let client = HTTPClient(address, token: try TokenTests.create(home, "--role", "observe"))
            let ticket = try Self.ticket(client)
            let fields = ["Origin: http://localhost", "Sec-WebSocket-Protocol: tinyvex.v1"]
            let opened = try Self.upgrade(address, "/tinyvex?ticket=\(ticket)", fields)
            #expect(opened.status == 101)
            #expect(opened.headers.all("Sec-WebSocket-Protocol") == ["tinyvex.v1"])
            #expect(try Self.upgrade(address, "/tinyvex?ticket=\(ticket)", fields).status == 401)
        }
    }

    @Test func aTicketIsOnlyForWebSockets() throws {
        try BridgeHome.with { home in
            let address = try TokenTests.serve(home)
            let token = try TokenTests.create(home, "--role", "observe")
            let ticket = try Self.ticket(HTTPClient(address, token: token))
            #expect(try HTTPClient(address).get("/v1/agents?ticket=\(ticket)").status == 401)
            #expect(try HTTPClient(address).post("/api/v1/tickets?ticket=\(ticket)", "").status == 401)
            let bearer = ["Authorization: Bearer \(token)"]
            #expect(try Self.upgrade(address, "/tinyvex?ticket=\(ticket)", bearer).status == 401)
            #expect(try Self.upgrade(address, "/tinyvex?ticket=\(ticket)&ticket=\(ticket)").status == 401)
            #expect(try Self.upgrade(address, "/tinyvex?ticket=\(ticket)").status == 101, "no attempt has spent it")
        }
    }

    @Test func aTicketHasTheRightsOfItsToken() throws {
        try BridgeHome.with { home in
            let address = try TokenTests.serve(home)
            let token = try TokenTests.create(home, "--role", "observe")
            let ticket = try Self.ticket(HTTPClient(address, token: token))
            let client = try TinyvexTestClient(address, path: "/tinyvex?ticket=\(ticket)")
            let answer = try client.call("tinyvex/action", #"{"requestId":"1","name":"bridge:stop"}"#)
            #expect(answer.errorCode == "TVX011")
            _ = try home.run("token", "revoke", SystemString(String(token.prefix(11))))
            try client.waitForEnd()
            #expect(client.closeCode == .policyViolation)
        }
    }

    @Test func aTicketEndsWithItsToken() throws {
        try BridgeHome.with { home in
            let address = try TokenTests.serve(home)
            let token = try TokenTests.create(home, "--role", "observe")
            let ticket = try Self.ticket(HTTPClient(address, token: token))
            _ = try home.run("token", "revoke", SystemString(String(token.prefix(11))))
            #expect(try Self.upgrade(address, "/tinyvex?ticket=\(ticket)").status == 401)
        }
    }

    // MARK: Devices

    @Test func aDeviceSeesAndRevokesOnlyItself() throws {
        try BridgeHome.with { home in
            let address = try TokenTests.serve(home)
            let token = try TokenTests.create(home, "--role", "control", "--name", "mine")
            let other = try TokenTests.create(home, "--role", "control", "--name", "other")
            let client = HTTPClient(address, token: token)
            let rows = try client.get("/api/v1/devices").json()["data"]?.elements ?? []
            #expect(rows.map { $0["name"]?.stringValue } == ["mine"])
            #expect(rows.first?["isCurrent"]?.boolValue == true && rows.first?["hash"] == nil)
            #expect(try client.ask("DELETE", "/api/v1/devices/\(other.prefix(11))").status == 403)
            #expect(try client.ask("DELETE", "/api/v1/devices").status == 200)
            #expect(try client.get("/api/v1/devices").status == 401)
            #expect(try HTTPClient(address, token: other).get("/api/v1/devices").status == 200)
        }
    }

    @Test func anAdminSeesAndRevokesEveryDevice() throws {
        try BridgeHome.with { home in
            let address = try TokenTests.serve(home)
            let token = try TokenTests.create(home, "--role", "observe")
            let page = try TinyvexTestClient(address, token: token)
            let admin = HTTPClient(address, token: try TokenTests.create(home, "--role", "admin"))
            let rows = try admin.get("/api/v1/devices").json()["data"]?.elements ?? []
            #expect(rows.map { $0["isCurrent"]?.boolValue } == [false, true])
            #expect(rows.first?["connections"]?.int64Value == 1)
            let answer = try admin.ask("DELETE", "/api/v1/devices/\(token.prefix(11))").json()
            #expect(answer["closedConnections"]?.int64Value == 1)
            try page.waitForEnd()
            #expect(page.closeCode == .policyViolation)
            #expect(try admin.ask("DELETE", "/api/v1/devices/tk_00000000").status == 400)
        }
    }

    @Test func theAuditLogNamesTheRequesterOfACodeAndNotTheCode() throws {
        try BridgeHome.with { home in
            let address = try TokenTests.serve(home)
            let code = try Self.code(home)
            let token = try #require(try Self.admit(address, code).json()["token"]?.stringValue)
            let log = String(decoding: try #require(FileBytes.read(home.path + "/state/audit.log")), as: UTF8.self)
            #expect(log.contains("code_issued") && log.contains("code of uid "))
            #expect(!log.contains(code) && !log.contains(token))
        }
    }
}
