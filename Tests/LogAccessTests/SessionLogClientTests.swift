import SessionRecords
import TestSupport
import Testing

@testable import EventLoop
@testable import LogAccess

@Suite struct SessionLogClientTests {
    private let folder = TemporaryFolder()

    init() { LoopThread.start }

    /// A log with a claimed session, on the real poller but with manual turns.
    @LoopActor private final class Rig {
        let time = ManualLoop()
        let log: SessionLogClient
        private(set) var answers: [Answer] = []
        private var waiting: (count: Int, done: CheckedContinuation<Void, Never>)?
        private var head: Int64 = 0

        init(_ folder: TemporaryFolder) throws {
            let services = LoopServices(time: time, timers: time, poller: EventLoop.main)
            log = try SessionLogClient(path: folder.path + "/log", durability: .normal, services: services)
        }

        func claim() async {
            submit(.claim(agent: "a", sessionId: "s", mode: .fresh, facts: SessionFacts()))
            await answers(1)
        }

        /// Returns true if the append was answered before the call returned.
        func append(bytes: Int) -> Bool {
            let before = answers.count
            let line = [UInt8](repeating: 0x61, count: bytes - 1) + [0x0a]
            guard case .claimed(let lease) = answers.first else { return false }
            submit(
                .append(
                    sid: lease.sid, epoch: lease.epoch, after: head, items: [.run(lines: line, count: 1, ts: 1)]))
            head += 1
            return answers.count > before
        }

        private func submit(_ request: WriteRequest.Operation) {
            log.write(request) { [self] answer in
                answers.append(answer)
                if let waiting, answers.count >= waiting.count {
                    self.waiting = nil
                    waiting.done.resume()
                }
            }
        }

        /// Begins a turn, and returns when there are this many answers.
        func answers(_ count: Int) async {
            time.advance(by: .milliseconds(1))
            guard answers.count < count else { return }
            await withCheckedContinuation { waiting = (count, $0) }
        }
    }

    @Test @LoopActor func oneSmallAppendOfATurnIsAnsweredAtOnce() async throws {
        let rig = try Rig(folder)
        await rig.claim()
        #expect(rig.append(bytes: 200))
        #expect(!rig.append(bytes: 200))
        await rig.answers(3)
        #expect(!rig.append(bytes: 3_000))
        await rig.answers(4)
        #expect(rig.answers.dropFirst().allSatisfy { if case .appended = $0 { true } else { false } })
        rig.log.close()
    }
}
