import BenchMeasuring

extension Outcome {
    /// The ratio of acpbridge's median to that of another system, if that system was measured in the same way.
    func ratio(of quantity: Quantity, to system: System, among outcomes: [Outcome]) -> Double? {
        guard subject.system == .acpbridge else { return nil }
        var other = subject
        other.system = system
        guard let median = median(of: quantity),
            let compared = outcomes.first(where: { $0.subject == other })?.median(of: quantity), compared > 0
        else { return nil }
        return median / compared
    }

    private func median(of quantity: Quantity) -> Double? {
        spreads.first { $0.quantity == quantity }?.spread.median
    }
}
