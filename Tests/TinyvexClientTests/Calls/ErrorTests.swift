import Testing

#if TINYVEX_PORTABLE
    @testable import TinyvexClientPortable
#else
    @testable import TinyvexClient
#endif

@Suite struct ErrorTests {
    @Test(arguments: [
        (TinyvexError.unauthorized, "sign in again"),
        (.transport(.unreachable(reason: "connection refused")), "is the bridge running"),
        (.transport(.insecure(reason: "certificate has expired")), "operator"),
        (.transport(.untrusted(reason: "another user listens on /x")), "a socket of your own"),
        (.transport(.refused(status: 404, reason: "Not Found")), "operator"),
        (.transport(.notWebSocket(reason: "HTML")), "endpoint"),
        (.transport(.invalidEndpoint(reason: "'x' is no endpoint; use ws://HOST:PORT")), "use ws://"),
        (.outcomeUnknown, "before you repeat it"),
        (.overloaded(limitBytes: 5), "send less, or wait"),
        (.tooLarge(limitBytes: 5), "the program allows"),
        (.decoding(DecodingFault(path: "a", description: "expected Int at a")), "the program's type"),
        (.encoding(DecodingFault(path: "a", description: "not a number at a")), "the program's parameters"),
        (.server(code: "TVX008", message: "no session s1", data: nil), "no session s1 (TVX008)"),
    ])
    func everyErrorNamesWhoCanFixIt(error: TinyvexError, words: String) {
        #expect("\(error)".contains(words), "\(error)")
    }
}
