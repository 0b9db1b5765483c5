import JSONScan
import RemoteAgent
import Resumption
import Testing
import TinyvexTransport

/// Transcripts of an editor's conversation with a remote agent over connections that are lost.
@Suite struct RemoteMachineTests {
    private let initialize = #"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{}}"#
    private let prompt = #"{"jsonrpc":"2.0","id":"p","method":"session/prompt","params":{"sessionId":"s"}}"#
    private let note = #"{"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":"s"}}"#

    private func machine(patience: Duration = .seconds(10)) -> RemoteMachine {
        RemoteMachine(patience: patience, seed: 1)
    }

    private let start = ContinuousClock.now

    /// This time after the start of the test.
    private func seconds(_ count: Int64) -> ContinuousClock.Instant { start + .seconds(count) }

    /// The answer of a bridge that has received this many of the editor's messages.
    private func bridge(has count: Int) -> (String) -> String? {
        { ["Acpbridge-Received": "\(count)", "Acp-Connection-Id": "c1"][$0] }
    }

    private func batch(_ texts: String..., receipt: Int? = nil) -> MessageBatch {
        var batch = MessageBatch()
        for text in texts { batch.append(Array(text.utf8)) }
        if let receipt { batch.keep(binary: Array("\(receipt)".utf8)) }
        return batch
    }

    private func outgoing(_ machine: inout RemoteMachine) -> [String] {
        machine.takeOutgoing().map { out in
            (out.receipt.map { ["#" + String(decoding: $0, as: UTF8.self)] } ?? [])
                + out.lines.map { String(decoding: $0, as: UTF8.self) }
        } ?? []
    }

    private func open(_ machine: inout RemoteMachine, has count: Int = 0) {
        let ending = machine.lineOpened(bridge(has: count))
        #expect(ending == nil)
    }

    private func say(_ lines: String..., to machine: inout RemoteMachine) {
        for line in lines {
            let told = machine.editorWrote(Array(line.utf8))
            #expect(told.isEmpty)
        }
    }

    /// An earlier fault: the agent's standard error was not transported.
    @Test func theAgentsStandardErrorIsNoLineForTheEditor() throws {
        var machine = RemoteMachine(patience: .zero, seed: 1)
        let text: [UInt8] = [0x00, 0xff] + Array("loading\n".utf8)
        let message = text.withUnsafeBytes { String(decoding: ErrorText.message($0), as: UTF8.self) }
        let update = #"{"jsonrpc":"2.0","method":"session/update","params":{}}"#
        #expect(try machine.bridgeSaid(batch(message, update)) == Array((update + "\n").utf8))
        #expect(machine.takeErrorText() == text && machine.takeErrorText().isEmpty)
    }

    @Test func onlyUnacknowledgedMessagesAreResent() throws {
        var machine = machine()
        #expect(machine.openingFields == [.init("Acpbridge-Received", "0")])
        say(initialize, prompt, to: &machine)
        #expect(outgoing(&machine) == [])
        open(&machine)
        #expect(outgoing(&machine) == [initialize, prompt])
        #expect(outgoing(&machine) == [])
        let update = #"{"jsonrpc":"2.0","method":"session/update","params":{}}"#
        let lines = try machine.bridgeSaid(batch(update, receipt: 1))
        #expect(lines == Array((update + "\n").utf8))
        say(note, to: &machine)
        #expect(outgoing(&machine) == ["#1", note])

        guard case .connect = machine.lineFailed(.lost(reason: "x"), at: seconds(1)) else {
            return #expect(Bool(false), "the machine gave up")
        }
        #expect(outgoing(&machine) == [])
        #expect(machine.openingFields == [.init("Acpbridge-Received", "1"), .init("Acp-Connection-Id", "c1")])
        open(&machine, has: 2)
        #expect(outgoing(&machine) == [note])
    }

    @Test func theMachineIsDoneWhenEverythingIsAcknowledgedAndAnswered() throws {
        var machine = machine()
        say(prompt, to: &machine)
        open(&machine)
        machine.editorEnded()
        #expect(!machine.isDone)
        _ = outgoing(&machine)
        _ = try machine.bridgeSaid(batch(receipt: 1))
        #expect(!machine.isDone)
        _ = try machine.bridgeSaid(batch(#"{"jsonrpc":"2.0","id":"p","result":{}}"#))
        #expect(machine.isDone)
    }

    @Test func openRequestsFailInOrderWhenRetriesEnd() throws {
        var machine = machine(patience: .seconds(10))
        say(prompt, initialize, note, to: &machine)
        open(&machine)
        _ = outgoing(&machine)
        _ = machine.lineFailed(.lost(reason: "the other side has gone"), at: seconds(1))
        for second in Int64(2)...5 {
            guard case .connect = machine.lineFailed(.unreachable(reason: "refused"), at: seconds(second)) else {
                return #expect(Bool(false), "the machine gave up after \(second) s")
            }
        }
        guard case .end(let ending) = machine.lineFailed(.unreachable(reason: "refused"), at: seconds(12)) else {
            return #expect(Bool(false), "the machine tried again")
        }
        let lines = String(decoding: machine.failures(because: ending), as: UTF8.self).split(separator: "\n")
        let errors = try lines.map { try JSONValue(validating: Array($0.utf8)) }
        #expect(errors.map { $0["id"]?.rawString } == [#""p""#, "0"])
        #expect(errors.allSatisfy { $0["error"]?["message"]?.stringValue?.contains("refused") == true })
    }

    @Test(
        arguments: [
            (.closed(code: 1011, reason: #"{"exitCode":3}"#), .agentExited(code: 3)),
            (.closed(code: 1011, reason: #"{"signal":9}"#), .agentKilled(signal: 9)),
            (.unauthorized, .failed("the token was not accepted")),
            (.refused(status: 404, reason: "Gone."), .failed("the server refused with status 404: Gone.")),
        ] as [(TransportFailure, RemoteEnding)])
    func permanentFailuresEndTheMachine(failure: TransportFailure, ending: RemoteEnding) {
        var machine = machine()
        open(&machine)
        let step = machine.lineFailed(failure, at: seconds(0))
        #expect(step == .end(ending))
    }

    @Test(
        arguments: [
            .closed(code: 1001, reason: "stopping"), .closed(code: 1012, reason: ""), .lost(reason: ""), .timedOut,
            .busy(retryAfter: nil), .refused(status: 502, reason: ""),
        ] as [TransportFailure])
    func temporaryFailuresAreRetried(failure: TransportFailure) {
        var machine = machine()
        open(&machine)
        guard case .connect = machine.lineFailed(failure, at: seconds(0)) else {
            return #expect(Bool(false), "the machine gave up")
        }
    }

    @Test func theFirstConnectionIsNotRetried() {
        var machine = machine()
        let step = machine.lineFailed(.unreachable(reason: "refused"), at: seconds(0))
        #expect(step == .end(.failed("no answer: refused")))
    }

    @Test func aServerWithoutResumptionIsUsedUntilItsConnectionIsLost() throws {
        var machine = machine()
        say(initialize, to: &machine)
        let ending = machine.lineOpened { _ in nil }
        #expect(ending == nil)
        #expect(outgoing(&machine) == [initialize])
        _ = try machine.bridgeSaid(batch(#"{"jsonrpc":"2.0","id":0,"result":{}}"#, receipt: 77))
        #expect(outgoing(&machine) == [])
        machine.editorEnded()
        #expect(machine.isDone)
        guard case .end = machine.lineFailed(.lost(reason: "x"), at: seconds(0)) else {
            return #expect(Bool(false), "the machine tried again")
        }
    }

    @Test func aBridgeThatLostMessagesEndsTheConversation() throws {
        var machine = machine()
        say(initialize, to: &machine)
        open(&machine)
        _ = outgoing(&machine)
        _ = try machine.bridgeSaid(batch(receipt: 1))
        _ = machine.lineFailed(.lost(reason: "x"), at: seconds(0))
        let ending = machine.lineOpened(bridge(has: 0))
        #expect(ending == .failed("the bridge has lost part of the conversation"))
        #expect(throws: RemoteEnding.self) { _ = try machine.bridgeSaid(batch(receipt: 9)) }
    }

    @Test func invalidJSONIsAnsweredLocally() {
        var machine = machine()
        open(&machine)
        let told = machine.editorWrote(Array("{noise".utf8))
        #expect(String(decoding: told, as: UTF8.self).contains("-32700"))
        #expect(outgoing(&machine) == [])
    }

    @Test func theMachineIsFullWhileTooManyBytesAreUnsent() throws {
        var machine = machine()
        let line = Array(#"{"method":"x","params":"\#(String(repeating: "y", count: 1 << 20))"}"#.utf8)
        for _ in 0..<4 { _ = machine.editorWrote(line) }
        #expect(machine.isFull)
    }
}
