import TinyvexMachine
import TinyvexSync

/// A value of the bridge: the current one, then each change.
///
/// The subscription begins when the sequence is created, so that no value is lost before the first iteration. A
/// slow reader receives only the newest value. Each iteration is a separate subscription, which ends when its
/// iterator is released; subscriptions with the same name and params share one at the bridge. Cancelling the task
/// ends the iteration.
///
/// The sequence fails with `TinyvexError.decoding` if a value does not fit the type, with `.server` if the bridge
/// rejects the subscription, and with the cause if the connection is lost permanently. A lost connection that the
/// client can restore is not an error.
public struct ValueSubscription<Value: Decodable>: AsyncSequence {
    public typealias Element = Value
    public typealias Failure = TinyvexError

    let texts: ValueTexts

    init(_ texts: ValueTexts) { self.texts = texts }

    public func makeAsyncIterator() -> Iterator { Iterator(texts: texts.makeAsyncIterator()) }

    public struct Iterator: AsyncIteratorProtocol {
        fileprivate var texts: ValueTexts.Iterator

        public mutating func next(isolation actor: isolated (any Actor)?) async throws(TinyvexError) -> Value? {
            guard let text = try await texts.next(isolation: actor) else { return nil }
            return try ModelCoding.value(Value.self, from: text)
        }

        public mutating func next() async throws(TinyvexError) -> Value? { try await next(isolation: nil) }
    }
}

extension ValueSubscription: Sendable where Value: Sendable {}

/// The texts of a subscription's values, for one or several iterations.
enum ValueTexts: AsyncSequence, Sendable {
    typealias Element = ArraySlice<UInt8>
    typealias Failure = TinyvexError

    /// A value, of which only the newest version is delivered.
    case values(StreamValues)
    /// An ordered stream, of which every line is delivered.
    case lines(StreamPieces)
    /// The params could not be encoded.
    case fault(TinyvexError)

    func makeAsyncIterator() -> Iterator {
        switch self {
        case .values(let values): .values(values.makeAsyncIterator())
        case .lines(let lines): .lines(StreamLines(lines))
        case .fault(let fault): .fault(fault)
        }
    }

    enum Iterator: AsyncIteratorProtocol {
        case values(StreamValues.Iterator)
        case lines(StreamLines)
        case fault(TinyvexError)
        case end

        mutating func next(isolation actor: isolated (any Actor)?) async throws(TinyvexError) -> ArraySlice<UInt8>? {
            switch self {
            case .values(var values): return try await values.next(isolation: actor)?.text[...]
            case .lines(var lines):
                defer { self = .lines(lines) }
                return try await lines.nextLine(isolation: actor)
            case .fault(let fault):
                self = .end
                throw fault
            case .end: return nil
            }
        }

        mutating func next() async throws(TinyvexError) -> ArraySlice<UInt8>? { try await next(isolation: nil) }
    }
}
