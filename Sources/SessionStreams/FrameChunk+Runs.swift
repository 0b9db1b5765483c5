import Coalescing
import Tinyvex

extension FrameChunk {
    /// The runs that a chunk's updates form. They are found on the first request and then shared by all readers of the
    /// chunk.
    struct Runs {
        fileprivate var leavingOut: [UpdateRun]?
        fileprivate var merging: [UpdateRun]?
    }

    /// Returns true if `run(holding:for:in:)` has nothing left to scan.
    func knowsRuns(for purpose: RunScan.Purpose) -> Bool {
        switch purpose {
        case .leavingOut: runs.leavingOut != nil
        case .merging: runs.merging != nil
        }
    }

    /// Returns the run of this update, from `number` on, limited to the part that lies in this chunk.
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
