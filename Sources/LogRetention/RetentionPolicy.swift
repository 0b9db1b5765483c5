/// The rules by which a bridge deletes ended sessions. A live session is never deleted.
package struct RetentionPolicy: Sendable, Equatable {
    /// Sessions that ended longer ago than this are deleted.
    package var age: Duration?
    /// The oldest sessions are deleted while the log takes more than this number of bytes on disk.
    package var logBytes: Int64?

    package init(age: Duration? = nil, logBytes: Int64? = nil) {
        self.age = age
        self.logBytes = logBytes
    }
}
