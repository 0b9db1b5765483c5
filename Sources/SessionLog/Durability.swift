/// What an acknowledged append survives. A crash of the process loses nothing in either.
public enum Durability: String, Sendable, CaseIterable {
    /// A power cut takes back at most the last 50 ms (`synchronous=NORMAL`, the WAL file synced from a thread of its
    /// own).
    case normal
    /// A power cut takes back nothing (`synchronous=FULL`: a sync in every commit, 0.05 ms on a server's disk, 5 ms on
    /// others).
    case full
}
