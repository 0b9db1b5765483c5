import AgentProcess
import Bridge
import Diagnostics
import EventLoop
import Glibc
import Posix

/// Handles signals. The first one requests an orderly end; the second one ends the program at once. SIGHUP replaces
/// this program with the current contents of its file.
@LoopActor final class StopRequest {
    var bridge: Bridge?
    private var wasAsked = false
    /// The path of this program's file. A different version can be at that path by the time of the signal.
    private let program: String
    private let environment: [SystemString]
    private let messages: OperatorMessages
    private let service: ServiceLink
    /// Of the programs that should replace this one and have not ended.
    private var reports: [ReplacementReport] = []

    init(program: String, environment: [SystemString], _ messages: OperatorMessages, _ service: ServiceLink) {
        self.service = service
        self.program = program
        self.environment = environment
        self.messages = messages
    }

    func received(_ signal: Int32) {
        switch signal {
        case SIGHUP: if reloadCertificate() { requestReplacement() }
        case SIGCHLD: bridge?.reapStrays()
        default:
            if wasAsked { _exit(128 + signal) }
            wasAsked = true
            service.stopping()
            bridge?.stop()
        }
    }

    /// A new program that cannot use the certificate would not start, and then no bridge would be left.
    private func reloadCertificate() -> Bool {
        guard let certificate = bridge?.certificate else { return true }
        do throws(TLSFault) {
            try certificate.reload()
            if let warning = certificate.warning { messages.warn("\(warning)") }
            return true
        } catch {
            messages.warn(
                "the certificate could not be reloaded, and the previous one stays in use: \(error)")
            return false
        }
    }

    /// The new program requests the replacement itself. If it fails to start, this program is not affected.
    private func requestReplacement() {
        let nothing = Descriptor(owning: open("/dev/null", O_RDWR | O_CLOEXEC))
        let request = SpawnRequest(
            command: [SystemString(program), "serve", "--replace"], directory: "/", environment: environment)
        do {
            let (readEnd, writeEnd) = try Pipe().ends()
            let errors = Descriptor(owning: writeEnd)
            let report = try ReplacementReport(Descriptor(owning: readEnd), messages) { [unowned self] report in
                reports.removeAll { $0 === report }
            }
            reports.append(report)
            _ = try DetachedProcess.start(request, streams: (nothing.raw, nothing.raw, errors.raw))
        } catch {
            messages.warn("the bridge was not replaced: \(error)")
        }
    }
}
