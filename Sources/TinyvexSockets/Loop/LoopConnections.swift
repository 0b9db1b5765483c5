import EventLoop
import Glibc
import Posix

/// The connections that a loop serves.
struct LoopConnections {
    private struct Served {
        let life: ConnectionLife
        var wait: ConnectionWait
    }

    private var served: [Served] = []

    var isImmediate: Bool { served.contains { $0.wait.isOver } }
    var deadline: Instant? { served.compactMap(\.wait.deadline).min() }

    mutating func add(_ life: ConnectionLife) {
        guard let wait = life.step(isReady: true) else { return }
        served.append(Served(life: life, wait: wait))
    }

    /// Appends two requests per connection: its socket and its users' signal.
    func append(to requests: inout [pollfd]) {
        for connection in served {
            requests.append(connection.wait.pollRequest)
            requests.append(pollfd(fd: connection.life.mailbox.wakeUp.fd, events: Int16(POLLIN), revents: 0))
        }
    }

    mutating func step(_ answers: ArraySlice<pollfd>) {
        let now = Instant.now
        for index in served.indices.reversed() {
            let answer = answers.startIndex + 2 * index
            let isReady = answers[answer].revents != 0
            let isSignalled = answers[answer + 1].revents != 0
            if isSignalled { served[index].life.mailbox.wakeUp.clear() }
            let wait = served[index].wait
            guard isReady || isSignalled || wait.isOver || wait.deadline.map({ $0 <= now }) ?? false else { continue }
            if let next = served[index].life.step(isReady: isReady) {
                served[index].wait = next
            } else {
                served.remove(at: index)
            }
        }
    }

    /// Ends all connections at once.
    mutating func abandon() {
        for connection in served { connection.life.abandon() }
        served = []
    }
}
