import Access
import Agents
import EventLoop
import Functions
import SessionStreams

/// The parts of the bridge that all clients use.
@LoopActor package struct ClientServices {
    let limits: Limits
    let registry: SessionRegistry
    let agents: AgentPool
    let functions: Functions
    let audit: AuditLog
    let loop: LoopServices

    package init(
        limits: Limits, registry: SessionRegistry, agents: AgentPool, functions: Functions, audit: AuditLog,
        loop: LoopServices = .main
    ) {
        self.limits = limits
        self.registry = registry
        self.agents = agents
        self.functions = functions
        self.audit = audit
        self.loop = loop
    }
}
