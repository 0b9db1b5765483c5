import EventLoop
import Glibc
import JSONScan
import Posix
import Synchronization
import TinyvexMachine
import TinyvexSockets
import TinyvexSync

/// One connection to a peer, on a thread of its own: looking up a name can block a thread for seconds. It does not
/// reconnect. Its owner makes another one.
@LoopActor final class PeerConnection {
    private let client: SyncClient
    private let loop: ClientLoop
    private let ending = Ending()
    private var isClosed = false
    /// The calls without an answer. The owner bounds their number.
    /// Each is called with an error if the connection ends first.
    private var calls: [Int: @LoopActor @Sendable (TinyvexError) -> Void] = [:]
    private var lastCall = 0

    /// The end that the owner asks for.
    private final class Ending: Sendable {
        private struct State {
            var isDue = false
            var waiter: CheckedContinuation<Void, Never>?
        }

        private let state = Mutex(State())

        func wait() async {
            await withCheckedContinuation { waiter in
                let isDue = state.withLock { state in
                    if !state.isDue { state.waiter = waiter }
                    return state.isDue
                }
                if isDue { waiter.resume() }
            }
        }

        func come() {
            let waiter = state.withLock { state in
                state.isDue = true
                return state.waiter.take()
            }
            waiter?.resume()
        }
    }

    /// One page of a log has 4 MiB or one line, whose 64 MiB can become twice as many in a JSON string.
    private static let receiveLimitBytes = 130 << 20
    /// 3 s: the client's tasks have ended after 2 s.
    private nonisolated static let farewell = Duration.seconds(3)
    /// 9 MiB: the parts of two values of open requests, of up to 4 MiB each, can arrive alternately. A larger one ends its
    /// subscription.
    private static let valueLimitBytes = 9 << 20

    /// - Parameters:
    ///   - token: sent to the peer.
    ///   - ended: called once, with the reason, after the attempt has failed or the connection was lost; not after
    ///     ``close()``.
    init(
        _ settings: PeerSettings, token: String?, version: String,
        ended: @escaping @LoopActor @Sendable (TinyvexError) -> Void
    ) throws(SystemError) {
        var configuration = SyncConfiguration(endpoint: settings.endpoint)
        configuration.clientName = "acpbridge peer"
        configuration.clientVersion = version
        configuration.attemptsLimit = 1
        configuration.firstAttemptsLimit = 1
        // A laptop that was closed is noticed after these.
        configuration.pingAfter = .seconds(10)
        configuration.deadAfter = .seconds(30)
        configuration.receiveLimitBytes = Self.receiveLimitBytes
        configuration.chunkLimitBytes = Self.valueLimitBytes
        let loop = try ClientLoop()
        let client = SyncClient(configuration, token: token, authorities: settings.authorities, loop: loop)
        self.loop = loop
        self.client = client
        let ending = ending
        try DetachedThread.start(name: "peer") { [weak self] in
            do {
                try loop.run {
                    await ending.wait()
                    // Tasks that still wait on the loop would keep it, with its descriptors, for ever.
                    await loop.sleep(until: .now + Self.farewell)
                }
            } catch {
                let reason = "\(error)"
                Task { await self?.lost(.transport(.unreachable(reason: reason)), ended) }
            }
        }
        watch(ended)
    }

    private func watch(_ ended: @escaping @LoopActor @Sendable (TinyvexError) -> Void) {
        let client = client
        Task(executorPreference: loop) { [weak self] in
            for await state in client.connectionStates() {
                guard case .idle(because: let error?) = state else { continue }
                await self?.lost(error, ended)
                return
            }
        }
    }

    private func lost(_ error: TinyvexError, _ ended: @LoopActor @Sendable (TinyvexError) -> Void) {
        guard !isClosed else { return }
        ended(error)
    }

    /// Sends a call. `finish` is called once, also if the connection ends first.
    func call(_ call: Call, then finish: @escaping @LoopActor @Sendable (Result<JSONValue, TinyvexError>) -> Void) {
        self.call(call, decode: { $0 }, then: finish)
    }

    /// Sends a call whose result can be large.
    ///
    /// - Parameter decode: called on the connection's own thread, so that the loop does not wait for it.
    func call<Decoded: Sendable>(
        _ call: Call, decode: @escaping @Sendable (JSONValue) -> Decoded,
        then finish: @escaping @LoopActor @Sendable (Result<Decoded, TinyvexError>) -> Void
    ) {
        run(finish) { (client) throws(TinyvexError) in decode(try await client.call(call)) }
    }

    /// Gets the present value of a query without params. `finish` is called once, also if the connection ends first.
    func value(_ name: String, then finish: @escaping @LoopActor @Sendable (Result<JSONValue, TinyvexError>) -> Void) {
        run(finish) { (client) throws(TinyvexError) in
            var values = client.values(name, params: Array("{}".utf8)).makeAsyncIterator()
            guard let value = try await values.next(), let json = try? JSONValue(validating: value.text) else {
                throw .closed
            }
            return json
        }
    }

    private func run<Value: Sendable>(
        _ finish: @escaping @LoopActor @Sendable (Result<Value, TinyvexError>) -> Void,
        _ request: @escaping @Sendable (SyncClient) async throws(TinyvexError) -> Value
    ) {
        guard !isClosed else { return finish(.failure(.closed)) }
        lastCall += 1
        let number = lastCall
        calls[number] = { finish(.failure($0)) }
        let client = client
        Task(executorPreference: loop) { [weak self] in
            let result: Result<Value, TinyvexError>
            do throws(TinyvexError) {
                result = .success(try await request(client))
            } catch {
                result = .failure(error)
            }
            await self?.answered(number, result, finish)
        }
    }

    private func answered<Value: Sendable>(
        _ number: Int, _ result: Result<Value, TinyvexError>,
        _ finish: @LoopActor @Sendable (Result<Value, TinyvexError>) -> Void
    ) {
        guard calls.removeValue(forKey: number) != nil else { return }
        finish(result)
    }

    private func deliver<Value: Sendable>(_ value: Value, _ finish: @LoopActor @Sendable (Value) -> Void) {
        guard !isClosed else { return }
        finish(value)
    }

    /// Subscribes to a value without params.
    ///
    /// - Parameters:
    ///   - changed: gets the present value, and each later one.
    ///   - ended: called if the subscription ends before the connection. The end of the connection itself is reported once, by
    ///     the closure of the initialiser.
    func watch(
        _ name: String, changed: @escaping @LoopActor @Sendable (JSONValue) -> Void,
        ended: @escaping @LoopActor @Sendable (TinyvexError) -> Void
    ) {
        let values = client.values(name, params: Array("{}".utf8))
        Task(executorPreference: loop) { [weak self] in
            var iterator = values.makeAsyncIterator()
            do throws(TinyvexError) {
                while let value = try await iterator.next() {
                    guard let json = try? JSONValue(validating: value.text) else { continue }
                    await self?.deliver(json, changed)
                }
            } catch {
                guard !error.isEndOfConnection else { return }
                await self?.deliver(error, ended)
            }
        }
    }

    /// Fails the calls without an answer. Nothing is delivered any longer.
    func close() {
        guard !isClosed else { return }
        isClosed = true
        client.close()
        ending.come()
        let unanswered = calls.sorted { $0.key < $1.key }
        calls = [:]
        for (_, fail) in unanswered { fail(.outcomeUnknown) }
    }
}

extension TinyvexError {
    /// True if the whole connection has ended, or could not be made.
    fileprivate var isEndOfConnection: Bool {
        switch self {
        case .transport, .unauthorized, .outcomeUnknown, .closed: true
        case .server, .decoding, .encoding, .overloaded, .tooLarge, .cancelled: false
        }
    }
}
