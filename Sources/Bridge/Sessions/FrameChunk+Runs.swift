import Coalescing
import WebSocket

extension FrameChunk {
    /// The runs that a chunk's updates make, found when they are first asked for: then all its readers share them.
    struct Runs {
        fileprivate var leavingOut: [UpdateRun]?
        fileprivate var merging: [UpdateRun]?
    }

    /// Whether `run(holding:for:)` has nothing to look through any more.
    func knowsRuns(for purpose: RunScan.Purpose) -> Bool {
        switch purpose {
        case .leavingOut: runs.leavingOut != nil
        case .merging: runs.merging != nil
        }
    }

    /// The run of this update, as much of it as lies in this chunk, from that number on.
    func run(holding number: Int64, for purpose: RunScan.Purpose, in stream: Subscription.Stream) -> UpdateRun? {
        let all = runs(for: purpose, in: stream)
        var (low, high) = (0, all.count)
        while low < high {
            let middle = (low + high) / 2
            if all[middle].last < number { low = middle + 1 } else { high = middle }
        }
        guard low < all.count, all[low].first <= number else { return nil }
        return all[low].from(number)
    }

    private func runs(for purpose: RunScan.Purpose, in stream: Subscription.Stream) -> [UpdateRun] {
        switch purpose {
        case .leavingOut:
            let found = runs.leavingOut ?? scan(purpose, stream)
            runs.leavingOut = found
            return found
        case .merging:
            let found = runs.merging ?? scan(purpose, stream)
            runs.merging = found
            return found
        }
    }

    private func scan(_ purpose: RunScan.Purpose, _ stream: Subscription.Stream) -> [UpdateRun] {
        var scan = RunScan(purpose, first: first)
        forEachPayload(from: 0) { payload in
            let payload = payload.assumingMemoryBound(to: UInt8.self).span
            switch stream {
            case .updates: scan.add(payload)
            case .timeline:
                if let message = TimelineMessage(payload) {
                    scan.add(payload.extracting(message.notification))
                } else {
                    scan.addOther(byteCount: payload.count)
                }
            }
            return true
        }
        return scan.runs
    }
}
