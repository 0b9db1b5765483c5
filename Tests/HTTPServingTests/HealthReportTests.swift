import Agents
import HTTP1
import Testing

@testable import HTTPServing

@Suite struct HealthReportTests {
    private static let profiles = [("claude", true), ("codex", false), ("demo", true)].map { name, isInstalled in
        ProfileSummary(
            name: name, title: name, command: [name], isInstalled: isInstalled, homepage: nil, install: nil)
    }

    private func report(isLogWritable: Bool = true) -> HealthReport {
        HealthReport(version: "1.2.3", uptimeSeconds: 60, isLogWritable: isLogWritable) { Self.profiles }
    }

    private func text(_ response: Response) -> String { String(decoding: response.body, as: UTF8.self) }

    @Test func onlyAnAdmittedClientGetsTheNamesOfInstalledAgents() {
        let open = report().answer(isAdmitted: false)
        #expect(open.status == 200)
        #expect(
            text(open)
                == #"{"status":"ok","version":"1.2.3","uptimeSeconds":60,"log":"ok","installedAgents":2}"# + "\n")
        #expect(text(report().answer(isAdmitted: true)).contains(#""agents":["claude","demo"]"#))
    }

    @Test func aLogThatCannotBeWrittenIsUnavailable() {
        let failing = report(isLogWritable: false)
        for response in [failing.readiness, failing.answer(isAdmitted: false)] {
            #expect(response.status == 503)
            #expect(text(response).contains(#""status":"unavailable""#))
            #expect(text(response).contains(#""log":"failing""#))
        }
    }

    @Test func readinessReportsNothingElse() {
        #expect(report().readiness.status == 200)
        #expect(text(report().readiness) == #"{"status":"ok","log":"ok"}"# + "\n")
    }
}
