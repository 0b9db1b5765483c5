/// Which ended sessions a bridge forgets. A live one never is.
public struct RetentionPolicy: Sendable, Equatable {
    /// Those that ended longer ago than this.
    public var age: Duration?
    /// The oldest, as long as the log takes more than this on disk.
    public var logBytes: Int64?

    public init(age: Duration? = nil, logBytes: Int64? = nil) {
        self.age = age
        self.logBytes = logBytes
    }
}
