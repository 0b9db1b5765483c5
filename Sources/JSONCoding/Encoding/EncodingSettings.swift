/// What every encoder of one text shares.
final class EncodingSettings {
    /// As deep as `JSONScan` reads.
    static let maxDepth = 512

    /// How many types may be in the midst of `encode(to:)`: at some levels one hands on to another before it writes. With
    /// the frames of a build for the address sanitizer this takes half of the 8 MiB that a thread has.
    static let maxCalls = 2 * maxDepth

    let conversions: EncodingConversions
    let userInfo: [CodingUserInfoKey: any Sendable]

    init(conversions: EncodingConversions, userInfo: [CodingUserInfoKey: any Sendable]) {
        self.conversions = conversions
        self.userInfo = userInfo
    }
}

/// The way to a value that is being encoded, kept as steps back, so that a step down costs the same at every depth.
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
