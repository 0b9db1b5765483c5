import JSONCoding

extension ACP {
    /// Another mode is on. Schema: `CurrentModeUpdate`.
    public struct CurrentModeUpdate: Object {
        /// One of the session's `availableModes`.
        public var currentModeId: SessionModeId
        public var otherMembers: OtherMembers

        public init(currentModeId: SessionModeId, meta: RawJSON? = nil) {
            self.currentModeId = currentModeId
            otherMembers = OtherMembers(meta: meta)
        }
    }
}
