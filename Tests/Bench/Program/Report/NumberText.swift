/// Numbers for a person, with about three digits: `1,234,567`, `45.6`, `0.72`.
enum NumberText {
    static func of(_ value: Double) -> String {
        let size = abs(value)
        if size >= 100 { return grouped(Int(value.rounded())) }
        return decimal(value, digits: size >= 10 ? 1 : 2)
    }

    private static func decimal(_ value: Double, digits: Int) -> String {
        let factor = digits == 1 ? 10 : 100
        let scaled = Int((abs(value) * Double(factor)).rounded())
        let fraction = String(scaled % factor)
        let zeros = String(repeating: "0", count: digits - fraction.count)
        return (value < 0 ? "-" : "") + "\(scaled / factor).\(zeros)\(fraction)"
    }

    private static func grouped(_ number: Int) -> String {
        var text = ""
        for (index, digit) in String(abs(number)).reversed().enumerated() {
            if index > 0, index % 3 == 0 { text.append(",") }
            text.append(digit)
        }
        return (number < 0 ? "-" : "") + String(text.reversed())
    }
}
