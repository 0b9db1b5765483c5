import JSONCoding

extension ACP {
    /// The commands that a prompt may begin with, all of them. Schema: `AvailableCommandsUpdate`.
    public struct AvailableCommandsUpdate: Object {
        /// In the order to show.
        @Lossy public var availableCommands: [AvailableCommand]
        public var otherMembers: OtherMembers

        public init(availableCommands: [AvailableCommand] = [], meta: RawJSON? = nil) {
            self.availableCommands = availableCommands
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// A command: `/name input`. Schema: `AvailableCommand`.
    public struct AvailableCommand: Object {
        /// Without the slash.
        public var name: String
        /// For the user.
        public var description: String
        /// What may stand behind the name; nothing when absent.
        @Lenient public var input: AvailableCommandInput?
        public var otherMembers: OtherMembers

        public init(name: String, description: String, input: AvailableCommandInput? = nil, meta: RawJSON? = nil) {
            self.name = name
            self.description = description
            self.input = input
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// Whatever the user types behind the name. Schema: `UnstructuredCommandInput`.
    public struct UnstructuredCommandInput: Object {
        /// What to show while nothing is typed.
        public var hint: String
        public var otherMembers: OtherMembers

        public init(hint: String, meta: RawJSON? = nil) {
            self.hint = hint
            otherMembers = OtherMembers(meta: meta)
        }
    }
}
