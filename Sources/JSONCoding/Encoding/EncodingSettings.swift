/// Settings that all encoders of one text share.
final class EncodingSettings {
    /// The limit of `JSONScan` when it reads.
    static let maxDepth = 512

    /// The maximum number of nested `encode(to:)` calls. At some levels, one type calls another before it writes. With
    /// the stack frames of an address sanitizer build, this uses half of a thread's 8 MiB.
    static let maxCalls = 2 * maxDepth

    let conversions: EncodingConversions
    let userInfo: [CodingUserInfoKey: any Sendable]

    init(conversions: EncodingConversions, userInfo: [CodingUserInfoKey: any Sendable]) {
        self.conversions = conversions
        self.userInfo = userInfo
    }
}

/// The path to a value that is being encoded. Each step links to its parent, so a step down costs the same at every
/// depth.
indirect enum EncodingPath {
    case root
    case step(from: EncodingPath, any CodingKey)

    var keys: [any CodingKey] {
        var keys: [any CodingKey] = []
        var path = self
        while case .step(let parent, let key) = path {
            keys.append(key)
            path = parent
        }
        return keys.reversed()
    }
}
