import ACP
import TinyvexMachine
import TinyvexSync

/// The updates of a session in the types of its agent's version, each with its original line.
///
/// Each update arrives exactly once and in order, across any number of connections. A line that does not match the schema
/// for its kind is thrown as `TinyvexError.decoding`. The error ends a `for try await` loop; the next call of `next()` on
/// the same iterator returns the next line.
public struct VersionedUpdates: AsyncSequence, Sendable {
    public typealias Element = ACP.VersionedNotification
    public typealias Failure = TinyvexError

    private let pieces: StreamPieces
    private let version: ACP.ProtocolVersion?

    init(_ pieces: StreamPieces, version: ACP.ProtocolVersion?) {
        self.pieces = pieces
        self.version = version
    }

    public func makeAsyncIterator() -> Iterator {
        Iterator(lines: StreamLines(pieces), detector: ACP.VersionDetector(version: version))
    }

    public struct Iterator: AsyncIteratorProtocol {
        private var lines: StreamLines
        private var detector: ACP.VersionDetector

        fileprivate init(lines: StreamLines, detector: ACP.VersionDetector) {
            self.lines = lines
            self.detector = detector
        }

        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(TinyvexError) -> ACP.VersionedNotification? {
            guard let line = try await lines.nextLine(isolation: actor) else { return nil }
            return try update(Array(line))
        }

        public mutating func next() async throws(TinyvexError) -> ACP.VersionedNotification? {
            try await next(isolation: nil)
        }

        private mutating func update(_ line: [UInt8]) throws(TinyvexError) -> ACP.VersionedNotification {
            do throws(DecodingFault) {
                return try ModelCoding.update(line, &detector)
            } catch {
                throw .decoding(error)
            }
        }
    }
}

extension BridgeClient {
    /// The updates of a session with an agent of version 1 or 2 of ACP.
    ///
    ///     for try await update in client.subscribeVersionedUpdates(sessionId: "s1") {
    ///         switch update {
    ///         case .v1(let update): show(update.update)
    ///         case .v2(let update): show(update.update)
    ///         }
    ///     }
    ///
    /// - Parameter version: The version of the agent, for example from its answer to `initialize`. Nil: the first update
    ///   of a kind that only one version has decides. Earlier updates of kinds that both versions have are read as version
    ///   1, unless their members are those of version 2.
    /// - Parameter start: Where to begin; the beginning of the session by default.
    /// - Parameter policy: The updates that the bridge can drop when this reader is slow, with its limits. Nil: none.
    public func subscribeVersionedUpdates(
        sessionId: ACPSessionId, agent: String? = nil, journal: String? = nil, version: ACP.ProtocolVersion? = nil,
        from start: StreamStart = .after(0), policy: StreamPolicy? = nil
    ) -> VersionedUpdates {
        let params = Self.sessionParams(sessionId, agent, journal)
        return VersionedUpdates(
            engine.sync.stream(.sessionUpdates, params: params, from: start, policy: policy), version: version)
    }
}
