import Glibc

/// The sanitizer of this build. `Tests/run.sh --sanitize` builds the tests and the programs that they start with the
/// same one.
///
/// Claims about behaviour are the same under a sanitizer. Claims about time and memory use the members of this type.
enum Sanitizer {
    case address
    case thread

    /// Nil in an ordinary build.
    static let current: Sanitizer? =
        if dlsym(nil, "__asan_init") != nil { .address } else if dlsym(nil, "__tsan_init") != nil { .thread } else {
            nil
        }

    /// The factor for time limits. A sanitizer checks every memory access, and two or more such programs run on each
    /// processor.
    var slowdown: Int {
        switch self {
        case .address: 3
        case .thread: 10
        }
    }

    /// The reason why memory use does not show how much a program keeps: a sanitizer holds back freed memory, and
    /// stores additional bytes that describe each byte in use. Nil if memory use is meaningful.
    static var blursMemory: String? { current.map { "a build with the \($0) sanitizer uses extra memory" } }
}
