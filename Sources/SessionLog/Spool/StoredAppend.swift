import SessionRecords

/// An append that was stored at once.
package struct StoredAppend: Sendable {
    package let answer: Answer
    /// The writer's thread sleeps although it has work: see ``SessionLog/wakeWriter()``.
    package let mustWakeWriter: Bool
}
