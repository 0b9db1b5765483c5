import TinyvexSync

/// A value of the bridge, as it is and as it changes.
///
/// Subscribed from the moment it is made, so that nothing is lost before the first look. Of values that nobody looked at
/// meanwhile only the newest comes. Each iteration is a subscription of its own, which ends when its iterator goes; all
/// that are for the same name and params share one at the bridge. Cancelling the task ends the iteration.
///
/// Fails with `TinyvexError.decoding` when a value does not fit the type, with `.server` when the bridge refuses it,
/// and with the reason when the connection is lost for good. A lost connection that can be had again is no failure.
public struct ValueSubscription<Value: Decodable>: AsyncSequence {
    public typealias Element = Value
    public typealias Failure = TinyvexError

    private let texts: ValueTexts

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

/// It holds no value, so that the type's way of decoding alone must be free to go where the subscription goes.
extension ValueSubscription: Sendable where Value: SendableMetatype {}

/// The texts of a subscription's values, for one iteration or several.
enum ValueTexts: Sendable {
    /// A value, of which the newest counts.
    case values(StreamValues)
    /// An ordered stream, of which every line counts.
    case lines(StreamPieces)
    /// It could not be asked for.
    case fault(TinyvexError)

    func makeAsyncIterator() -> Iterator {
        switch self {
        case .values(let values): .values(values.makeAsyncIterator())
        case .lines(let lines): .lines(LineIterator(lines))
        case .fault(let fault): .fault(fault)
        }
    }

    enum Iterator {
        case values(StreamValues.Iterator)
        case lines(LineIterator)
        case fault(TinyvexError)
        case end

        mutating func next(isolation actor: isolated (any Actor)?) async throws(TinyvexError) -> ArraySlice<UInt8>? {
            switch self {
            case .values(var values): return try await values.next(isolation: actor)?.text[...]
            case .lines(var lines):
                defer { self = .lines(lines) }
                return try await lines.next(isolation: actor)?.text
            case .fault(let fault):
                self = .end
                throw fault
            case .end: return nil
            }
        }
    }
}

/// The lines of an ordered stream, one by one.
struct LineIterator {
    private var pieces: StreamPieces.Iterator
    private var run: LineRun?
    private var index = 0

    init(_ pieces: StreamPieces) { self.pieces = pieces.makeAsyncIterator() }

    mutating func next(
        isolation actor: isolated (any Actor)?
    ) async throws(TinyvexError) -> (seq: Int64, text: ArraySlice<UInt8>)? {
        while true {
            if let run, index < run.count {
                defer { index += 1 }
                return (run.firstSeq + Int64(index), run[index])
            }
            guard let piece = try await pieces.next(isolation: actor) else { return nil }
            if case .lines(let run) = piece { (self.run, index) = (run, 0) }
        }
    }
}
