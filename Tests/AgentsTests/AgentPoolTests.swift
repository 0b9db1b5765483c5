import AgentProcess
import Glibc
import TestSupport
import Testing
import Tinyvex

@testable import ACPRouting
@testable import Access
@testable import Agents
@testable import EventLoop
@testable import SessionStreams

@Suite(.timeLimit(.minutes(1))) struct AgentPoolTests {
    init() { LoopThread.start }

    private static let cat = LaunchRequest(
        agent: nil, command: ["cat"], directory: "/", environment: ["PATH=/usr/bin:/bin"], fileModeMask: 0o022,
        openFilesLimit: 1024)

    @LoopActor private func pool(_ rig: AgentRig, limit: Int = 2, startsAgents: Bool = true) -> AgentPool {
        let settings = AgentPool.Settings(
            limit: limit, startsAgents: startsAgents, permissionLimit: nil, coreLimit: nil
        ) {
            (name) throws(AgentUnavailable) in
            guard name == "cat" else { throw AgentUnavailable("no profile \(name)") }
            return Self.cat
        }
        return AgentPool(
            registry: rig.registry, audit: AuditLog(path: rig.folder.path + "/audit", limitBytes: 1 << 20),
            settings: settings, record: AgentRecordFile(path: rig.folder.path + "/agents", continuing: nil),
            loop: rig.loop)
    }

    @Test @LoopActor func agentsOverTheLimitAreRefused() async throws {
        let rig = try AgentRig()
        let pool = pool(rig, limit: 0)
        #expect(throws: Rejection.self) { try pool.start("cat", launch: nil, for: .localUser(0)) }
        #expect(throws: SpawnError.self) { try pool.launch(Self.cat) { _ in } }
        await rig.close()
    }

    @Test @LoopActor func aBridgeWithoutAgentsStartsNone() async throws {
        let rig = try AgentRig()
        let pool = pool(rig, startsAgents: false)
        do throws(Rejection) {
            _ = try pool.start("cat", launch: nil, for: .localUser(0))
            Issue.record("the agent was started")
        } catch {
            #expect(error.code == .agentUnavailable && error.message.contains("--no-agents"))
        }
        do throws(SpawnError) {
            _ = try pool.launch(Self.cat) { _ in }
            Issue.record("the agent was started")
        } catch {
            #expect(error.description.contains("--no-agents"))
        }
        await rig.close()
    }

    @Test @LoopActor func thePasswordOfAHubReachesNoAgent() {
        var request = Self.cat
        request.environment = ["PATH=/bin", "PGPASSWORD=secret", "PGPASSFILE=/p", "ACPBRIDGE_HUB=postgres://u:p@h/d"]
        for (withholdsHub, count) in [(true, 1), (false, 4)] {
            let settings = AgentPool.Settings(
                limit: 1, permissionLimit: nil, coreLimit: nil, withholdsHub: withholdsHub
            ) { (name) throws(AgentUnavailable) in throw AgentUnavailable(name) }
            #expect(settings.environment(of: request).count == count)
        }
    }

    @Test @LoopActor func aClosedPoolStartsNoAgents() async throws {
        let rig = try AgentRig()
        let pool = pool(rig)
        pool.isClosed = true
        #expect(throws: SpawnError.self) { try pool.launch(Self.cat) { _ in } }
        await rig.close()
    }

    /// An earlier fault: a pool took the exit status of an agent of another test, and the agent seemed to have exited with 0.
    @Test @LoopActor func aPoolThatIsNotAloneInItsProcessReapsNoOtherChildren() async throws {
        let rig = try AgentRig()
        let child = try ChildProcess.spawn(
            SpawnRequest(command: ["sh", "-c", "exit 3"], directory: "/", environment: ["PATH=/usr/bin:/bin"]))
        var exit = pollfd(fd: child.exitDescriptor.raw, events: Int16(POLLIN), revents: 0)
        #expect(poll(&exit, 1, 10_000) == 1)
        pool(rig).reapStrays()
        #expect(child.reap() == .exited(code: 3))
        await rig.close()
    }

    @Test @LoopActor func anUnknownAgentIsUnavailable() async throws {
        let rig = try AgentRig()
        let pool = pool(rig)
        do throws(Rejection) {
            _ = try pool.start("dog", launch: nil, for: .localUser(0))
            Issue.record("the agent was started")
        } catch {
            #expect(error.code == .agentUnavailable && error.message == "no profile dog")
        }
        await rig.close()
    }

    /// The reason can name files of the bridge's user.
    @Test @LoopActor func onlyAnAdminGetsTheReasonWhyAnAgentCannotBeStarted() async throws {
        let rig = try AgentRig()
        let pool = pool(rig)
        for role in [Role.control, .observe] {
            let error = #expect(throws: Rejection.self) {
                _ = try pool.start("dog", launch: nil, for: Identity(who: "token", role: role))
            }
            #expect(error?.code == .agentUnavailable && error?.message.contains("no profile dog") == false)
        }
        await rig.close()
    }

    @Test @LoopActor func anUnnamedAgentIsNamedAfterItsCommand() {
        #expect(AgentPool.name(of: Self.cat) == "cat")
    }
}
