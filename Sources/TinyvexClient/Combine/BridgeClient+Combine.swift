#if canImport(Combine) || COMBINE_STAND_IN
    #if canImport(Combine)
        import Combine
    #else
        import CombineStandIn
    #endif
    import TinyvexSync

    // The same streams as publishers. Each sink is a subscription of its own, made when it is attached and ended when it is
    // cancelled. Values come on a thread of the pool: `receive(on:)` brings them to another.
    extension BridgeClient {
        /// A named value, as it is and as it changes. See `subscribe(_:params:as:)`.
        @_disfavoredOverload
        public func subscribe<Value: Decodable & SendableMetatype>(
            _ name: String, params: any Encodable = EmptyObject(), as type: Value.Type = Value.self
        ) -> AnyPublisher<Value, TinyvexError> {
            publisher(of: texts(of: name, params: params))
        }

        /// As `subscribe(_:params:as:)`, under Convex's name.
        @_disfavoredOverload
        public func subscribe<Value: Decodable & SendableMetatype>(
            to name: String, with args: [String: (any Encodable)?]? = nil, yielding type: Value.Type = Value.self
        ) -> AnyPublisher<Value, TinyvexError> {
            publisher(of: texts(of: name, params: NamedArguments(args)))
        }

        /// What the agent of a session sends. See ``subscribeSessionUpdates(sessionId:from:)``.
        @_disfavoredOverload
        public func subscribeSessionUpdates(
            sessionId: ACPSessionId, from start: StreamStart = .after(0)
        ) -> AnyPublisher<ACP.Client.SessionNotificationWire, TinyvexError> {
            SequencePublisher { [self] in SessionUpdates(sessionEvents(sessionId: sessionId, from: start)) }
                .eraseToAnyPublisher()
        }

        /// A session's stream with all that happens to it.
        @_disfavoredOverload
        public func sessionEvents(
            sessionId: ACPSessionId, agent: String? = nil, journal: String? = nil, from start: StreamStart = .after(0),
            policy: String? = nil
        ) -> AnyPublisher<SessionEvent, TinyvexError> {
            SequencePublisher { [self] () -> SessionEvents in
                sessionEvents(sessionId: sessionId, agent: agent, journal: journal, from: start, policy: policy)
            }
            .eraseToAnyPublisher()
        }

        /// How the client stands to its bridge, now and at each change.
        public var connectionState: AnyPublisher<ConnectionState, Never> {
            SequencePublisher { [self] in connectionStates }.eraseToAnyPublisher()
        }

        /// Whether the connection is there or being made, at each change.
        public func watchWebSocketState() -> AnyPublisher<WebSocketState, Never> {
            SequencePublisher { [self] in WebSocketStates(connectionStates) }.eraseToAnyPublisher()
        }

        private func publisher<Value: Decodable & SendableMetatype>(
            of texts: @escaping @Sendable () -> ValueTexts
        ) -> AnyPublisher<Value, TinyvexError> {
            SequencePublisher { ValueSubscription<Value>(texts()) }.eraseToAnyPublisher()
        }
    }

    extension TinyvexClientWithAuth {
        /// Whether someone has signed in, now and at each change.
        public var authState: AnyPublisher<AuthState<Provider.Identity>, Never> {
            SequencePublisher { [self] in authStates }.eraseToAnyPublisher()
        }
    }
#endif
