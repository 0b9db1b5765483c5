/// Makes trials in turn, run by run, so that whatever else the machine does falls on all of them alike.
///
/// One run more than asked for is made first and thrown away: it warms the caches.
struct Alternation {
    let runs: Int
    let progress: (String) -> Void

    func run(_ trials: [Trial]) throws -> [Outcome] {
        var figures = Array(repeating: [[Figure]](), count: trials.count)
        defer { progress("") }
        for run in 0...runs {
            for (index, trial) in trials.enumerated() {
                progress("\(trial.subject.benchmark): trial \(index + 1) of \(trials.count), run \(run) of \(runs)")
                for _ in 0..<(run == 0 ? 1 : trial.repeats) {
                    try Interruption.check()
                    let found = try trial.measure()
                    if run > 0 { figures[index].append(found) }
                }
            }
        }
        return zip(trials, figures).map { Self.outcome($0.subject, $1) }
    }

    /// The figures of one trial, brought together by quantity in the order of the first run.
    static func outcome(_ subject: Subject, _ runs: [[Figure]]) -> Outcome {
        let spreads = (runs.first ?? []).compactMap { first in
            let values = runs.flatMap { run in run.filter { $0.quantity == first.quantity }.map(\.value) }
            return Spread(of: values).map { (first.quantity, $0) }
        }
        return Outcome(subject: subject, measurements: runs.count, spreads: spreads)
    }
}
