import EventLoop
import Glibc
import Posix
import Synchronization
import Testing
import TinyvexSockets
import TinyvexTransport

@Suite(.timeLimit(.minutes(10))) struct ClientLoopTests {
    /// Runs `body` on a loop. The loop's thread can block.
    private func onLoop<Value: Sendable>(
        _ body: @escaping @Sendable (ClientLoop) async throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { waiter in
            do {
                try DetachedThread.start(name: "client loop") {
                    waiter.resume(
                        with: Result {
                            let loop = try ClientLoop()
                            return try loop.run { try await body(loop) }
                        })
                }
            } catch {
                waiter.resume(throwing: error)
            }
        }
    }

    @Test func allTasksRunOnTheCallersThread() async throws {
        let threads = try await onLoop { loop in
            await withTaskGroup(of: pthread_t.self) { group in
                for _ in 0..<10 {
                    group.addTask {
                        await Task.yield()
                        return pthread_self()
                    }
                }
                group.addTask { await Task(executorPreference: loop) { pthread_self() }.value }
                return await group.reduce(into: [pthread_self()]) { $0.append($1) }
            }
        }
        #expect(threads.count == 12)
        #expect(Set(threads).count == 1)
    }

    @Test func anErrorThrownByTheBodyIsRethrown() async throws {
        await #expect(throws: TransportFailure.timedOut) {
            try await onLoop { _ in throw TransportFailure.timedOut }
        }
    }

    @Test func jobsFromOtherThreadsWakeTheLoop() async throws {
        let sum = try await onLoop { _ in
            var sum = 0
            for number in 0..<100 {
                sum += await withCheckedContinuation { waiter in
                    try? DetachedThread.start(name: "other") { waiter.resume(returning: number) }
                }
            }
            return sum
        }
        #expect(sum == 4950)
    }

    @Test func sleepingTasksWakeInOrder() async throws {
        let order = try await onLoop { loop in
            let start = Instant.now
            return await withTaskGroup(of: Int.self) { group in
                for milliseconds in [20, 5, 10] {
                    group.addTask {
                        await loop.sleep(until: start + .milliseconds(milliseconds))
                        return milliseconds
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
        }
        #expect(order == [5, 10, 20])
    }

    @Test func waitingEndsWhenTheDescriptorIsReady() async throws {
        let isReady = try await onLoop { loop in
            let ends = try Pipe().ends()
            let read = Descriptor(owning: ends.read)
            let write = Descriptor(owning: ends.write)
            async let isReady = loop.wait(for: POLLIN, on: read.raw)
            _ = Glibc.write(write.raw, "x", 1)
            return await isReady
        }
        #expect(isReady)
    }

    @Test func waitingForNoEventsEndsWhenTheReaderCloses() async throws {
        let isReady = try await onLoop { loop in
            let ends = try Pipe().ends()
            let write = Descriptor(owning: ends.write)
            async let isReady = loop.wait(for: 0, on: write.raw)
            close(ends.read)
            return await isReady
        }
        #expect(isReady)
    }

    @Test func waitingCanBeCancelled() async throws {
        let isReady = try await onLoop { loop in
            let ends = try Pipe().ends()
            let read = Descriptor(owning: ends.read)
            let write = Descriptor(owning: ends.write)
            let fd = read.raw
            let waiting = Task(executorPreference: loop) { await loop.wait(for: POLLIN, on: fd) }
            waiting.cancel()
            let isReady = await waiting.value
            _ = write.raw
            return isReady
        }
        #expect(!isReady)
    }

    /// With and without libcurl.
    @Test(arguments: [false, true]) func aServerThatDoesNotAnswerDoesNotBlockTheLoop(isSecure: Bool) async throws {
        let server = try ScriptedServer(on: isSecure ? .tcp : .unix) { try $0.waitForEnd() }
        let endpoint = isSecure ? server.secureRequest.endpoint : server.endpoint
        // The body returns before the time limit of the attempt, so it was not blocked.
        let start = ContinuousClock.now
        try await onLoop { loop in
            let connecting = Task(executorPreference: loop) {
                try await SocketTransport(loop: loop).connect(
                    ConnectionRequest(endpoint: endpoint, timeout: .seconds(60)))
            }
            await loop.sleep(until: .now + .milliseconds(50))
            connecting.cancel()
            await #expect(throws: TransportFailure.cancelled) { try await connecting.value }
        }
        #expect(ContinuousClock.now - start < .seconds(30))
        try await server.finish()
    }

    @Test func openConnectionsEndWithTheLoop() async throws {
        let server = try ScriptedServer.webSocket { try $0.waitForEnd() }
        let request = ConnectionRequest(endpoint: server.endpoint)
        let connection = try await onLoop { try await SocketTransport(loop: $0).connect(request) }
        guard case .lost = await failure({ try await connection.receive() }) else {
            Issue.record("the connection was not lost")
            return
        }
        try await server.finish()
    }
}
