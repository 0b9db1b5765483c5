import ACPRouting
import JSONScan
import SessionFolding
import SessionRecords
import Testing
import Tinyvex

@testable import Functions

@Suite struct SessionDetailsTests {
    private func details(_ change: (inout SessionDetails) -> Void = { _ in }) throws -> JSONValue {
        let row = SessionSummary(
            sessionId: "s", agent: "demo", title: nil, cwd: nil, tags: [], isArchived: false, createdTs: 1, lastTs: 2,
            updateCount: 3, live: true, isRunning: false, journal: "j", end: nil)
        var details = SessionDetails(row, SessionFold(), stored: nil)
        change(&details)
        return try JSONValue(validating: details.json())
    }

    private func setup(_ text: String) -> SessionDetails.Setup { SessionDetails.Setup(Array(text.utf8)) }

    @Test func modesNeedACurrentOneAndAList() throws {
        let whole = #"{"modes":{"currentModeId":"ask","availableModes":[]}}"#
        let value = try details { $0.setup = setup(whole) }
        #expect(value["currentModeId"]?.stringValue == "ask")
        #expect(value["modes"]?.rawString == #"{"currentModeId":"ask","availableModes":[]}"#)
        for text in [#"{"modes":{"currentModeId":"ask"}}"#, #"{"modes":{"availableModes":[]}}"#, #"{"modes":[]}"#, "{"]
        {
            let value = try details { $0.setup = setup(text) }
            #expect(value["modes"]?.isNull == true && value["currentModeId"]?.isNull == true, "\(text)")
        }
    }

    @Test func optionsThatAreTooLongAreLeftOut() throws {
        let long = String(repeating: "x", count: SessionFold.partLimitBytes)
        #expect(try details { $0.setup = setup(#"{"configOptions":[1]}"#) }["configOptions"]?.rawString == "[1]")
        #expect(try details { $0.setup = setup(#"{"configOptions":["\#(long)"]}"#) }["configOptions"]?.isNull == true)
        #expect(try details { $0.setup = setup(#"{"configOptions":{}}"#) }["configOptions"]?.isNull == true)
    }

    @Test func membersWithoutContentAreAbsent() throws {
        let value = try details()
        for name in ["viewers", "muted", "missingCapabilities", "promptCapabilities", "costs"] {
            #expect(value[name] == nil, "\(name)")
        }
        let full = try details { details in
            details.hasCosts = true
            details.isMuted = false
            details.viewers = [SessionViewer(who: "w", name: nil, tenant: nil, sinceTs: 4)]
        }
        #expect(full["costs"]?.rawString == "[]" && full["muted"]?.boolValue == false)
        #expect(full["viewers"]?.rawString == #"[{"who":"w","sinceTs":4}]"#)
    }
}
