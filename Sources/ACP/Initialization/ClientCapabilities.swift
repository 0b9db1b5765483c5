import JSONCoding

extension ACP {
    /// What a client can do. They hold for the connection. Schema: `ClientCapabilities`.
    public struct ClientCapabilities: Object, AbsenceMeans {
        public static let absent = Self()

        /// Which files' methods the agent may call.
        @Lenient public var fs: FileSystemCapabilities
        /// True when all `terminal/` methods are there.
        @Lenient public var terminal: Bool
        /// What the client takes in a session beyond the minimum.
        @Lenient public var session: ClientSessionCapabilities?
        /// Unstable. Present when the client takes `plan_update` and `plan_removed`.
        @Lenient public var plan: PlanCapabilities?
        /// Which ways to log in the agent may offer.
        @Lenient public var auth: AuthCapabilities
        /// In which ways the user can be asked for input.
        @Lenient public var elicitation: ElicitationCapabilities?
        /// Unstable. Which kinds of next edits the client can show.
        @Lenient public var nes: ClientNesCapabilities?
        /// Unstable. How the client can count characters, the best first.
        @Lenient public var positionEncodings: [PositionEncodingKind]
        public var otherMembers: OtherMembers

        public init(
            fs: FileSystemCapabilities = .init(), terminal: Bool = false, session: ClientSessionCapabilities? = nil,
            plan: PlanCapabilities? = nil, auth: AuthCapabilities = .init(),
            elicitation: ElicitationCapabilities? = nil, nes: ClientNesCapabilities? = nil,
            positionEncodings: [PositionEncodingKind] = [], meta: RawJSON? = nil
        ) {
            self.fs = fs
            self.terminal = terminal
            self.session = session
            self.plan = plan
            self.auth = auth
            self.elicitation = elicitation
            self.nes = nes
            self.positionEncodings = positionEncodings
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// Which of the editor's file methods an agent may call. Schema: `FileSystemCapabilities`.
    public struct FileSystemCapabilities: Object, AbsenceMeans {
        public static let absent = Self()

        /// True when `fs/read_text_file` is there.
        @Lenient public var readTextFile: Bool
        /// True when `fs/write_text_file` is there.
        @Lenient public var writeTextFile: Bool
        public var otherMembers: OtherMembers

        public init(readTextFile: Bool = false, writeTextFile: Bool = false, meta: RawJSON? = nil) {
            self.readTextFile = readTextFile
            self.writeTextFile = writeTextFile
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// What a client takes in a session beyond the minimum. Schema: `ClientSessionCapabilities`.
    public struct ClientSessionCapabilities: Object {
        /// Unstable. Present when the client takes compaction updates.
        @Lenient public var compaction: CompactionCapabilities?
        /// Which kinds of options beyond `select` the client can show.
        @Lenient public var configOptions: SessionConfigOptionsCapabilities?
        public var otherMembers: OtherMembers

        public init(
            compaction: CompactionCapabilities? = nil, configOptions: SessionConfigOptionsCapabilities? = nil,
            meta: RawJSON? = nil
        ) {
            self.compaction = compaction
            self.configOptions = configOptions
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// Unstable. Present when `compaction_update` and `compaction_summary_chunk` are taken; it holds nothing yet.
    /// Schema: `CompactionCapabilities`.
    public struct CompactionCapabilities: Object {
        public var otherMembers: OtherMembers

        public init() {
            otherMembers = OtherMembers()
        }
    }

    /// Which kinds of session options a client can show. Schema: `SessionConfigOptionsCapabilities`.
    public struct SessionConfigOptionsCapabilities: Object {
        /// Present when options of type `boolean` may be offered.
        @Lenient public var boolean: BooleanConfigOptionCapabilities?
        public var otherMembers: OtherMembers

        public init(boolean: BooleanConfigOptionCapabilities? = nil, meta: RawJSON? = nil) {
            self.boolean = boolean
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// Present when options of type `boolean` are taken; it holds nothing yet. Schema:
    /// `BooleanConfigOptionCapabilities`.
    public struct BooleanConfigOptionCapabilities: Object {
        public var otherMembers: OtherMembers

        public init(meta: RawJSON? = nil) {
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// Unstable. Present when `plan_update` and `plan_removed` are taken; it holds nothing yet. Schema:
    /// `PlanCapabilities`.
    public struct PlanCapabilities: Object {
        public var otherMembers: OtherMembers

        public init(meta: RawJSON? = nil) {
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// Which ways to log in a client can offer its user. Schema: `AuthCapabilities`.
    public struct AuthCapabilities: Object, AbsenceMeans {
        public static let absent = Self()

        /// True when the client can run the agent's command in a terminal for the user to log in.
        @Lenient public var terminal: Bool
        public var otherMembers: OtherMembers

        public init(terminal: Bool = false, meta: RawJSON? = nil) {
            self.terminal = terminal
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// In which ways a client can ask its user for input. Schema: `ElicitationCapabilities`.
    public struct ElicitationCapabilities: Object {
        /// Present when the client shows forms.
        @Lenient public var form: ElicitationFormCapabilities?
        /// Present when the client opens addresses.
        @Lenient public var url: ElicitationUrlCapabilities?
        public var otherMembers: OtherMembers

        public init(
            form: ElicitationFormCapabilities? = nil, url: ElicitationUrlCapabilities? = nil, meta: RawJSON? = nil
        ) {
            self.form = form
            self.url = url
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// Present when forms are shown; it holds nothing yet. Schema: `ElicitationFormCapabilities`.
    public struct ElicitationFormCapabilities: Object {
        public var otherMembers: OtherMembers

        public init(meta: RawJSON? = nil) {
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// Present when addresses are opened; it holds nothing yet. Schema: `ElicitationUrlCapabilities`.
    public struct ElicitationUrlCapabilities: Object {
        public var otherMembers: OtherMembers

        public init(meta: RawJSON? = nil) {
            otherMembers = OtherMembers(meta: meta)
        }
    }
}
