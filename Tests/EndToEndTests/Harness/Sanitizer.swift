import Glibc

/// What the tests, and the programs that they start, were built with: `Tests/run.sh --sanitize` builds all of them alike.
///
/// Claims about behaviour are the same under it. Of time and memory only this is known.
enum Sanitizer {
    case address
    case thread

    /// Nil in an ordinary build.
    static let current: Sanitizer? =
        if dlsym(nil, "__asan_init") != nil { .address } else if dlsym(nil, "__tsan_init") != nil { .thread } else {
            nil
        }

    /// How many times as long something may take as it would without: a program that is checked on every access to memory,
    /// two or more of which run on each processor.
    var slowdown: Int {
        switch self {
        case .address: 3
        case .thread: 10
        }
    }

    /// Why the memory of a program says nothing of what it keeps: what was freed is held back, and each byte in use has
    /// others beside it that say how. Nil where it does.
    static var blursMemory: String? { current.map { "a build with the \($0) sanitizer keeps memory of its own" } }
}
