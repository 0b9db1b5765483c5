import ACPBase
import ACPNextEdits
import JSONCoding

extension ACP {
    /// The capabilities of a client, valid for the whole connection. Schema: `ClientCapabilities`.
    public struct ClientCapabilities: Object, AbsenceMeans {
        public static let absent = Self()

        /// The file methods that the agent can call.
        @Lenient public var fs: FileSystemCapabilities
        /// True when the client supports all `terminal/` methods.
        @Lenient public var terminal: Bool
        /// The client's capabilities in a session beyond the required ones.
        @Lenient public var session: ClientSessionCapabilities?
        /// Present when the client accepts child sessions: `subagent_update`, `session_message`,
        /// `session_message_chunk` and tool call content of type `session`. Version 2 has no such member.
        @Lenient public var subagents: SubagentsCapabilities?
        /// Unstable. Present when the client accepts `plan_update` and `plan_removed`.
        @Lenient public var plan: PlanCapabilities?
        /// The login methods that the agent can offer.
        @Lenient public var auth: AuthCapabilities
        /// The ways in which the agent can ask the user for input.
        @Lenient public var elicitation: ElicitationCapabilities?
        /// Unstable. The kinds of next edits that the client can show.
        @Lenient public var nes: ClientNesCapabilities?
        /// Unstable. The units in which the client can count characters, the preferred one first.
        @Lenient public var positionEncodings: [PositionEncodingKind]
        public var otherMembers: OtherMembers

        public init(
            fs: FileSystemCapabilities = .init(), terminal: Bool = false, session: ClientSessionCapabilities? = nil,
            subagents: SubagentsCapabilities? = nil, plan: PlanCapabilities? = nil, auth: AuthCapabilities = .init(),
            elicitation: ElicitationCapabilities? = nil, nes: ClientNesCapabilities? = nil,
            positionEncodings: [PositionEncodingKind] = [], meta: RawJSON? = nil
        ) {
            self.fs = fs
            self.terminal = terminal
            self.session = session
            self.subagents = subagents
            self.plan = plan
            self.auth = auth
            self.elicitation = elicitation
            self.nes = nes
            self.positionEncodings = positionEncodings
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// The client's file methods that an agent can call. Schema: `FileSystemCapabilities`.
    public struct FileSystemCapabilities: Object, AbsenceMeans {
        public static let absent = Self()

        /// True when the client supports `fs/read_text_file`.
        @Lenient public var readTextFile: Bool
        /// True when the client supports `fs/write_text_file`.
        @Lenient public var writeTextFile: Bool
        public var otherMembers: OtherMembers

        public init(readTextFile: Bool = false, writeTextFile: Bool = false, meta: RawJSON? = nil) {
            self.readTextFile = readTextFile
            self.writeTextFile = writeTextFile
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// A client's capabilities in a session beyond the required ones. Schema: `ClientSessionCapabilities`.
    public struct ClientSessionCapabilities: Object {
        /// Present when the client accepts compaction updates. Unstable in schema 1.21.0.
        @Lenient public var compaction: CompactionCapabilities?
        /// The kinds of options besides `select` that the client can show.
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

    /// Present when the client accepts `compaction_update` and `compaction_summary_chunk`; has no members yet. Unstable
    /// in schema 1.21.0. Schema: `CompactionCapabilities`.
    public struct CompactionCapabilities: Object {
        public var otherMembers: OtherMembers

        public init() {
            otherMembers = OtherMembers()
        }
    }

    /// The kinds of session options that a client can show. Schema: `SessionConfigOptionsCapabilities`.
    public struct SessionConfigOptionsCapabilities: Object {
        /// Present when the agent can offer options of type `boolean`.
        @Lenient public var boolean: BooleanConfigOptionCapabilities?
        public var otherMembers: OtherMembers

        public init(boolean: BooleanConfigOptionCapabilities? = nil, meta: RawJSON? = nil) {
            self.boolean = boolean
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// Present when the client accepts options of type `boolean`; has no members yet. Schema:
    /// `BooleanConfigOptionCapabilities`.
    public struct BooleanConfigOptionCapabilities: Object {
        public var otherMembers: OtherMembers

        public init(meta: RawJSON? = nil) {
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// Present when the client accepts child sessions; has no members yet. Source: the RFD "subagents", completed on
    /// 2026-11-20.
    public struct SubagentsCapabilities: Object {
        public var otherMembers: OtherMembers

        public init(meta: RawJSON? = nil) {
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// Unstable. Present when the client accepts `plan_update` and `plan_removed`; has no members yet. Schema:
    /// `PlanCapabilities`.
    public struct PlanCapabilities: Object {
        public var otherMembers: OtherMembers

        public init(meta: RawJSON? = nil) {
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// The login methods that a client can offer to its user. Schema: `AuthCapabilities`.
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

    /// The ways in which a client can ask its user for input. Schema: `ElicitationCapabilities`.
    public struct ElicitationCapabilities: Object {
        /// Present when the client can show forms.
        @Lenient public var form: ElicitationFormCapabilities?
        /// Present when the client can open URLs.
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

    /// Present when the client can show forms; has no members yet. Schema: `ElicitationFormCapabilities`.
    public struct ElicitationFormCapabilities: Object {
        public var otherMembers: OtherMembers

        public init(meta: RawJSON? = nil) {
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// Present when the client can open URLs; has no members yet. Schema: `ElicitationUrlCapabilities`.
    public struct ElicitationUrlCapabilities: Object {
        public var otherMembers: OtherMembers

        public init(meta: RawJSON? = nil) {
            otherMembers = OtherMembers(meta: meta)
        }
    }
}
