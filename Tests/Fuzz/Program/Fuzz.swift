import CLibFuzzer
import FuzzTargets

/// `acpbridge-fuzz TARGET [OPTIONS OF libFuzzer…] [FOLDER…]`
@main enum Fuzz {
    nonisolated(unsafe) private static var target = FuzzTarget.json

    static func main() {
        let words = CommandLine.arguments
        guard words.count > 1, let target = FuzzTarget(rawValue: words[1]) else {
            fatalError("Name one of \(FuzzTarget.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        // Written once, before anything reads it: libFuzzer's function has no room for more than the input.
        Self.target = target
        run([words[0]] + words.dropFirst(2))
    }

    private static func run(_ words: [String]) {
        var count = Int32(words.count)
        // libFuzzer keeps them to the end.
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
            fatalError("This does not hold: \(error)")
        }
    }
}

/// By this name libFuzzer's own `main`, which is linked and not used, wants it.
@_cdecl("LLVMFuzzerTestOneInput")
func tryInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    Fuzz.check(UnsafeBufferPointer(start: start, count: count))
    return 0
}
