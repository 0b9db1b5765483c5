import SessionRecords

/// An append that a killed process has left in the spool.
package struct SpooledAppend {
    package let operation: WriteRequest.Operation
    /// The session's last timeline number before the append. Nil in the spool of an earlier version.
    package let timelineHead: Int64?

    package init(_ operation: WriteRequest.Operation, timelineHead: Int64?) {
        (self.operation, self.timelineHead) = (operation, timelineHead)
    }
}
