/// Performs trials in turn, run by run, so that other load on the machine affects all of them alike.
///
/// One additional run is performed first and its results are dropped. It warms the caches.
package struct Alternation {
    private let runs: Int
    private let progress: (String) -> Void

    package init(runs: Int, progress: @escaping (String) -> Void) {
        self.runs = runs
        self.progress = progress
    }

    package func run(_ trials: [Trial]) throws -> [Outcome] {
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

    /// The figures of all runs of one trial, grouped by quantity in the order of the first run.
    static func outcome(_ subject: Subject, _ runs: [[Figure]]) -> Outcome {
        let spreads = (runs.first ?? []).compactMap { first in
            let values = runs.flatMap { run in run.filter { $0.quantity == first.quantity }.map(\.value) }
            return Spread(of: values).map { (first.quantity, $0) }
        }
        return Outcome(subject: subject, measurements: runs.count, spreads: spreads)
    }
}
