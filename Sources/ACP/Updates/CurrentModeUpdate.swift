import JSONCoding

extension ACP {
    /// The session's mode has changed. Schema: `CurrentModeUpdate`.
    public struct CurrentModeUpdate: Object {
        /// The id of one of the session's `availableModes`.
        public var currentModeId: SessionModeId
        public var otherMembers: OtherMembers

        public init(currentModeId: SessionModeId, meta: RawJSON? = nil) {
            self.currentModeId = currentModeId
            otherMembers = OtherMembers(meta: meta)
        }
    }
}
