/// Options of `acpbridge doctor`.
package struct DoctorOptions: Equatable, Sendable {
    /// Print JSON, one object per finding, instead of text for people.
    package var json: Bool

    package init(json: Bool = false) { self.json = json }
}
