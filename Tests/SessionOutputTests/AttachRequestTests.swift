import Invocations
import JSONScan
import Testing
import TinyvexMachine

@testable import BridgeRequests
@testable import SessionOutput

@Suite struct AttachRequestTests {
    private func start(_ from: StartPosition, pretty: Bool = false, all: Bool = false) throws -> StreamStart {
        let row = #"{"sessionId":"s1","agent":"demo","updateCount":50000}"#
        let session = try #require(ListedSession(JSONValue(validating: Array(row.utf8))))
        return AttachRequest(
            session: session, options: AttachOptions(sessions: ["s1"], from: from, all: all, pretty: pretty)
        ).start
    }

    @Test func theAgentsLinesBeginWithTheFirstThatIsPrinted() throws {
        #expect(try start(.start) == .after(0))
        #expect(try start(.now) == .now)
        #expect(try start(.number(40)) == .after(39))
        #expect(try start(.number(90_000)) == .after(89_999))
        #expect(try start(.last(10)) == .after(49_990))
    }

    /// A long session is not read from its beginning for its last entries.
    @Test func aTimelineBeginsWithTenThousandEntriesBeforeThose() throws {
        for (pretty, all) in [(true, false), (false, true)] {
            func start(_ from: StartPosition) throws -> StreamStart { try self.start(from, pretty: pretty, all: all) }
            #expect(try start(.start) == .after(0))
            #expect(try start(.now) == .now)
            #expect(try start(.number(40)) == .after(0))
            #expect(try start(.number(10_002)) == .after(1))
            #expect(try start(.last(10)) == .after(39_990))
            #expect(try start(.last(0)) == .after(40_000))
            // No stored entry has such a number yet.
            #expect(try start(.number(90_000)) == .after(40_000))
        }
    }
}
