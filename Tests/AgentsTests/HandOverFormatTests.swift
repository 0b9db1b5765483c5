import AgentProcess
import JSONCoding
import Testing

@testable import Agents

/// The JSON that a bridge hands over to the program that replaces it. Its names stay those of the first format. The
/// members of each text are in the order of their names, so that it can be compared.
@Suite struct HandOverFormatTests {
    private static let lifetime =
        #"{"hasEditor":false,"hasGuests":true,"hasTurn":true,"inputHasEnded":false,"#
        + #""policy":{"linger":{"_0":[0,9000000000000000000]}},"wasLeftAlone":false}"#

    private static let launch =
        #"{"agent":"codex","command":[{"bytes":"codex-acp"}],"directory":{"bytes":"/w"},"#
        + #""environment":[{"bytes":"A=1"}],"fileModeMask":18,"openFilesLimit":1024,"#
        + #""permissionLimit":[0,1000000000000000000],"stay":{"keep":{}}}"#

    private static func writer(_ fd: Int) -> String {
        #"{"filter":{"held":"","isMidLine":true,"limitBytes":100},"#
            + #""outlet":{"backlog":"x","fd":\#(fd),"isClosing":false},"waiting":["{}"]}"#
    }

    private static let router =
        #"{"asked":[],"clients":{},"guests":{},"hasEditor":true,"idCount":0,"idPrefix":"b-","open":[],"queues":{},"#
        + #""replaying":[],"staleAnswers":[],"turns":{}}"#

    private static let sessions =
        #"{"agentLines":{"carry":"","limitBytes":100,"unfinishedBytes":0},"#
        + #""editorLines":{"carry":"","limitBytes":100,"unfinishedBytes":0},"exchange":\#(router),"#
        + #""initializeResult":"{}","resumed":["s"],"sessions":[],"setups":{"s":{"result":"{}"}},"unpublishedLines":1}"#

    private static let run =
        #"{"answerCount":2,"command":[{"bytes":"cat"}],"#
        + #""editor":{"error":{"backlog":"","fd":9,"isClosing":true},"input":7,"output":\#(writer(8))},"#
        + #""errorTail":{"bytes":"no"},"guestCount":1,"hasOwnPermissionLimit":false,"name":"cat","permissionLimit":[0,1000000000000000000],"#
        + #""pipes":{"error":6,"input":\#(writer(4)),"output":5},"#
        + #""record":{"pid":3,"pipes":[10,11,12],"startTicks":13},"sessions":\#(sessions),"startedAt":14,"#
        + #""stay":\#(lifetime),"tenant":"t"}"#

    private func decode<Value: Decodable>(_ type: Value.Type, _ text: String) throws -> Value {
        var decoder = JSONTextDecoder()
        decoder.conversions.add([UInt8].self) { $0.stringBytes }
        return try decoder.decode(type, from: Array(text.utf8))
    }

    private func encode(_ value: some Encodable) throws -> String {
        var encoder = JSONTextEncoder(memberOrder: .sorted)
        encoder.conversions.add([UInt8].self) { RawJSON(String(decoding: $0, as: UTF8.self)) }
        return try String(decoding: encoder.encode(value), as: UTF8.self)
    }

    @Test func aLifetimeIsEncodedWithTheSameMemberNames() throws {
        let machine = try decode(LifetimeMachine.self, Self.lifetime)
        #expect(machine.policy == .linger(.seconds(9)) && machine.verdict == .stay && machine.outlivesEditor)
        #expect(try encode(machine) == Self.lifetime)
    }

    @Test func aLaunchRequestIsEncodedWithTheSameMemberNames() throws {
        let request = try decode(LaunchRequest.self, Self.launch)
        #expect(request.command == ["codex-acp"] && request.lifetime == .keep && request.permissionLimit == .seconds(1))
        #expect(try encode(request) == Self.launch)
    }

    @Test func aRunIsEncodedWithTheSameMemberNames() throws {
        let state = try decode(AgentRun.State.self, Self.run)
        #expect(state.descriptors == [4, 5, 6, 7, 8, 9])
        #expect(state.record == AgentRecord.Agent(pid: 3, startTicks: 13, pipes: [10, 11, 12]))
        #expect(try encode(state) == Self.run)
        // Only an agent's own limit stays with another program.
        #expect(state.permissionLimit(ofBridge: .seconds(9)).time == .seconds(9))
        #expect(state.permissionLimit(ofBridge: nil).time == nil)
    }

    @Test func aRunWithoutAnEditorIsDecoded() throws {
        let pipes = #"{"input":{"filter":{"held":"","isMidLine":false,"limitBytes":100},"waiting":[]}}"#
        let text =
            #"{"answerCount":0,"command":[],"errorTail":{"bytes":""},"guestCount":0,"name":"cat","pipes":\#(pipes),"#
            + #""record":{"pid":3,"pipes":[],"startTicks":0},"sessions":\#(Self.sessions),"startedAt":0,"#
            + #""stay":\#(Self.lifetime)}"#
        let state = try decode(AgentRun.State.self, text)
        #expect(state.descriptors == [] && state.editor == nil && state.permissionLimit == nil)
        #expect(state.permissionLimit(ofBridge: .seconds(9)).time == .seconds(9))
    }
}
