import SessionRecords
import Testing

@testable import SessionStreams

@Suite struct AppendMachineTests {
    private func add(_ text: String, to machine: inout AppendMachine, at time: Int64 = 0) {
        Array(text.utf8).withUnsafeBytes { machine.add(line: $0, at: time) }
    }

    private func run(_ text: String, count: Int, ts: Int64 = 0) -> LogItem {
        .run(lines: Array(text.utf8), count: count, ts: ts)
    }

    private func submitted(_ action: AppendMachine.Action) -> (after: Int64, items: [LogItem])? {
        guard case .append(let after, let items) = action else { return nil }
        return (after, items)
    }

    @Test func noAppendIsSentBeforeTheClaimIsAnswered() {
        var machine = AppendMachine()
        add("a", to: &machine)
        #expect(submitted(machine.next()) == nil)
        machine.claimed(head: 7)
        #expect(submitted(machine.next())?.after == 7)
    }

    @Test func dataReceivedDuringAnAppendIsSentWithTheNextOne() {
        var machine = AppendMachine()
        machine.claimed(head: 0)
        add("a", to: &machine, at: 1)
        #expect(submitted(machine.next())?.items == [run("a\n", count: 1, ts: 1)])
        add("b", to: &machine, at: 2)
        add("c", to: &machine, at: 3)
        #expect(submitted(machine.next()) == nil)
        #expect(machine.stored(head: 1) == [run("a\n", count: 1, ts: 1)])
        let next = submitted(machine.next())
        #expect(next?.after == 1)
        #expect(next?.items == [run("b\nc\n", count: 2, ts: 2)])
    }

    @Test func anEntryKeepsItsPlaceBetweenTheLines() {
        var machine = AppendMachine()
        machine.claimed(head: 0)
        add("a", to: &machine)
        machine.add(entry: "prompt", body: Array("{}".utf8), at: 5)
        add("b", to: &machine)
        #expect(
            submitted(machine.next())?.items == [
                run("a\n", count: 1), .entry(kind: "prompt", body: Array("{}".utf8), ts: 5), run("b\n", count: 1),
            ])
    }

    @Test func aFailedAppendIsRetriedBeforeLaterData() {
        var machine = AppendMachine()
        machine.claimed(head: 0)
        add("a", to: &machine)
        _ = machine.next()
        add("b", to: &machine)
        machine.failed()
        #expect(submitted(machine.next())?.items == [run("a\n", count: 1), run("b\n", count: 1)])
    }

    @Test func bytesAreCountedUntilTheyAreStored() {
        var machine = AppendMachine()
        machine.claimed(head: 0)
        add("abc", to: &machine)
        machine.add(entry: "k", body: [1, 2], at: 0)
        #expect(machine.unstoredBytes == 6)
        _ = machine.next()
        #expect(machine.unstoredBytes == 6)
        _ = machine.stored(head: 1)
        #expect(machine.unstoredBytes == 0)
        #expect(machine.isEmpty)
    }

    @Test func discardWaitingDropsAllWaitingData() {
        var machine = AppendMachine()
        machine.claimed(head: 0)
        add("a", to: &machine)
        machine.add(entry: "k", body: [1], at: 0)
        add("b", to: &machine)
        #expect(machine.discardWaiting() == 2)
        #expect(machine.unstoredBytes == 0)
        #expect(machine.isEmpty)
    }

    @Test func theExpectedHeadIsKnownDuringAnAppend() {
        var machine = AppendMachine()
        machine.claimed(head: 4)
        #expect(machine.headIfStored == nil)
        add("a", to: &machine)
        add("b", to: &machine)
        _ = machine.next()
        #expect(machine.headIfStored == 6)
    }

    @Test func discardReplayDropsOnlyTheRepeatedHistory() {
        var machine = AppendMachine()
        add("left over", to: &machine)
        for line in ["old 1", "old 2"] {
            Array(line.utf8).withUnsafeBytes { machine.add(line: $0, at: 0, .isReplay) }
        }
        machine.add(entry: "k", body: [1], at: 0)
        add("new", to: &machine)
        machine.discardReplay()
        machine.claimed(head: 3)
        let items = [run("left over\n", count: 1), .entry(kind: "k", body: [1], ts: 0), run("new\n", count: 1)]
        #expect(submitted(machine.next())?.items == items)
        _ = machine.stored(head: 5)
        #expect(machine.unstoredBytes == 0)
    }

    @Test func aRepeatedHistoryMissingFromTheLogIsStoredInOrder() {
        var machine = AppendMachine()
        Array("old".utf8).withUnsafeBytes { machine.add(line: $0, at: 0, .isReplay) }
        add("new", to: &machine)
        machine.claimed(head: 0)
        #expect(submitted(machine.next())?.items == [run("old\n", count: 1), run("new\n", count: 1)])
    }

    @Test(arguments: [AppendMachine.appendLimitBytes, AppendMachine.sharedAppendLimitBytes])
    func aBacklogIsStoredInAppendsOfLimitedSize(limitBytes: Int) {
        var machine = AppendMachine()
        machine.claimed(head: 0)
        let line = [UInt8](repeating: 0x61, count: 100_000)
        for _ in 0..<60 { line.withUnsafeBytes { machine.add(line: $0, at: 0) } }
        var head: Int64 = 0
        while let (after, items) = submitted(machine.next(limitBytes: limitBytes)) {
            #expect(after == head)
            #expect(items.reduce(0) { $0 + $1.byteCount } <= limitBytes)
            for item in items { #expect(item.byteCount <= AppendMachine.runLimitBytes + 1) }
            head += Int64(items.reduce(0) { $0 + $1.lineCount })
            _ = machine.stored(head: head)
        }
        #expect(head == 60)
        #expect(machine.isEmpty)
    }
}
