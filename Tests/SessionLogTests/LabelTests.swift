import SessionRecords
import TestSupport
import Testing

@testable import SessionLog

@Suite struct LabelTests {
    let folder: TemporaryFolder
    let client: BlockingLogClient

    init() throws {
        folder = TemporaryFolder()
        client = try BlockingLogClient(folder.log)
    }

    @Test func labelsAreStoredBesideTheAgentsTitle() throws {
        let lease = try client.claim(facts: SessionFacts(title: "the agent's"))
        for change in [SessionLabel.Change.title("mine"), .tags(["a b", "ü"]), .archived(true)] {
            #expect(client.ask(.label(sid: lease.sid, change)) == .described)
        }
        let record = try #require(try client.incarnation(lease.sid).first)
        #expect(record.title == "the agent's")
        #expect(record.label == SessionLabel(title: "mine", tags: ["a b", "ü"], isArchived: true))
        #expect(client.ask(.label(sid: lease.sid, .title(nil))) == .described)
        #expect(client.ask(.label(sid: lease.sid, .tags([]))) == .described)
        #expect(try client.incarnation(lease.sid).first?.label == SessionLabel(isArchived: true))
    }

    @Test func anAgentCanRemoveItsTitle() throws {
        let lease = try client.claim(facts: SessionFacts(title: "one"))
        #expect(client.ask(.describe(sid: lease.sid, facts: SessionFacts(title: ""))) == .described)
        #expect(try client.incarnation(lease.sid).first?.title == nil)
    }

    @Test func theNewestUsageIsKept() throws {
        let lease = try client.claim(facts: SessionFacts(usage: #"{"used":1}"#))
        #expect(try client.incarnation(lease.sid).first?.usage == #"{"used":1}"#)
        #expect(client.ask(.describe(sid: lease.sid, facts: SessionFacts(usage: #"{"used":2}"#))) == .described)
        let long = String(repeating: " ", count: 513)
        #expect(client.ask(.describe(sid: lease.sid, facts: SessionFacts(title: "t", usage: long))) == .described)
        #expect(try client.sessions().first?.usage == #"{"used":2}"#)
    }

    @Test func theFirstPromptIsNotReplaced() throws {
        let long = String(repeating: "ä", count: 2000)
        let lease = try client.claim(facts: SessionFacts(firstPrompt: long))
        #expect(client.ask(.describe(sid: lease.sid, facts: SessionFacts(firstPrompt: "later"))) == .described)
        #expect(try client.incarnation(lease.sid).first?.firstPrompt == String(long.prefix(1000)))
    }

    @Test func continuingAnArchivedSessionUnarchivesIt() throws {
        let lease = try client.claim()
        #expect(client.ask(.label(sid: lease.sid, .archived(true))) == .described)
        try client.end(lease)
        _ = try client.claim(mode: .continueLatest)
        #expect(try client.incarnation(lease.sid).first?.label.isArchived == false)
    }

    @Test func labellingAnUnknownIncarnationIsAnError() {
        #expect(client.ask(.label(sid: 9, .archived(true))) == .failed(.unknownSession(sid: 9)))
    }
}
