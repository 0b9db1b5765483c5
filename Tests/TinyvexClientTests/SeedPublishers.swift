#if canImport(Combine) || COMBINE_STAND_IN
    #if COMBINE_STAND_IN
        import CombineStandIn
        import TinyvexClientPortable
    #else
        import Combine
        import TinyvexClient
    #endif

    /// The publishers of the API, as the library's specification spells them. Code that does not compile here is
    /// missing.
    enum SeedPublishers {
        static func publishers<T: Decodable>(
            _ client: TinyvexClient, _ type: T.Type, _ params: any Encodable
        ) {
            let _: AnyPublisher<T, TinyvexError> = client.subscribe("q", params: params, as: type)
            let _: AsyncThrowingStream<T, Error> = client.subscribe("q", params: params, as: type)
            let _: AnyPublisher<ConnectionState, Never> = client.connectionState
            let _: AnyPublisher<ACP.Client.SessionNotificationWire, TinyvexError> =
                client.subscribeSessionUpdates(sessionId: ACPSessionId(rawValue: "s"))
        }
    }
#endif
