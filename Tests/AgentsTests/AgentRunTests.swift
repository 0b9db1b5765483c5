import AgentProcess
import Glibc
import JSONRPC
import JSONScan
import SessionRecords
import TestSupport
import Testing
import Tinyvex

@testable import ACPRouting
@testable import Access
@testable import Agents
@testable import EventLoop
@testable import Pipes
@testable import Posix
@testable import SessionStreams

/// The outer ends of an editor's streams.
@LoopActor private final class EditorEnds {
    private(set) var received: [UInt8] = []
    private(set) var hasEnded = false
    private let input: Int32
    private let error: Int32
    private var reader: PipeReader?

    init(_ run: AgentRun, changed: @escaping @LoopActor () -> Void) throws {
        let input = try Pipe().ends(), output = try Pipe().ends(), error = try Pipe().ends()
        for fd in [input.read, output.read, output.write, error.write] { setNonBlocking(fd) }
        (self.input, self.error) = (input.write, error.read)
        reader = PipeReader(ByteStream(Descriptor(owning: output.read))) { [weak self] in
            self?.received += $0
            changed()
        } ended: { [weak self] in
            self?.hasEnded = true
            changed()
        }
        try reader?.start()
        try run.start(
            EditorStreams(
                input: ByteStream(Descriptor(owning: input.read)), output: ByteStream(Descriptor(owning: output.write)),
                error: ByteStream(Descriptor(owning: error.write))
            ).release())
    }

    func write(_ text: String) {
        _ = Array(text.utf8).withUnsafeBytes { Glibc.write(input, $0.baseAddress, $0.count) }
    }

    func closeInput() { Glibc.close(input) }

    func close() {
        reader?.close()
        reader = nil
        Glibc.close(error)
    }
}

@Suite(.timeLimit(.minutes(1))) struct AgentRunTests {
    init() { LoopThread.start }

    @Test @LoopActor func aPrimarysLinesReachTheAgentAndTheAgentsLinesReachThePrimary() async throws {
        let rig = try AgentRig()
        let run = try rig.run("cat")
        let number = try rig.becomePrimary(of: run)
        #expect(run.primaryName == "ann" && !run.isKept && !run.isEnding)
        try run.sessions?.withRouter { (router) throws(ClientRefusal) in
            try router.clientRequested(number, RequestID(7), "_x/y", nil, at: 0)
        }
        // `cat` sends the request back, so the primary receives it as a request of the agent.
        await rig.until { !rig.lines.isEmpty }
        #expect(rig.lines.first?.hasSuffix(#","method":"_x/y"}"#) == true)
        run.end()
        await rig.until { rig.status != nil }
        #expect(rig.status == .exited(code: 0))
        let error = #"{"code":-32603,"message":"test has exited with status 0"}"#
        #expect(rig.lines.last == #"{"jsonrpc":"2.0","id":7,"error":\#(error)}"#)
        #expect(run.sessions == nil && run.state == nil)
        await rig.close()
    }

    @Test(arguments: [true, false]) @LoopActor func onlyAClientThatCanControlAnAgentKeepsIt(canControl: Bool)
        async throws
    {
        let rig = try AgentRig()
        rig.canControl = canControl
        let run = try rig.run("cat")
        try run.startForRemoteClient()
        _ = run.admit(rig, name: "ann")
        #expect(run.isEnding == !canControl)
        run.end()
        await rig.until { rig.status != nil }
        await rig.close()
    }

    @Test @LoopActor func aRequestToAnAgentThatHasLeftIsAnswered() async throws {
        let rig = try AgentRig()
        let run = try rig.run("true")
        try run.startUnattended()
        await rig.until { rig.status != nil }
        var errors: [String] = []
        func take(_ reply: Reply) { errors.append(String(decoding: reply.error ?? [], as: UTF8.self)) }
        let params = try JSONValue(validating: Array(#"{"sessionId":"s","prompt":[]}"#.utf8))
        try run.prompt(session: "s", params: params, by: "ann", queues: true, then: take)
        run.ask("session/close", params, by: "ann", then: take)
        #expect(errors == Array(repeating: #"{"code":-32603,"message":"the agent has ended"}"#, count: 2))
        await rig.close()
    }

    @Test @LoopActor func bytesFromTheEditorPassUnchanged() async throws {
        let rig = try AgentRig()
        let run = try rig.run("cat")
        let editor = try EditorEnds(run) { rig.wake() }
        let text = "{\"id\":1,\"method\":\"_x\"}\nno JSON\n\nhalf a line"
        editor.write(text)
        await rig.until { editor.received.count == text.utf8.count }
        #expect(String(decoding: editor.received, as: UTF8.self) == text)
        #expect(run.primaryName == "editor" && run.state?.descriptors.count == 6)
        editor.closeInput()
        await rig.until { rig.status != nil && editor.hasEnded }
        #expect(rig.status == .exited(code: 0))
        editor.close()
        await rig.close()
    }

    /// An earlier fault: the bridge noticed the end of an editor before it had read its prompt.
    @Test @LoopActor func whatAnEditorWroteBeforeItLeftReachesTheAgent() async throws {
        let rig = try AgentRig()
        let folder = TemporaryFolder()
        let file = folder.path + "/received"
        let run = try rig.run("sh", "-c", SystemString("cat > '\(file)'"), policy: .keep)
        let editor = try EditorEnds(run) { rig.wake() }
        let line = "{\"id\":1,\"method\":\"_x\"}\n"
        editor.write(line)
        run.editorGone()
        run.end()
        await rig.until { rig.status != nil }
        var received = [UInt8](repeating: 0, count: 100)
        let fd = open(file, O_RDONLY | O_CLOEXEC)
        let count = read(fd, &received, received.count)
        close(fd)
        #expect(String(decoding: received.prefix(max(0, count)), as: UTF8.self) == line)
        editor.closeInput()
        editor.close()
        await rig.close()
    }

    @Test @LoopActor func aRequestForASessionOfAnotherAgentIsAnsweredAndNeverReachesTheAgent() async throws {
        let rig = try AgentRig()
        let run = try rig.run("cat")
        run.sessions?.openings.conflicts = SessionConflicts {
            true
        } verdict: { session in
            session == "taken" ? .refused(Rejection(.unsupportedProtocolVersion, "no")) : .free
        } release: { _, _ in
        }
        let editor = try EditorEnds(run) { rig.wake() }
        let load = #"{"id":"l","method":"session/load","params":{"sessionId":"taken"}}"#
        let other = #"{"id":"m","method":"session/load","params":{"sessionId":"free"}}"#
        // The line arrives in two parts, and half of another line comes last.
        editor.write(String(load.prefix(20)))
        editor.write(String(load.dropFirst(20)) + "\n" + other + "\nhalf a line")
        editor.closeInput()
        await rig.until { rig.status != nil && editor.hasEnded }
        let lines = String(decoding: editor.received, as: UTF8.self).split(separator: "\n")
        #expect(lines.contains { $0.contains(#""id":"l""#) && $0.contains("-32022") })
        #expect(!lines.contains { $0.contains("taken") })
        #expect(lines.contains { $0 == other } && lines.contains("half a line"))
        editor.close()
        await rig.close()
    }

    /// An earlier fault: the agent got a request for another agent's session if it stood in an array with other messages.
    @Test @LoopActor func requestsOfAnArrayAreRefusedOrPassedOnOneByOne() async throws {
        let rig = try AgentRig()
        let run = try rig.run("cat")
        var finish: (@LoopActor (Rejection?) -> Void)?
        run.sessions?.openings.conflicts = SessionConflicts {
            true
        } verdict: { session in
            let refusal = Rejection(.unsupportedProtocolVersion, "no")
            return session == "taken" ? .refused(refusal) : session == "idle" ? .releasable(refusal) : .free
        } release: { _, then in
            finish = then
        }
        let editor = try EditorEnds(run) { rig.wake() }
        func load(_ session: String) -> String {
            #"{"id":"\#(session)","method":"session/load","params":{"sessionId":"\#(session)"}}"#
        }
        let other = #"{"id":1,"method":"_x"}"#
        func lines() -> Set<String> {
            Set(String(decoding: editor.received, as: UTF8.self).split(separator: "\n").map(String.init))
        }
        editor.write("[\(load("taken")),\(other),\(load("idle"))]\n")
        await rig.until { lines().count == 2 }
        #expect(lines().contains("[\(other)]"))
        #expect(lines().contains { $0.contains(#""id":"taken""#) && $0.contains("-32022") })
        finish?(nil)
        await rig.until { lines().count == 3 }
        #expect(lines().contains("[\(load("idle"))]"))
        editor.closeInput()
        await rig.until { rig.status != nil && editor.hasEnded }
        editor.close()
        await rig.close()
    }

    /// The sessions that another agent is asked to give up, with the handlers of the outcome.
    @LoopActor private final class AskedReleases {
        var handlers: [String: @LoopActor (Rejection?) -> Void] = [:]

        static let refusal = Rejection(.unsupportedProtocolVersion, "no")

        var conflicts: SessionConflicts {
            SessionConflicts {
                true
            } verdict: { _ in
                .releasable(Self.refusal)
            } release: { [unowned self] session, finish in
                handlers[session] = finish
            }
        }
    }

    @Test @LoopActor func aRequestThatWaitsForAnotherAgentIsPassedOnOrRefusedLater() async throws {
        let rig = try AgentRig()
        let run = try rig.run("cat")
        let asked = AskedReleases()
        run.sessions?.openings.conflicts = asked.conflicts
        let editor = try EditorEnds(run) { rig.wake() }
        func load(_ session: String) -> String {
            #"{"id":"\#(session)","method":"session/load","params":{"sessionId":"\#(session)"}}"#
        }
        func lines() -> [Substring] { String(decoding: editor.received, as: UTF8.self).split(separator: "\n") }
        let other = #"{"id":1,"method":"_x"}"#
        editor.write([load("freed"), load("kept"), other].map { $0 + "\n" }.joined())
        await rig.until { lines() == [Substring(other)] }
        #expect(run.canBeHandedOver == false && asked.handlers.keys.sorted() == ["freed", "kept"])
        asked.handlers["kept"]?(AskedReleases.refusal)
        asked.handlers["freed"]?(nil)
        await rig.until { lines().count == 3 }
        #expect(lines().contains { $0.contains(#""id":"kept""#) && $0.contains("-32022") })
        #expect(lines().contains { $0 == load("freed") } && run.canBeHandedOver)
        editor.closeInput()
        await rig.until { rig.status != nil && editor.hasEnded }
        editor.close()
        await rig.close()
    }

    @Test @LoopActor func sixteenRequestsOfOneChunkWaitForOtherAgentsAndFurtherOnesAreRefused() async throws {
        let rig = try AgentRig()
        let run = try rig.run("cat")
        let asked = AskedReleases()
        run.sessions?.openings.conflicts = asked.conflicts
        let editor = try EditorEnds(run) { rig.wake() }
        let loads = (1...20).map { #"{"id":\#($0),"method":"session/load","params":{"sessionId":"s\#($0)"}}"# + "\n" }
        editor.write(loads.joined())
        await rig.until { editor.received.count { $0 == 0x0a } == 4 }
        #expect(asked.handlers.keys.sorted() == (1...16).map { "s\($0)" }.sorted())
        let answers = String(decoding: editor.received, as: UTF8.self).split(separator: "\n")
        #expect(answers.allSatisfy { $0.contains("-32022") } && answers.first?.contains(#""id":17"#) == true)
        editor.closeInput()
        await rig.until { rig.status != nil && editor.hasEnded }
        editor.close()
        await rig.close()
    }

    @Test @LoopActor func anIdleAgentEndsWhenItsPrimaryLeaves() async throws {
        let rig = try AgentRig()
        let run = try rig.run("cat")
        let number = try rig.becomePrimary(of: run)
        run.dismiss(number)
        #expect(run.isEnding && run.state == nil)
        await rig.until { rig.status != nil }
        #expect(rig.status == .exited(code: 0))
        await rig.close()
    }

    @Test @LoopActor func aKeptAgentStaysWithoutClients() async throws {
        let rig = try AgentRig()
        let run = try rig.run("cat", policy: .keep)
        let number = try rig.becomePrimary(of: run)
        run.dismiss(number)
        rig.time.advance(by: .seconds(100_000))
        #expect(run.isKept && !run.isEnding)
        run.end()
        await rig.until { rig.status != nil }
        await rig.close()
    }

    @Test @LoopActor func anAgentThatIgnoresTheEndOfItsInputIsKilled() async throws {
        let rig = try AgentRig()
        let ready = #"{"method":"_ready"}"#
        let run = try rig.run("sh", "-c", SystemString(#"trap "" TERM; echo '\#(ready)'; exec sleep 1000"#))
        _ = try rig.becomePrimary(of: run)
        await rig.until { rig.lines == [ready] }
        run.end()
        rig.time.advance(by: .seconds(3))
        #expect(rig.status == nil)
        rig.time.advance(by: .seconds(2))
        await rig.until { rig.status != nil }
        #expect(rig.status == .signaled(signal: SIGKILL))
        await rig.close()
    }

    /// The flood is in the pipe before the first read. Otherwise a line could end with a small read, whose work is only
    /// estimated.
    @Test @LoopActor func aFloodIsReadLaterWhileAnotherAgentWritesLittle() async throws {
        let rig = try AgentRig()
        let fifo = rig.folder.path + "/written"
        #expect(mkfifo(fifo, 0o600) == 0)
        let steady = try rig.run(
            "sh", "-c",
            SystemString(
                "read -r line < '\(fifo)'; echo '{\"method\":\"_steady\"}'; read -r line; echo '{\"method\":\"_again\"}'; cat"
            ))
        let number = try rig.becomePrimary(of: steady)
        let long = #"printf '{"method":"_flood","params":"%0100000d"}\n' 0;"#
        let flood = try rig.run("sh", "-c", SystemString("\(long)\(long)\(long) echo > '\(fifo)'; exec cat"))
        _ = try rig.becomePrimary(of: flood)
        flood.pause(true)
        await rig.until { rig.lines.count == 1 }
        rig.workOnLine = .milliseconds(10)
        flood.pause(false)
        await rig.until { rig.lines.count == 2 }
        try steady.sessions?.withRouter { (router) throws(ClientRefusal) in
            try router.clientRequested(number, RequestID(7), "_go", nil, at: 0)
        }
        await rig.until { rig.lines.contains { $0.contains("_again") } }
        for count in 1...3 {
            #expect(rig.lines.count { $0.contains("_flood") } == count)
            guard count < 3 else { break }
            rig.time.advance(by: FloodLimit.longestPause)
            await rig.until { rig.lines.count { $0.contains("_flood") } > count }
        }
        steady.end()
        flood.end()
        await rig.until { rig.status != nil }
        await rig.close()
    }

    @Test @LoopActor func anUpdateOpensItsSession() async throws {
        let rig = try AgentRig()
        let update = #"{"method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"plan"}}}"#
        let ready = #"{"method":"_ready"}"#
        let run = try rig.run("sh", "-c", SystemString("echo '\(update)'; echo noise; echo '\(ready)'; exec cat"))
        _ = try rig.becomePrimary(of: run)
        await rig.until { rig.lines == [ready] }
        #expect(run.sessions?.sessions["s"]?.isLive == true)
        #expect(run.sessions?.unpublishedLines == 1)
        run.end()
        await rig.until { rig.status != nil }
        await rig.close()
    }
}
