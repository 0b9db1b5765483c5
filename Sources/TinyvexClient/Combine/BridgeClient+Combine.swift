import ACP

#if canImport(Combine) || COMBINE_STAND_IN
    #if canImport(Combine)
        import Combine
    #else
        import CombineStandIn
    #endif
    import TinyvexMachine

    // The streams as publishers. Each sink is a separate subscription, which begins when the sink is attached and
    // ends when it is cancelled. Values arrive on a thread of the concurrency pool; `receive(on:)` moves them to
    // another one.
    extension BridgeClient {
        /// A named value: the current one, then each change. See `subscribe(_:params:as:)`.
        @_disfavoredOverload
        public func subscribe<Value: Decodable>(
            _ name: String, params: any Encodable = EmptyObject(), as type: Value.Type = Value.self
        ) -> AnyPublisher<Value, TinyvexError> {
            publisher(of: texts(of: name, params: params))
        }

        /// `subscribe(_:params:as:)` under its name in Convex.
        @_disfavoredOverload
        public func subscribe<Value: Decodable>(
            to name: String, with args: [String: (any Encodable)?]? = nil, yielding type: Value.Type = Value.self
        ) -> AnyPublisher<Value, TinyvexError> {
            publisher(of: texts(of: name, params: NamedArguments(args)))
        }

        /// The updates that the agent of a session sends, like ``SessionUpdates``. The parameters are those of
        /// ``subscribeSessionUpdates(sessionId:agent:from:policy:)->SessionUpdates``.
        @_disfavoredOverload
        public func subscribeSessionUpdates(
            sessionId: ACPSessionId, agent: String? = nil, from start: StreamStart = .after(0),
            policy: StreamPolicy? = nil
        ) -> AnyPublisher<ACP.Client.SessionNotificationWire, TinyvexError> {
            SequencePublisher { [self] () -> SessionUpdates in
                subscribeSessionUpdates(sessionId: sessionId, agent: agent, from: start, policy: policy)
            }
            .eraseToAnyPublisher()
        }

        /// All events of a session's stream, like ``SessionEvents``. The parameters are those of
        /// ``sessionEvents(sessionId:agent:journal:from:policy:)->SessionEvents``.
        @_disfavoredOverload
        public func sessionEvents(
            sessionId: ACPSessionId, agent: String? = nil, journal: String? = nil, from start: StreamStart = .after(0),
            policy: StreamPolicy? = nil
        ) -> AnyPublisher<SessionEvent, TinyvexError> {
            SequencePublisher { [self] () -> SessionEvents in
                sessionEvents(sessionId: sessionId, agent: agent, journal: journal, from: start, policy: policy)
            }
            .eraseToAnyPublisher()
        }

        /// The state of the connection to the bridge: the current one, then each change.
        public var connectionState: AnyPublisher<ConnectionState, Never> {
            SequencePublisher { [self] in connectionStates }.eraseToAnyPublisher()
        }

        /// Whether the client is connected or connecting, at each change.
        public func watchWebSocketState() -> AnyPublisher<WebSocketState, Never> {
            SequencePublisher { [self] in WebSocketStates(connectionStates) }.eraseToAnyPublisher()
        }

        private func publisher<Value: Decodable>(
            of texts: @escaping @Sendable () -> ValueTexts
        ) -> AnyPublisher<Value, TinyvexError> {
            ValuePublisher(texts).eraseToAnyPublisher()
        }
    }

    extension TinyvexClientWithAuth {
        /// Whether a user is signed in: the current state, then each change.
        public var authState: AnyPublisher<AuthState<Provider.Identity>, Never> {
            SequencePublisher { [self] in authStates }.eraseToAnyPublisher()
        }
    }
#endif
