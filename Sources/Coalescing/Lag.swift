import Tinyvex

/// How far behind a reader is: the stored updates that were not sent to it yet.
package struct Lag: Equatable, Sendable {
    package var frames: Int64
    package var bytes: Int64
    /// How long the oldest of these updates has been waiting for this reader.
    package var age: Duration

    package init(frames: Int64, bytes: Int64, age: Duration) {
        self.frames = frames
        self.bytes = bytes
        self.age = age
    }

    /// True when the lag is larger than `terms` allow.
    package func exceeds(_ terms: PolicyTerms) -> Bool {
        frames > terms.maxFrames || bytes > terms.maxBytes || age > .milliseconds(terms.maxAgeMilliseconds)
    }
}
