import Foundation
import Testing

#if TINYVEX_PORTABLE
    import TinyvexClientPortable
#else
    import TinyvexClient
#endif

@Suite struct ErrorDescriptionTests {
    @Test func aViewCanShowAnError() {
        let error: any Error = TinyvexError.server(code: "TVX008", message: "unknown session", data: nil)
        #expect(error.localizedDescription == "the bridge answered: unknown session (TVX008)")
    }

    @Test func aServerErrorHasTheProtocolsCode() {
        #expect(TinyvexError.server(code: "TVX008", message: "", data: nil).protocolCode == .sessionNotFound)
        #expect(TinyvexError.server(code: "-32602", message: "", data: nil).protocolCode == nil)
        #expect(TinyvexError.closed.protocolCode == nil)
    }

    @Test func aBusyServerNamesItsDelay() {
        #expect(TinyvexError.transport(.busy(retryAfter: .seconds(7))).retryAfter == .seconds(7))
        #expect(TinyvexError.unauthorized.retryAfter == nil)
    }
}
