import JSONRPC
import JSONScan
import Testing

@testable import ACPRouting

/// Take-overs at random moments: while the agent asks, withdraws, works and is handed over. A failure prints its seed.
@Suite struct TakeOversTests {
    @Test(arguments: [1, 2]) func noRequestIsLostOrAnsweredTwice(version: Int) throws {
        for seed in 0..<UInt64(10) {
            var model = try TakeOverModel(version: version, seed: seed)
            for _ in 0..<10 where model.faults.isEmpty {
                for _ in 0..<Int.random(in: 0...12, using: &model.random) { try model.step() }
                try model.takeOver()
            }
            try model.finish()
            #expect(model.faults == [], "seed \(seed)")
        }
    }
}

/// One agent with one session `s`, its primary, and a controller that comes and goes. Request ids and client numbers are
/// not used twice.
private struct TakeOverModel {
    private enum Primary: Equatable { case editor, client(Int), none }

    /// A request of the agent.
    private struct Request {
        var isShared: Bool
        var isPermission: Bool
        var isWithdrawn = false
        /// The number of answers that the agent has received.
        var answers = 0
        /// True if the editor has received it and has not answered.
        var isAtEditor = false
        var clients: Set<Int> = []
    }

    var random: Generator
    private(set) var faults: [String] = []
    private let version: Int
    private var rig: RouterRig
    private var primary = Primary.editor
    private var controller: Int?
    private var present: Set<Int> = []
    private var lastClient = 0
    private var requests: [Int: Request] = [:]
    private var lastRequest = 0
    /// The open prompt: its sender and its id at the agent.
    private var prompt: (sender: Primary, number: Int, id: String?)?
    private var isRunning = false
    private var lastPrompt = 0
    /// The number of times that the agent has received each prompt.
    private var received: [Int: Int] = [:]
    /// The clients' answers by the prompt's number.
    private var answered: [Int: Int] = [:]

    init(version: Int, seed: UInt64) throws {
        random = Generator(state: seed)
        self.version = version
        rig = try RouterRig(version: version)
    }

    // MARK: Events

    private mutating func apply(_ events: [RequestRouter.Event]) {
        for case .delivery(let delivery) in events {
            switch delivery {
            case .toAgent(let line): agentGets(line)
            case .toClient(let client, let line, _): clientGets(client, line)
            case .toEditor: if primary != .editor { faults.append("a line for an editor that has left") }
            case .promptToClients: break
            case .childToClient, .answered: faults.append("unexpected delivery")
            }
        }
    }

    private mutating func agentGets(_ line: [UInt8]) {
        guard let message = try? JSONValue(validating: line) else { return faults.append("no JSON for the agent") }
        if message["method"]?.stringValue == "session/prompt" {
            let number = Int(message["params"]?["number"]?.int64Value ?? -1)
            received[number, default: 0] += 1
            if prompt?.number == number { prompt?.id = message["id"]?.rawString }
        } else if message["method"] == nil {
            agentIsAnswered(Int(message["id"]?.int64Value ?? -1))
        }
    }

    private mutating func agentIsAnswered(_ id: Int) {
        requests[id]?.answers += 1
        if requests[id]?.answers != 1 { faults.append("request \(id) has \(requests[id]?.answers ?? -1) answers") }
    }

    private mutating func clientGets(_ client: Int, _ line: [UInt8]) {
        if !present.contains(client) { faults.append("a line for client \(client), which has left") }
        guard let message = try? JSONValue(validating: line), let id = message["id"]?.int64Value else { return }
        guard message["method"] != nil else { return answered[Int(id), default: 0] += 1 }
        if requests[Int(id)]?.isWithdrawn == true { faults.append("\(id) was sent after its withdrawal") }
        if requests[Int(id)]?.clients.insert(client).inserted != true { faults.append("\(id) was sent twice") }
    }

    // MARK: Steps

    mutating func step() throws {
        switch Int.random(in: 0..<12, using: &random) {
        case 0...3: try ask()
        case 4: try withdraw()
        case 5: try answerAsPrimary()
        case 6: try answerAsController()
        case 7: answerFromPage()
        case 8: try sendPrompt()
        case 9: try continuePrompt()
        case 10: changeController()
        default: rig.router = try HandOverFormatTests.handedOver(rig.router)
        }
        checkWork()
    }

    private mutating func ask() throws {
        lastRequest += 1
        let methods = ["session/request_permission", "elicitation/create", version == 1 ? "fs/read_text_file" : "_x/y"]
        let kind = Int.random(in: 0..<3, using: &random)
        requests[lastRequest] = Request(
            isShared: kind < 2, isPermission: kind == 0, isAtEditor: primary == .editor)
        let params = #"{"sessionId":"s","mode":"url","options":[{"optionId":"y"}]}"#
        apply(try rig.agent(#"{"id":\#(lastRequest),"method":"\#(methods[kind])","params":\#(params)}"#))
    }

    private mutating func withdraw() throws {
        guard let id = open.filter({ !$0.value.isWithdrawn }).keys.sorted().randomElement(using: &random) else {
            return
        }
        requests[id]?.isWithdrawn = true
        apply(try rig.agent(#"{"method":"$/cancel_request","params":{"requestId":\#(id)}}"#))
    }

    private var open: [Int: Request] { requests.filter { $0.value.answers == 0 } }

    private func result(_ request: Request) -> String {
        request.isPermission ? #"{"outcome":{"outcome":"selected","optionId":"y"}}"# : #"{"action":"cancel"}"#
    }

    private mutating func answerAsPrimary() throws {
        switch primary {
        case .none: break
        case .client(let client): try answer(as: client) { _ in true }
        case .editor:
            // An editor also answers requests that another client has answered before it.
            let ids = requests.filter(\.value.isAtEditor).keys.sorted()
            guard let id = ids.randomElement(using: &random), let request = requests[id] else { return }
            requests[id]?.isAtEditor = false
            let line = #"{"id":\#(id),"result":\#(result(request))}"#
            let bytes = Array(line.utf8)
            if !rig.router.withholdsLineFromAgent(bytes.span) { agentIsAnswered(id) }
            apply(rig.editor(line))
        }
    }

    private mutating func answerAsController() throws {
        if let controller { try answer(as: controller) { $0.isShared && !$0.isWithdrawn } }
    }

    private mutating func answer(as client: Int, where matches: (Request) -> Bool) throws {
        let ids = open.filter { $0.value.clients.contains(client) && matches($0.value) }.keys.sorted()
        guard let id = ids.randomElement(using: &random), let request = requests[id] else { return }
        apply(try rig.router.clientAnswered(client, RequestID(id), Reply(result: Array(result(request).utf8))))
    }

    private mutating func answerFromPage() {
        let ids = open.filter { $0.value.isShared && !$0.value.isWithdrawn }.keys.sorted()
        guard let id = ids.randomElement(using: &random), let request = requests[id] else { return }
        let reply = Reply(result: Array(result(request).utf8))
        let events =
            request.isPermission
            ? try? rig.router.answerPermission("s", RequestID(id), reply, by: "page")
            : try? rig.router.answerElicitation("s", RequestID(id), reply, by: "page")
        guard let events else { return faults.append("the page could not answer \(id)") }
        apply(events)
    }

    private mutating func changeController() {
        if let client = controller {
            controller = nil
            present.remove(client)
            apply(rig.router.clientLeft(client))
        } else {
            let client = attach()
            controller = client
            apply(rig.router.clientJoined(client, session: "s"))
        }
    }

    private mutating func attach() -> Int {
        lastClient += 1
        present.insert(lastClient)
        rig.router.clientAttached(lastClient, name: "c\(lastClient)")
        return lastClient
    }

    // MARK: Prompts

    /// The primary sends a prompt, if none is open.
    private mutating func sendPrompt() throws {
        guard prompt == nil, !isRunning, primary != .none else { return }
        lastPrompt += 1
        let params = #"{"sessionId":"s","prompt":[],"number":\#(lastPrompt)}"#
        if case .client(let client) = primary {
            prompt = (primary, lastPrompt, nil)
            apply(
                try rig.router.clientRequested(
                    client, RequestID(lastPrompt), "session/prompt", JSONValue(validating: Array(params.utf8)), at: 0))
        } else {
            prompt = (primary, lastPrompt, #""e\#(lastPrompt)""#)
            received[lastPrompt] = 1
            apply(rig.editor(#"{"id":"e\#(lastPrompt)","method":"session/prompt","params":\#(params)}"#))
        }
    }

    /// The agent answers the prompt. In version 2 its turn begins with the answer, and ends in a later step.
    private mutating func continuePrompt() throws {
        if isRunning {
            isRunning = false
            return apply(try rig.state("s", "idle", #","stopReason":"end_turn""#))
        }
        guard let (sender, number, id) = prompt, let id else { return }
        let isExpected = if case .client(let client) = sender { present.contains(client) } else { false }
        prompt = nil
        isRunning = version == 2
        let result = version == 1 ? #"{"stopReason":"end_turn"}"# : #"{"messageId":"m\#(number)"}"#
        apply(try rig.agent(#"{"id":\#(id),"result":\#(result)}"#))
        if (answered[number] ?? 0) != (isExpected ? 1 : 0) { faults.append("prompt \(number): wrong answers") }
        guard version == 2 else { return }
        apply(try rig.update("s", #""sessionUpdate":"user_message","messageId":"m\#(number)""#))
        apply(try rig.state("s", "running"))
    }

    /// A working agent is never taken for an idle one.
    private mutating func checkWork() {
        if prompt != nil || isRunning, !rig.router.hasRunningTurn { faults.append("a turn was lost") }
        let pending = open.values.filter { $0.isPermission && !$0.isWithdrawn }.count
        if rig.router.pendingPermissions.count != pending { faults.append("pending permissions") }
    }

    // MARK: Take-overs

    /// The primary leaves, and some time later another client has the agent. A client whose connection was lost leaves
    /// after its successor has come.
    mutating func takeOver() throws {
        let old = primary
        let leavesLater = if case .client = old { Bool.random(using: &random) } else { false }
        if !leavesLater {
            leave(old)
            primary = .none
            for _ in 0..<Int.random(in: 0...4, using: &random) { try step() }
        }
        let client = attach()
        primary = .client(client)
        apply(rig.router.clientTookOver(client))
        apply(rig.router.clientJoined(client, session: "s"))
        if leavesLater { leave(old) }
        for (id, request) in open where !request.isWithdrawn && !request.clients.contains(client) {
            faults.append("client \(client) did not get the request \(id)")
        }
        checkWork()
    }

    private mutating func leave(_ old: Primary) {
        switch old {
        case .none: break
        case .editor:
            for id in requests.keys { requests[id]?.isAtEditor = false }
            primary = .none
            rig.router.editorGone()
        case .client(let client):
            present.remove(client)
            apply(rig.router.clientLeft(client))
        }
    }

    /// The last client answers everything, and the agent ends its turn.
    mutating func finish() throws {
        for _ in 0...requests.count { try answerAsPrimary() }
        apply(rig.router.expire(at: 0))
        try continuePrompt()
        if isRunning { try continuePrompt() }
        for (id, request) in requests where request.answers != 1 {
            faults.append("request \(id) has \(request.answers) answers at the end")
        }
        if received.values.contains(where: { $0 != 1 }) { faults.append("a prompt was sent again") }
        if rig.router.hasRunningTurn { faults.append("work remains") }
    }
}
