import JSONScan
import Testing

@testable import acpbridge_demo_agent

@Suite struct SessionTests {
    private static let load = #"{"sessionId":"demo-t-1","cwd":"/project","mcpServers":[]}"#

    @Test func loadReplaysTheConversationBeforeItsResponse() throws {
        var client = Client.inSession()
        client.prompt("ships, no permission")
        let live = try client.settle()
        client.request("session/load", Self.load)
        let replay = try client.received()
        #expect(replay.first?.updateKind == "user_message_chunk")
        #expect(replay.dropFirst().dropLast(2).map(\.summary) == live.dropLast().outline)
        for kind in ["agent_message_chunk", "agent_thought_chunk"] {
            #expect(replay.text(of: kind) == live.text(of: kind))
        }
        #expect(replay.suffix(2).map(\.summary) == ["response", "available_commands_update"])
    }

    @Test func resumeReplaysNothing() throws {
        var client = Client.inSession()
        client.prompt("quiet 3 chunks")
        _ = try client.settle()
        client.request("session/resume", #"{"sessionId":"demo-t-1","cwd":"/project"}"#)
        #expect(try client.received().map(\.summary) == ["response", "available_commands_update"])
    }

    @Test func loadDuringATurnLeavesItRunning() throws {
        var client = Client.inSession()
        client.prompt("quiet 100 chunks")
        client.machine.advance(to: .zero)
        _ = try client.received()
        client.request("session/load", Self.load)
        #expect(try client.received().outline.contains("agent_message_chunk"))
        #expect(try client.settle().last?.summary == "end_turn")
    }

    @Test func closeAnswersThePromptFirst() throws {
        var client = Client.inSession()
        client.prompt("quiet 100 chunks")
        client.request("session/close", #"{"sessionId":"demo-t-1"}"#)
        #expect(try client.received().map(\.summary) == ["cancelled", "response"])
        client.prompt("hm")
        #expect(try client.received().map(\.summary) == ["error -32002"])
        client.request("session/load", Self.load)
        #expect(try client.received().first?.updateKind == "user_message_chunk")
    }

    @Test func theListIsPagedNewestFirst() throws {
        var client = Client()
        for number in 1...120 {
            client.request("session/new", #"{"cwd":"/\#(number % 2)","mcpServers":[]}"#)
        }
        _ = try client.received()
        var listed: [String] = []
        var cursor = ""
        repeat {
            client.request("session/list", cursor.isEmpty ? "{}" : #"{"cursor":"\#(cursor)"}"#)
            let result = try #require(try client.received().first?["result"])
            listed += (result["sessions"]?.elements ?? []).compactMap { $0["sessionId"]?.stringValue }
            cursor = result["nextCursor"]?.stringValue ?? ""
        } while !cursor.isEmpty
        #expect(listed == (1...120).reversed().map { "demo-t-\($0)" })
        client.request("session/list", #"{"cwd":"/1","cursor":null}"#)
        #expect(try client.received().first?["result", "sessions"]?.elements.count == 50)
    }

    @Test func aSessionIsRestoredFromItsRecords() throws {
        var first = Client.inSession(keepsRecords: true)
        first.prompt("ships, no permission")
        _ = try first.settle()
        let updates = first.machine.takeRecords().flatMap(\.updates)
        var second = Client(restoring: [SessionRecord(id: "demo-t-1", cwd: "/project", updates: updates)])
        second.request("session/list", "{}")
        let info = try #require(try second.received().first?["result", "sessions"]?.elements.first)
        #expect(info["title"]?.stringValue == "ships, no permission")
        #expect(info["updatedAt"]?.stringValue == "2026-11-21T04:01:55Z")
        first.request("session/load", Self.load)
        second.request("session/load", Self.load)
        #expect(try first.received().dropLast(2).map(\.rawString) == second.received().dropLast(2).map(\.rawString))
        second.prompt("quiet 1 chunk")
        #expect(try second.settle().first?["params", "update", "messageId"]?.stringValue == "agent_2_1")
    }

    @Test func aLongMessageIsStoredUpToItsLimit() {
        var history = History()
        for _ in 0..<3 {
            _ = history.append(String(repeating: "x", count: 700_000), kind: "agent_message_chunk", messageID: "m")
        }
        _ = history.endMessage()
        #expect(history.updates.count == 1)
        #expect(history.updates[0].count < 2 * History.messageLimitBytes)
    }

    @Test func theOldestUpdatesAreDropped() {
        var history = History()
        for number in 0..<20 { _ = history.append(Array(repeating: UInt8(number), count: 1 << 20)) }
        #expect(history.updates.count == 16)
        #expect(history.updates.first?.first == 4)
    }
}

#if canImport(Glibc)
    import Glibc

    @Suite struct SessionFolderTests {
        @Test func appendedUpdatesAreRead() throws {
            var template = Array("/tmp/demo-agent-tests-XXXXXX\0".utf8CString)
            let path = try #require(mkdtemp(&template).map { String(cString: $0) })
            defer {
                unlink("\(path)/demo-a-1.ndjson")
                rmdir(path)
            }
            let folder = SessionFolder(path: path)
            let update = Array(#"{"sessionUpdate":"plan","entries":[]}"#.utf8)
            folder.append(SessionRecord(id: "demo-a-1", cwd: "/a \"b\"", updates: [update]))
            folder.append(SessionRecord(id: "demo-a-1", cwd: "/ignored", updates: [update, Array("{\"cut o".utf8)]))
            #expect(folder.records() == [SessionRecord(id: "demo-a-1", cwd: "/a \"b\"", updates: [update, update])])
        }

        @Test func aSessionOfVersionTwoIsReadWithItsVersion() throws {
            var template = Array("/tmp/demo-agent-tests-XXXXXX\0".utf8CString)
            let path = try #require(mkdtemp(&template).map { String(cString: $0) })
            defer { rmdir(path) }
            let folder = SessionFolder(path: path)
            let child = Array(#"{"sessionId":"demo-a-1.1a","update":{"sessionUpdate":"notice"}}"#.utf8)
            let record = SessionRecord(id: "demo-a-1", cwd: "/", updates: [child], version: .two)
            folder.append(record)
            #expect(folder.records() == [record])
            folder.remove("demo-a-1")
            #expect(folder.records().isEmpty)
        }

        @Test func theUsualFolderIsOneOfTheUserAndKeepsTheNewestSessions() throws {
            #expect(
                SessionFolder.usualPath { ["HOME": "/home/me"][$0] } == "/home/me/.local/state/acpbridge-demo-agent")
            #expect(
                SessionFolder.usualPath { ["HOME": "/home/me", "XDG_STATE_HOME": "/s"][$0] }
                    == "/s/acpbridge-demo-agent")
            #expect(SessionFolder.usualPath { ["HOME": "", "XDG_STATE_HOME": "s"][$0] } == nil)
            var template = Array("/tmp/demo-agent-tests-XXXXXX\0".utf8CString)
            let path = try #require(mkdtemp(&template).map { String(cString: $0) })
            let folder = try #require(SessionFolder.usual { ["XDG_STATE_HOME": path + "/a"][$0] })
            defer {
                unlink("\(path)/a/acpbridge-demo-agent/demo-1.ndjson")
                for folder in ["/a/acpbridge-demo-agent", "/a", ""] { rmdir(path + folder) }
            }
            for (id, second) in [("demo-1", 200), ("demo-2", 100)] {
                folder.append(SessionRecord(id: id, cwd: "/", updates: []))
                let time = timespec(tv_sec: second, tv_nsec: 0)
                utimensat(AT_FDCWD, "\(path)/a/acpbridge-demo-agent/\(id).ndjson", [time, time], 0)
            }
            folder.removeOldest(keeping: 1)
            #expect(folder.records().map(\.id) == ["demo-1"])
        }

        @Test func aMissingFolderHasNoSessions() {
            let folder = SessionFolder(path: "/nonexistent/folder")
            folder.append(SessionRecord(id: "demo-a-1", cwd: "/", updates: []))
            #expect(folder.records().isEmpty)
        }
    }
#endif
