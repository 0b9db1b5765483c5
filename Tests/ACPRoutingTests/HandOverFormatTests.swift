import JSONCoding
import JSONRPC
import JSONScan
import Testing

@testable import ACPRouting

/// The JSON that a bridge hands over to the program that replaces it. Its names stay those of the first format.
@Suite struct HandOverFormatTests {
    /// Written in the order of the members' names, so that the text can be compared.
    private static let router =
        #"{"asked":[{"askedGuests":[1],"id":5,"line":"{}","method":"session/request_permission","number":1,"#
        + #""options":["yes"],"params":"{}","session":"s","since":100}],"askedCount":1,"clients":{"3":"uid 0"},"#
        + #""guests":{"1":{"name":"ann","sessions":["s"]}},"hasEditor":false,"idCount":2,"idPrefix":"b-","#
        + #""open":["b-2",{"asker":{"guest":{"_0":1,"id":7}},"kind":{"prompt":{"id":"s"}}}],"primary":1,"#
        + #""queues":{"s":[{"asker":{"bridge":{"_0":3}},"by":"uid 0","params":"{}","since":60}]},"#
        + #""replaying":["t"],"staleAnswers":[4,1],"turns":{"s":[{"by":"ann","request":"b-2","since":40}]}}"#

    private var decoder: JSONTextDecoder {
        var decoder = JSONTextDecoder()
        decoder.conversions.add([UInt8].self) { $0.stringBytes }
        return decoder
    }

    private var encoder: JSONTextEncoder {
        var encoder = JSONTextEncoder(memberOrder: .sorted)
        encoder.conversions.add([UInt8].self) { RawJSON(String(decoding: $0, as: UTF8.self)) }
        return encoder
    }

    /// The router as the next program gets it.
    static func handedOver(_ router: RequestRouter) throws -> RequestRouter {
        let tests = HandOverFormatTests()
        return try tests.decoder.decode(RequestRouter.self, from: tests.encoder.encode(router))
    }

    @Test func aRouterIsEncodedWithTheSameMemberNames() throws {
        let router = try decoder.decode(RequestRouter.self, from: Array(Self.router.utf8))
        #expect(try String(decoding: encoder.encode(router), as: UTF8.self) == Self.router)
    }

    @Test func aHandedOverRouterContinuesItsTurn() throws {
        var router = try decoder.decode(RequestRouter.self, from: Array(Self.router.utf8))
        #expect(router.isReplaying("t") && router.judgesEditor && router.judgesAgent && router.primaryName == "ann")
        let answer = Array(#"{"id":"b-2","result":{"stopReason":"end_turn"}}"#.utf8)
        let prompt = Array(#"{"jsonrpc":"2.0","id":"b-3","method":"session/prompt","params":{}}"#.utf8)
        #expect(
            try router.agentWrote(answer.span, scanEnvelope(answer.span)) == [
                .fact(.turnEnded(id: "s", outcome: Array(#"{"stopReason":"end_turn"}"#.utf8))),
                .fact(.queueChanged(id: "s")),
                .fact(.promptSent(id: "s", params: Array("{}".utf8), by: "uid 0")),
                .delivery(.promptToClients(session: "s", params: Array("{}".utf8), sender: nil)),
                .delivery(.toAgent(prompt)),
                .delivery(
                    .toClient(
                        1, Array(#"{"jsonrpc":"2.0","id":7,"result":{"stopReason":"end_turn"}}"#.utf8), session: "s")),
            ])
    }

    @Test func aRouterInTheFirstFormatIsDecoded() throws {
        let text =
            #"{"open":[1,{"asker":{"editor":{}},"kind":{"continuing":{"id":"s"}}}],"asked":[],"staleAnswers":[],"#
            + #""turns":{},"queues":{},"guests":{},"clients":{},"hasEditor":true,"replaying":[],"idPrefix":"b-","#
            + #""idCount":0}"#
        let router = try decoder.decode(RequestRouter.self, from: Array(text.utf8))
        #expect(!router.isIdle && router.primary == nil && router.pendingPermissions.isEmpty)
    }

    @Test func aHandedOverQueueGivesNoTimeTwice() throws {
        var rig = try RouterRig(version: 1)
        for number in 1...2 { _ = try rig.prompt(number, "s") }
        let waiting = try #require(rig.router.queues["s"]?.first)
        _ = rig.router.unqueue(waiting, in: "s")
        rig.router = try Self.handedOver(rig.router)
        #expect(try rig.prompt(3, "s") == nil)
        #expect(rig.router.queues["s"]?.map(\.since) == [waiting.since + 1])
    }

    @Test func aSessionSetupIsEncodedWithTheSameMemberNames() throws {
        let text = #"{"mode":"ask","options":"[]","result":"{}"}"#
        let setup = try decoder.decode(SessionSetup.self, from: Array(text.utf8))
        #expect(try String(decoding: encoder.encode(setup), as: UTF8.self) == text)
    }
}
