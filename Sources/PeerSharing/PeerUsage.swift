import EventLoop
import Functions
import Peers

/// Reads the usage of the sessions of all peers on some days. A peer that does not answer in time is left out.
@LoopActor final class PeerUsage {
    /// 5 s: an answer has some hundred kilobytes at most.
    private static let patience = Duration.seconds(5)

    /// The name of a peer, and the request for its usage, which can take any time.
    struct Source {
        let name: String
        let read: @LoopActor (@escaping @LoopActor @Sendable (Result<LogAnswer, PeerLink.Failure>) -> Void) -> Void
    }

    private var waiting: [String] = []
    private var found: [UsageOfOthers] = []
    private var finish: (@LoopActor ([UsageOfOthers]) -> Void)?
    private var timer: Timer?

    init(_ finish: @escaping @LoopActor ([UsageOfOthers]) -> Void) { self.finish = finish }

    func read(_ peers: [Source], timers: any TimerScheduler) {
        waiting = peers.map(\.name)
        timer = timers.schedule(after: Self.patience) { [self] in end() }
        for peer in peers {
            let name = peer.name
            peer.read { [self] result in
                waiting.firstIndex(of: name).map { _ = waiting.remove(at: $0) }
                found.append(UsageOfOthers(bridge: name, Self.usage(result)))
                if waiting.isEmpty { end() }
            }
        }
        if waiting.isEmpty { end() }
    }

    private static func usage(_ result: Result<LogAnswer, PeerLink.Failure>) -> UsageOfOthers.Usage {
        switch result {
        case .success(.usage(let usage)): .known(usage)
        case .success: .unknown(reason: "it answers in a form that this bridge does not know")
        case .failure(let failure): .unknown(reason: failure.reason)
        }
    }

    /// Answers once.
    private func end() {
        timer?.cancel()
        timer = nil
        guard let finish else { return }
        self.finish = nil
        let reason = "it has not answered for \(Self.patience.components.seconds) s"
        finish(found + waiting.map { UsageOfOthers(bridge: $0, .unknown(reason: reason)) })
    }
}
