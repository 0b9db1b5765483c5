import ACPBase
import JSONCoding

extension ACP.V2 {
    /// Changes of files. Schema: `Diff`.
    public struct Diff: ACP.Object {
        /// The changed files.
        @Lossy public var changes: [DiffChange]
        /// The changes of the contents.
        @Lenient public var patch: DiffPatch?
        public var otherMembers: OtherMembers

        public init(changes: [DiffChange] = [], patch: DiffPatch? = nil, meta: RawJSON? = nil) {
            self.changes = changes
            self.patch = patch
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// A change of one file: `{"operation":"move","oldPath":"/a","path":"/b"}`. Schema: `DiffChange`.
    public enum DiffChange: TaggedUnion {
        /// The file is new.
        case add(DiffPathChange)
        /// The file was deleted.
        case delete(DiffPathChange)
        /// The file's contents were changed.
        case modify(DiffPathChange)
        /// The file was moved or renamed.
        case move(DiffPathPairChange)
        /// The file was copied.
        case copy(DiffPathPairChange)
        /// An unknown operation; its JSON is kept unchanged.
        case unknown(UnknownVariant)

        public static let tagName = "operation"

        public init(tag: String?, from decoder: any Decoder) throws {
            switch tag {
            case "add": self = .add(try DiffPathChange(from: decoder))
            case "delete": self = .delete(try DiffPathChange(from: decoder))
            case "modify": self = .modify(try DiffPathChange(from: decoder))
            case "move": self = .move(try DiffPathPairChange(from: decoder))
            case "copy": self = .copy(try DiffPathPairChange(from: decoder))
            default: self = .unknown(try UnknownVariant(tag, from: decoder))
            }
        }

        public var variant: Variant {
            switch self {
            case .add(let value): Variant("add", value)
            case .delete(let value): Variant("delete", value)
            case .modify(let value): Variant("modify", value)
            case .move(let value): Variant("move", value)
            case .copy(let value): Variant("copy", value)
            case .unknown(let value): Variant(value)
            }
        }
    }

    /// A change of a file at one path. Schema: `DiffPathChange`.
    public struct DiffPathChange: ACP.Object {
        /// The absolute path of the file.
        public var path: String
        /// The kind of the file's contents; absent if it is not known.
        @Lenient public var fileType: DiffFileType?
        /// The MIME type of the file's contents; absent if it is not known.
        @Lenient public var mimeType: String?
        public var otherMembers: OtherMembers

        public init(path: String, fileType: DiffFileType? = nil, mimeType: String? = nil, meta: RawJSON? = nil) {
            self.path = path
            self.fileType = fileType
            self.mimeType = mimeType
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// A change of a file that has an old and a new path. Schema: `DiffPathPairChange`.
    public struct DiffPathPairChange: ACP.Object {
        /// The absolute old path of the file.
        public var oldPath: String
        /// The absolute new path of the file.
        public var path: String
        /// The kind of the file's contents; absent if it is not known.
        @Lenient public var fileType: DiffFileType?
        /// The MIME type of the file's contents; absent if it is not known.
        @Lenient public var mimeType: String?
        public var otherMembers: OtherMembers

        public init(
            oldPath: String, path: String, fileType: DiffFileType? = nil, mimeType: String? = nil,
            meta: RawJSON? = nil
        ) {
            self.oldPath = oldPath
            self.path = path
            self.fileType = fileType
            self.mimeType = mimeType
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// The kind of a file's contents. Names that begin with `_` are free for extensions. Schema: `DiffFileType`.
    public struct DiffFileType: OpenEnum {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Text.
        public static let text = Self(rawValue: "text")
        /// Not text.
        public static let binary = Self(rawValue: "binary")
        /// A directory.
        public static let directory = Self(rawValue: "directory")
        /// A symbolic link.
        public static let symlink = Self(rawValue: "symlink")

        public static let allCases = [text, binary, directory, symlink]
    }

    /// The changes of contents, as a text. Schema: `DiffPatch`.
    public struct DiffPatch: ACP.Object {
        /// The format of the text.
        public var format: DiffPatchFormat
        /// The text.
        public var text: String
        public var otherMembers: OtherMembers

        public init(text: String, format: DiffPatchFormat = .gitPatch, meta: RawJSON? = nil) {
            self.format = format
            self.text = text
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// The format of a patch. Names that begin with `_` are free for extensions. Schema: `DiffPatchFormat`.
    public struct DiffPatchFormat: OpenEnum {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The output of `git diff`.
        public static let gitPatch = Self(rawValue: "git_patch")

        public static let allCases = [gitPatch]
    }
}
