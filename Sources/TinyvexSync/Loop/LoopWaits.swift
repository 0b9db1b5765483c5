import EventLoop
import Glibc

/// A task that waits on a loop, for a descriptor or for a time.
struct LoopWait {
    let fd: Int32
    let events: Int32
    let deadline: Instant?
    /// Called with whether the descriptor is ready.
    let waiter: CheckedContinuation<Bool, Never>
}

/// All that wait.
struct LoopWaits {
    private var waits: [Int: LoopWait] = [:]
    private var lastNumber = 0
    /// Whose descriptors the last request listed, in its order.
    private var listed: [Int] = []

    var deadline: Instant? { waits.values.compactMap(\.deadline).min() }

    mutating func newNumber() -> Int {
        lastNumber += 1
        return lastNumber
    }

    mutating func add(_ wait: LoopWait, _ number: Int) { waits[number] = wait }

    mutating func remove(_ number: Int) -> LoopWait? { waits.removeValue(forKey: number) }

    mutating func append(to requests: inout [pollfd]) {
        listed = Array(waits.keys)
        for number in listed {
            guard let wait = waits[number] else { continue }
            requests.append(pollfd(fd: wait.fd, events: Int16(truncatingIfNeeded: wait.events), revents: 0))
        }
    }

    /// Those whose descriptor is ready, in the order they came, then those whose time has come, in its order.
    mutating func takeOver(
        _ answers: ArraySlice<pollfd>, at now: Instant
    ) -> [(waiter: CheckedContinuation<Bool, Never>, isReady: Bool)] {
        let ready = zip(listed, answers).filter { $1.revents != 0 }.map(\.0).sorted().compactMap {
            waits.removeValue(forKey: $0)
        }
        let due = waits.filter { $1.deadline.map { $0 <= now } ?? false }
            .sorted { ($0.value.deadline ?? now, $0.key) < ($1.value.deadline ?? now, $1.key) }
        for (number, _) in due { waits[number] = nil }
        return ready.map { ($0.waiter, true) } + due.map { ($0.value.waiter, false) }
    }
}
