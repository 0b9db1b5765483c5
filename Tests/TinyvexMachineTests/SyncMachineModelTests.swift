import JSONScan
import Testing
import TinyvexTransport

@testable import TinyvexMachine

/// A bridge with one value and one session. It handles the client's requests in order, later than the client sends them.
private struct ModelBridge {
    private(set) var value = 0
    private(set) var lineCount: Int64 = 0
    private var requests: ArraySlice<JSONValue> = []
    private var messages: ArraySlice<String> = []
    /// The open subscriptions to the value, with the number of the last one that was sent.
    private var values: [Int: Int64] = [:]
    private var follower: Int?

    var isIdle: Bool { requests.isEmpty && messages.isEmpty }

    mutating func receive(_ text: [UInt8]) {
        if let request = try? JSONValue(validating: text) { requests.append(request) }
    }

    mutating func loseConnection() {
        (requests, messages, values, follower) = ([], [], [:], nil)
    }

    mutating func takeMessages(_ count: Int) -> [String] {
        defer { messages = messages.dropFirst(count) }
        return Array(messages.prefix(count))
    }

    mutating func changeValue() {
        value += 1
        for subId in values.keys.sorted() { sendValue(subId) }
    }

    private mutating func sendValue(_ subId: Int) {
        guard let seq = values[subId] else { return }
        values[subId] = seq + 1
        guard value % 2 == 1 else { return messages.append(.data(subId, seq + 1, "\(value)")) }
        // In three parts, of which the last one has the value.
        for part in 0..<3 {
            let chunk = part < 2 ? "" : "\(value)"
            messages.append(
                .notification(
                    "tinyvex/transitionChunk",
                    #"{"subId":"\#(subId)","seq":\#(seq + 1),"chunk":"\#(chunk)","part":\#(part),"total":3,"#
                        + #""transitionId":"\#(subId)-\#(seq)-\#(value)"}"#))
        }
    }

    mutating func addLine() {
        lineCount += 1
        if follower != nil { messages.append(.update("\(lineCount)")) }
    }

    mutating func handleRequest() {
        guard let request = requests.popFirst(), let id = request["id"]?.int64Value.map({ Int($0) }) else { return }
        let subId = request["params"]?["subId"]?.stringValue.flatMap { Int($0) } ?? 0
        switch request["method"]?.stringValue {
        case "tinyvex/subscribe": subscribe(id, subId, request["params"])
        case "tinyvex/unsubscribe":
            values[subId] = nil
            if follower == subId { follower = nil }
            messages.append(.result(id))
        default: messages.append(.result(id))
        }
    }

    private mutating func subscribe(_ id: Int, _ subId: Int, _ params: JSONValue?) {
        let last = params?["lastSeq"]?.int64Value
        guard params?["name"]?.stringValue == "acp:sessionUpdates" else {
            let seq = last ?? 0
            messages.append(.accepted(id, resumed: false, start: seq + 1, head: seq + 1, journal: ""))
            values[subId] = seq
            return sendValue(subId)
        }
        // As the real bridge does for a second subscription to the session on one connection.
        guard follower == nil else { return messages.append(.error(id, "TVX002")) }
        follower = subId
        let start = last ?? lineCount
        messages.append(.accepted(id, start: start + 1, head: lineCount))
        for line in stride(from: start + 1, through: lineCount, by: 1) { messages.append(.update("\(line)")) }
    }
}

/// A client of that bridge, with readers that come and go while the connection is lost now and then.
private struct ModelClient {
    private enum Reader: Equatable {
        case value(newest: Int?)
        case lines(target: StreamTarget, next: Int64)
    }

    private var machine: SyncMachine
    private var now = ContinuousClock.now
    private var connection: ConnectionID?
    private var bridge = ModelBridge()
    private var readers: [Int: Reader] = [:]
    private var readerCount = 0
    private var random: UInt64
    private(set) var faults: [String] = []

    init(seed: UInt64) {
        random = seed
        machine = SyncMachine(SyncConfiguration(endpoint: .unix(path: "/b")), token: nil, seed: seed, now: now)
    }

    /// Returns a number from 0 to `limit - 1`, the same for the same seed on every machine.
    private mutating func pick(_ limit: Int) -> Int {
        random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int(random >> 33) % limit
    }

    mutating func act() {
        switch pick(16) {
        case 0, 1: join(.value(newest: nil))
        case 2, 3: follow(Self.targets[pick(Self.targets.count)])
        case 4, 5, 6: if !readers.isEmpty { leave(readers.keys.sorted()[pick(readers.count)]) }
        case 7: bridge.changeValue()
        case 8: bridge.addLine()
        case 9: if pick(4) == 0 { lose() }
        case 10, 11, 12: bridge.handleRequest()
        default: deliver(bridge.takeMessages(1 + pick(3)))
        }
    }

    /// Lets all that was begun come to its end.
    mutating func settle() {
        for _ in 0..<1000 {
            if connection == nil { pass() }
            while !bridge.isIdle {
                bridge.handleRequest()
                deliver(bridge.takeMessages(8))
            }
        }
    }

    mutating func leaveAll() { for reader in readers.keys.sorted() { leave(reader) } }

    /// The readers that lack a value or lines.
    var missing: [String] {
        readers.sorted { $0.key < $1.key }.compactMap { number, reader in
            switch reader {
            case .value(let newest):
                newest == bridge.value ? nil : "\(number) has \(newest.map(String.init) ?? "no value")"
            case .lines(_, let next): next == bridge.lineCount + 1 ? nil : "\(number) waits for line \(next)"
            }
        }
    }

    /// The streams that are left.
    var streams: [Int] { (1...max(1, readerCount)).filter { machine.streams[$0] != nil } }

    // MARK: Readers

    private static let list = StreamTarget(name: "q:list", params: Array("{}".utf8))
    /// One session under two references.
    private static let targets = [#"{"sessionId":"s"}"#, #"{"agent":"a","sessionId":"s"}"#].map {
        StreamTarget(name: "acp:sessionUpdates", params: Array($0.utf8))
    }

    private mutating func join(_ reader: Reader) {
        readerCount += 1
        readers[readerCount] = reader
        let target = if case .lines(let target, _) = reader { target } else { Self.list }
        handle(.subscribe(SubscriberID(number: readerCount), target, start: .after(0), policy: nil))
    }

    /// A session can be followed under one reference at a time.
    private mutating func follow(_ target: StreamTarget) {
        let isTaken = readers.values.contains { if case .lines(let other, _) = $0 { other != target } else { false } }
        join(.lines(target: target, next: 1))
        let isRefused = readers[readerCount] == nil
        if isRefused != isTaken { faults.append("reader \(readerCount) was \(isRefused ? "" : "not ")refused") }
    }

    private mutating func leave(_ reader: Int) {
        readers[reader] = nil
        handle(.unsubscribe(SubscriberID(number: reader)))
    }

    // MARK: The connection

    private mutating func lose() {
        guard let connection else { return pass() }
        self.connection = nil
        bridge.loseConnection()
        handle(.failed(connection, .lost(reason: "cut")))
    }

    private mutating func pass() {
        guard let deadline = machine.deadline else { return }
        now = max(now, deadline)
        handle(.timerFired(lastHeard: now))
    }

    private mutating func deliver(_ texts: [String]) {
        guard let connection, !texts.isEmpty else { return }
        var batch = MessageBatch()
        for text in texts { batch.append(Array(text.utf8)) }
        handle(.arrived(connection, batch))
    }

    private mutating func handle(_ event: SyncMachine.Event) {
        for action in machine.handle(event, at: now) {
            switch action {
            case .connect(let id, _):
                connection = id
                handle(.connected(id))
            case .send(let id, let text):
                bridge.receive(text)
                handle(.sent(id, bytes: text.count))
            case .deliver(let subscriber, .lines(let run)): got(run, subscriber.number)
            case .deliverValue(let subscriber, let value): got(value, subscriber.number)
            case .fail(let subscriber, let error):
                guard case .server("TVX002", _, _) = error else {
                    faults.append("\(subscriber.number) fails: \(error)")
                    continue
                }
                readers[subscriber.number] = nil
            default: break
            }
        }
    }

    private mutating func got(_ value: StreamValue, _ reader: Int) {
        guard case .value = readers[reader] else { return faults.append("\(reader) has left, or wants lines") }
        readers[reader] = .value(newest: Int(String(decoding: value.text, as: UTF8.self)))
    }

    private mutating func got(_ run: LineRun, _ reader: Int) {
        guard case .lines(let target, let next) = readers[reader] else {
            return faults.append("\(reader) has left, or wants a value")
        }
        let expected = (0..<run.count).map { Array(String.update("\(next + Int64($0))").utf8) }
        guard run.firstSeq == next, (0..<run.count).map({ Array(run[$0]) }) == expected else {
            return faults.append("\(reader) got line \(run.firstSeq) instead of \(next)")
        }
        readers[reader] = .lines(target: target, next: run.lastSeq + 1)
    }
}

@Suite struct SyncMachineModelTests {
    @Test(arguments: 0..<200)
    func eachReaderGetsAllThatItWantsAndNothingIsLeftWithoutReaders(seed: Int) {
        var client = ModelClient(seed: UInt64(seed))
        for _ in 0..<10 {
            for _ in 0..<60 { client.act() }
            client.settle()
            #expect(client.missing.isEmpty)
        }
        client.leaveAll()
        client.settle()
        #expect(client.streams.isEmpty)
        #expect(client.faults.isEmpty)
    }
}
