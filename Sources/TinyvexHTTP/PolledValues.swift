import TinyvexClient
import TinyvexTransport

/// A value of the bridge that is requested again and again: the current one, then each change that a request finds.
///
/// A request is only sent while the reader waits for the next value, so a program that does not read sends nothing. An
/// unchanged value is not sent again by the bridge. After a lost request, an answer 5xx or 429, the next request waits
/// longer, and at least for the time in `Retry-After`. All other errors end the sequence, as does cancelling the task.
/// Changes between two requests are seen as one.
public struct PolledValues<Value: Decodable>: AsyncSequence {
    public typealias Element = Value
    public typealias Failure = TinyvexError

    let poll: Poll

    public func makeAsyncIterator() -> Iterator { Iterator(poll: poll) }

    public struct Iterator: AsyncIteratorProtocol {
        fileprivate var poll: Poll

        public mutating func next(isolation actor: isolated (any Actor)?) async throws(TinyvexError) -> Value? {
            guard let text = try await poll.next(isolation: actor) else { return nil }
            return try ModelCoding.value(Value.self, from: text[...])
        }

        public mutating func next() async throws(TinyvexError) -> Value? { try await next(isolation: nil) }
    }
}

extension PolledValues: Sendable where Value: Sendable {}

/// The texts of a polled value, for one iteration.
struct Poll: Sendable {
    private let client: HTTPCaller
    private let request: Result<HTTPRequest, TinyvexError>
    private var machine: PollMachine
    /// The tag of the last value.
    private var tag: String?
    /// The last value, if it had no tag.
    private var untagged: [UInt8]?
    private var notBefore: ContinuousClock.Instant?
    private var hasEnded = false

    init(_ client: HTTPCaller, _ request: Result<HTTPRequest, TinyvexError>, _ machine: PollMachine) {
        self.client = client
        self.request = request
        self.machine = machine
    }

    /// Returns the next changed value; nil after an error.
    mutating func next(isolation actor: isolated (any Actor)?) async throws(TinyvexError) -> [UInt8]? {
        guard !hasEnded else { return nil }
        do throws(TinyvexError) {
            var request = try request.get()
            while true {
                try await pause(isolation: actor)
                request.setTag(tag)
                if let text = try await ask(request, isolation: actor) { return text }
            }
        } catch {
            hasEnded = true
            throw error
        }
    }

    private func pause(isolation actor: isolated (any Actor)?) async throws(TinyvexError) {
        guard let notBefore else { return }
        let rest = notBefore - client.time.now()
        if rest > .zero { try await client.sleep(for: rest) }
    }

    /// Sends one request. Returns nil if the value is unchanged.
    private mutating func ask(
        _ request: HTTPRequest, isolation actor: isolated (any Actor)?
    ) async throws(TinyvexError) -> [UInt8]? {
        var text: [UInt8]?
        let outcome: PollMachine.Outcome
        do throws(TinyvexError) {
            text = try await changed(client.call(request, .reads, attemptsLimit: 1))
            outcome = text == nil ? .unchanged : .value
        } catch {
            outcome = .failed(error)
        }
        let action = machine.handle(outcome)
        notBefore = client.time.now() + machine.delay
        if case .fail(let error) = action { throw error }
        return text
    }

    private mutating func changed(_ reply: CallMachine.Reply) -> [UInt8]? {
        guard case .value(let text, let tag) = reply, tag != nil || text != untagged else { return nil }
        self.tag = tag
        untagged = tag == nil ? text : nil
        return text
    }
}

extension HTTPRequest {
    fileprivate mutating func setTag(_ tag: String?) {
        fields.removeAll { $0.name == "If-None-Match" }
        if let tag { fields.append(.init("If-None-Match", tag)) }
    }
}
