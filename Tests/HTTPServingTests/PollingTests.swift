import HTTP1
import JSONScan
import Testing
import Tinyvex

@testable import HTTPServing

/// Calls in URLs and bodies, and answers that are not sent twice.
@Suite struct PollingTests {
    private func head(_ target: String, method: String = "GET", tag: String? = nil) -> RequestHead {
        RequestHead(
            method: method, target: target,
            headers: Headers(tag.map { [(name: "If-None-Match", value: $0)] } ?? []))
    }

    private func answer(_ text: String, _ head: RequestHead, status: Int = 200) -> Response {
        Revalidation.applied(to: .json(Array(text.utf8), status: status), of: head)
    }

    @Test func anUnchangedValueIsNotSentAgain() throws {
        let first = answer("[1]", head("/v1/sessions"))
        let tag = try #require(first.headers.first("ETag"))
        for tags in [tag, "W/\(tag)", "\"other\", \(tag)", "*"] {
            let again = answer("[1]", head("/v1/sessions", tag: tags))
            #expect(again.status == 304 && again.body.isEmpty && again.headers.first("ETag") == tag, "\(tags)")
        }
        let changed = answer("[2]", head("/v1/sessions", tag: tag))
        #expect(changed.status == 200 && !changed.body.isEmpty && changed.headers.first("ETag") != tag)
    }

    @Test func errorsAndOtherMethodsHaveNoTag() throws {
        let tag = try #require(answer("[1]", head("/api/query")).headers.first("ETag"))
        let post = answer("[1]", head("/api/query", method: "POST", tag: tag))
        #expect(post.status == 200 && post.headers.first("ETag") == nil)
        let failed = answer("[1]", head("/api/query", tag: "*"), status: 404)
        #expect(failed.status == 404 && failed.headers.first("ETag") == nil)
    }

    @Test func onlyValuesThatChangeArePolled() throws {
        for (target, isPolled) in [
            ("/api/query", true), ("/api/mutation", false), ("/v1/sessions", true), ("/v1/sessions/s", true),
            ("/v1/sessions/s/updates", false), ("/v1/agents", true), ("/health", false),
        ] {
            let route = try #require(Route(head(target)))
            let polls =
                if case .identified(.request(.resource(let resource))) = route { resource.isPolled } else { false }
            #expect(polls == isPolled, "\(target)")
        }
    }

    @Test func aQueryCanBeInTheURL() throws {
        let target = "/api/query?path=sessions:list&args=%7B%22live%22%3Atrue%7D&format=json&other=1"
        let call = try ConvexCall(head(target)).request
        #expect(call.name == "sessions:list" && call.requestId == nil)
        #expect(try call.arguments.optionalBool("live") == true)
        #expect(try ConvexCall(head("/api/query?path=bridge:status")).request.name == "bridge:status")
    }

    @Test(arguments: [
        "", "?args={}", "?path=a&path=b", "?path=a&args=1", "?path=a&args=%7B%7D%2C%22path%22%3A1",
        "?path=a&format=other", "?path=%ff", "?path=a&args=%7B", "?path=a&args=%7B%22x%22%3A1%2C%22x%22%3A2%7D",
    ])
    func aMalformedQueryInTheURLIsRefused(query: String) {
        #expect(throws: Rejection.self) { try ConvexCall(head("/api/query" + query)) }
    }

    @Test func theRequestIdIsReadAndBounded() throws {
        func call(_ id: String) throws(Rejection) -> CallRequest {
            try ConvexCall(Array(#"{"path":"m","requestId":\#(id)}"#.utf8)).request
        }
        #expect(try call(#""r1""#).requestId == "r1")
        #expect(try call("null").requestId == nil)
        #expect(throws: Rejection.self) { try call("1") }
        #expect(try call("\"\(String(repeating: "x", count: 256))\"").requestId?.count == 256)
        #expect(throws: Rejection.self) { try call("\"\(String(repeating: "x", count: 257))\"") }
    }
}
