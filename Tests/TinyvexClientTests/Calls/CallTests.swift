import Foundation
import JSONScan
import Synchronization
import Testing

#if TINYVEX_PORTABLE
    @testable import TinyvexClientPortable
#else
    @testable import TinyvexClient
#endif

@Suite(.timeLimit(.minutes(10))) struct CallTests {
    private struct Row: Codable, Equatable, Sendable { var title: String }

    /// Responds to mutations and actions with their own args and id.
    private static func echo() -> TestBridge {
        TestBridge { method, params, _ in
            guard let params, params["requestId"] != nil else { return "{}" }
            return
                #"{"requestId":\#(params["requestId"]?.rawString ?? ""),"value":\#(params["args"]?.rawString ?? "")}"#
        }
    }

    @Test func theResultOfAMutationIsDecoded() async throws {
        let client = Self.echo().client()
        #expect(try await client.mutation("m", args: Row(title: "x"), as: Row.self) == Row(title: "x"))
        let row: Row = try await client.mutation("m", with: ["title": "y"])
        #expect(row == Row(title: "y"))
        try await client.mutation("m", with: ["title": "z"])
    }

    @Test func theResultOfAnActionIsDecoded() async throws {
        let client = Self.echo().client()
        #expect(try await client.action("a", args: Row(title: "x"), as: Row.self) == Row(title: "x"))
        let row: Row = try await client.action("a", with: ["title": "y"])
        #expect(row == Row(title: "y"))
        try await client.action("a")
    }

    @Test func aValueThatDoesNotFitIsAnErrorWithItsPath() async throws {
        let client = Self.echo().client()
        do {
            _ = try await client.mutation("m", args: ["title": 7], as: Row.self)
            Issue.record("the value was decoded")
        } catch {
            guard case .decoding(let fault) = error else { throw error }
            #expect(fault.path == "title")
        }
    }

    @Test func anErrorFromTheBridgeKeepsItsData() async throws {
        let transport = InProcessTransport { peer in
            _ = try? await peer.receive()
            try? await peer.send(#"{"jsonrpc":"2.0","id":1,"result":{}}"#)
            _ = try? await peer.receive()
            try? await peer.send(
                #"{"jsonrpc":"2.0","id":2,"error":{"code":-32000,"message":"no","data":{"code":"TVX003","why":[1]}}}"#)
            _ = try? await peer.receive()
        }
        let client = TinyvexClient(configuration: TestBridge.clientConfiguration, transport: transport)
        do {
            try await client.mutation("m")
            Issue.record("the mutation succeeded")
        } catch {
            guard case .server("TVX003", "no", let data?) = error else { throw error }
            #expect(data["why"]?.rawString == "[1]")
        }
    }

    @Test func aMutationIsRepeatedUnderItsIdAfterALostConnection() async throws {
        let ids = Mutex<[String]>([])
        let bridge = TestBridge { _, params, peer in
            let id = params?["requestId"]?.stringValue ?? ""
            let isFirst = ids.withLock { ids in
                ids.append(id)
                return ids.count == 1
            }
            guard isFirst else { return #"{"requestId":"","value":1}"# }
            peer.cut()
            return nil
        }
        let client = bridge.client()
        #expect(try await client.mutation("m", as: Int.self) == 1)
        #expect(ids.withLock { $0.count == 2 && $0[0] == $0[1] && $0[0].count == 36 })
    }

    @Test(arguments: [("sessions:export", 2), ("sessions:prompt", 1)])
    func anActionIsRepeatedOnlyIfTheCatalogueMarksItIdempotent(name: String, times: Int) async throws {
        let bridge = TestBridge { _, _, peer in
            peer.cut()
            return nil
        }
        let client = bridge.client()
        let call = Task { try await client.action(name) }
        if times == 1 {
            await #expect(throws: TinyvexError.outcomeUnknown) { try await call.value }
        } else {
            #expect(await eventually { bridge.count(of: "tinyvex/action") >= times })
            client.close()
            await #expect(throws: TinyvexError.closed) { try await call.value }
        }
    }

    @Test func anActionIsRepeatedIfItsCallerMarksItIdempotent() async throws {
        let attempts = Mutex(0)
        let bridge = TestBridge { _, _, peer in
            let isFirst = attempts.withLock { attempts in
                attempts += 1
                return attempts == 1
            }
            if isFirst { peer.cut() }
            return isFirst ? nil : #"{"value":[]}"#
        }
        #expect(try await bridge.client().action("mine", as: [Int].self, isIdempotent: true) == [])
    }

    @Test func aCancelledCallThrowsAtOnce() async throws {
        let bridge = TestBridge { _, _, _ in nil }
        let client = bridge.client()
        let call = Task { try await client.action("a") }
        #expect(await eventually { bridge.count(of: "tinyvex/action") == 1 })
        call.cancel()
        await #expect(throws: TinyvexError.cancelled) { try await call.value }
    }
}
