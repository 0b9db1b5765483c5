import CLibFuzzer
import FuzzTargets

/// `acpbridge-fuzz TARGET [OPTIONS OF libFuzzer…] [FOLDER…]`
@main enum Fuzz {
    nonisolated(unsafe) private static var target = FuzzTarget.json

    static func main() {
        let words = CommandLine.arguments
        guard words.count > 1, let target = FuzzTarget(rawValue: words[1]) else {
            fatalError("Use one of \(FuzzTarget.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        // Written once, before anything reads it. libFuzzer's callback has no parameter for other data than the input.
        Self.target = target
        run([words[0]] + words.dropFirst(2))
    }

    private static func run(_ words: [String]) {
        var count = Int32(words.count)
        // libFuzzer keeps these pointers until the end.
        let pointers = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>.allocate(capacity: words.count + 1)
        for (index, word) in words.enumerated() {
            let text = UnsafeMutableBufferPointer<CChar>.allocate(capacity: word.utf8.count + 1)
            _ = text.initialize(from: word.utf8CString)
            (pointers + index).initialize(to: text.baseAddress)
        }
        (pointers + words.count).initialize(to: nil)
        var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = pointers
        LLVMFuzzerRunDriver(&count, &arguments, tryInput)
    }

    fileprivate static func check(_ input: UnsafeBufferPointer<UInt8>) {
        do throws(Finding) {
            try target.check(Array(input))
        } catch {
            fatalError("This property is violated: \(error)")
        }
    }
}

/// libFuzzer's own `main`, which is linked but not used, requires a function with this name.
@_cdecl("LLVMFuzzerTestOneInput")
func tryInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    Fuzz.check(UnsafeBufferPointer(start: start, count: count))
    return 0
}
