import HTTP1
import JSONScan
import Testing
import Tinyvex

@testable import HTTPServing

/// Changes of a session as a resource, and times as dates.
@Suite struct SessionEditTests {
    private func changes(_ body: String, _ query: String = "") throws(Rejection) -> [CallRequest] {
        let head = RequestHead(method: "PATCH", target: "/v1/sessions/s1\(query)", headers: Headers())
        let changes = try SessionEdit.changes(Request(head: head, body: Array(body.utf8)), sessionId: "s1")
        return [changes.first] + changes.rest
    }

    @Test func eachMemberIsAMutationOfTheSession() throws {
        let calls = try changes(
            #"{"title":null,"archived":false,"tags":["a"]}"#, "?agent=codex&journal=j&archived=true&limit=5")
        #expect(calls.map(\.name) == ["sessions:setTitle", "sessions:archive", "sessions:setTags"])
        for call in calls {
            #expect(try call.arguments.string("sessionId") == "s1")
            #expect(try call.arguments.string("agent") == "codex" && call.arguments.string("journal") == "j")
        }
        // The member of the body counts, not the one of the URL.
        #expect(try calls[1].arguments.optionalBool("archived") == false)
        #expect(try SessionChange.title(calls[0].arguments) == nil)
    }

    @Test(arguments: [
        "", "[]", "{}", #"{"title":7}"#, #"{"tags":"a"}"#, #"{"tags":null}"#, #"{"archived":1}"#, #"{"archived":null}"#,
        #"{"title":"a","title":"b"}"#, #"{"title":"a","cwd":"/"}"#, #"{"title":"a","sessionId":"s2"}"#,
        #"{"title":"a","tags":[1]}"#,
    ])
    func aChangeThatIsNotValidChangesNothing(body: String) {
        #expect(throws: Rejection.self) { try changes(body) }
    }

    @Test func aDeletionNamesItsSession() throws {
        let head = RequestHead(method: "DELETE", target: "/v1/sessions/s1?agent=a&agent=a", headers: Headers())
        #expect(throws: Rejection.self) { try SessionEdit.deletion(head, sessionId: "s1") }
        let call = try SessionEdit.deletion(
            RequestHead(method: "DELETE", target: "/v1/sessions/s1?agent=a", headers: Headers()), sessionId: "s1")
        #expect(
            call.name == "sessions:delete"
                && call.arguments.canonicalText.elementsEqual(#"{"agent":"a","sessionId":"s1"}"#.utf8))
    }

    @Test func onlyTimesOfTheBridgeBecomeDates() throws {
        let value = #"""
            {"data":[{"lastTs":1705314600123,"title":"x"}],"turn":{"startedTs":0},"toolCalls":[{"startTs":1}],
            "pendingPermissions":[{"askedTs":1000,"params":{"createdTs":1}}],"updateCount":3,"noteTs":"x"}
            """#
        let dated = #"""
            {"data":[{"lastAt":"2024-01-15T10:30:00Z","title":"x"}],"turn":{"startedAt":"1970-01-01T00:00:00Z"},
            "toolCalls":[{"startTs":1}],
            "pendingPermissions":[{"askedAt":"1970-01-01T00:00:01Z","params":{"createdTs":1}}],"updateCount":3,"noteTs":"x"}
            """#
        let read = try JSONValue(validating: Array(value.utf8))
        let expected = canonicalText(of: try JSONValue(validating: Array(dated.utf8)))
        #expect(canonicalText(of: try JSONValue(validating: ResourceValue.dated(read))) == expected)
        #expect(ResourceValue.dated(try JSONValue(validating: Array("7".utf8))) == Array("7".utf8))
    }

    @Test func theTimesInRowsAndStatesOfOthersBecomeDates() throws {
        let value = #"""
            {"data":[{"rateLimit":{"resetsTs":1000}}],"costs":[{"ts":1000,"amount":1}],"peers":[{"unreachableTs":1000}],
            "total":1}
            """#
        let read = try JSONValue(validating: Array(value.utf8))
        let second = "1970-01-01T00:00:01Z"
        let list = try JSONValue(validating: ResourceValue.list(read))
        #expect(list["data"]?.elements.first?["rateLimit"]?["resetsAt"]?.stringValue == second)
        let dated = try JSONValue(validating: ResourceValue.dated(read))
        #expect(dated["costs"]?.elements.first?["at"]?.stringValue == second)
        #expect(dated["peers"]?.elements.first?["unreachableAt"]?.stringValue == second)
    }

    @Test func aCallNamesTheFormOfItsTimes() throws {
        func format(_ member: String) throws(Rejection) -> ConvexCall.Format {
            try ConvexCall(Array(#"{"path":"q"\#(member)}"#.utf8)).format
        }
        #expect(try format("") == .json)
        #expect(try format(#","format":"json""#) == .json)
        #expect(try format(#","format":"iso""#) == .iso)
        #expect(throws: Rejection.self) { try format(#","format":"ISO""#) }
        let value = Array(#"{"startedTs":0}"#.utf8)
        let body = String(decoding: ConvexCall.success(value, .iso).body, as: UTF8.self)
        #expect(body.contains(#""value":{"startedAt":"1970-01-01T00:00:00Z"}"#))
        #expect(String(decoding: ConvexCall.success(value, .json).body, as: UTF8.self).contains(#"{"startedTs":0}"#))
    }
}
