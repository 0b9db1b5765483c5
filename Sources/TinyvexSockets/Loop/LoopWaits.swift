import Glibc
import Posix

/// A task that waits on a loop for a descriptor or for a time.
struct LoopWait {
    let fd: Int32
    let events: Int32
    let deadline: Instant?
    /// Resumed with true if the descriptor is ready, false otherwise.
    let waiter: CheckedContinuation<Bool, Never>
}

/// All waiting tasks of a loop.
struct LoopWaits {
    private var waits: [Int: LoopWait] = [:]
    private var lastNumber = 0
    /// The numbers of the waits in the last request, in the request's order.
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

    /// Removes and returns the waits that are over: first those with a ready descriptor, in order of arrival, then
    /// those past their deadline, in order of deadline.
    mutating func removeEnded(
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
