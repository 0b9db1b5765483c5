import AgentProcess
import Testing

@testable import CommandContext

@Suite struct EnvironmentTests {
    private static let shell: [SystemString] = [
        "HOME=/home/u", "LC_ALL=C", "SSH_AUTH_SOCK=/s", "MY_KEY=k", "LD_LIBRARY_PATH=/x", "ACPBRIDGE_TOKEN=secret",
    ]

    private func names(_ variables: [SystemString]) -> [String] { variables.map(\.variableName) }

    @Test func anAgentOnDemandInheritsLoginAndProfileVariables() {
        #expect(names(AgentEnvironment.clean(Self.shell)) == ["HOME", "LC_ALL"])
        #expect(names(AgentEnvironment.clean(Self.shell, adding: ["MY_KEY"])) == ["HOME", "LC_ALL", "MY_KEY"])
    }

    @Test func aBridgeInheritsNoTokenAndNoVariableThatLoadsCode() {
        #expect(names(DaemonEnvironment.clean(Self.shell)) == ["HOME", "LC_ALL", "SSH_AUTH_SOCK", "MY_KEY"])
    }

    @Test func aBridgeOnDemandHasNoServiceManagerOfTheProgramThatStartsIt() {
        let service: [SystemString] = [
            "NOTIFY_SOCKET=/s", "LISTEN_FDS=1", "LISTEN_PID=1", "WATCHDOG_USEC=1", "SYSTEMD_EXEC_PID=1",
            "ACPBRIDGE_DELEGATED=1", "A=b",
        ]
        #expect(names(DaemonEnvironment.clean(service)) == ["A"])
    }
}
