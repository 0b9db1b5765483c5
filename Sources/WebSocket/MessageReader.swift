/// Reads one peer's messages, compressed ones too where that was agreed on: a ``MessageAssembler`` and what restores
/// what it delivers.
///
/// Memory: the assembler's, where the limit holds for the compressed form too; the message that is restored, up to the
/// same limit; and if the peer may refer to earlier messages, a window of up to 32 KiB from its first compressed one on.
public struct MessageReader: ~Copyable, Sendable {
    private var assembler: MessageAssembler
    private let limits: MessageLimits
    /// How the peer compresses; nil when it may not.
    private let compression: PermessageDeflate.Direction?
    private var inflater: Inflater?

    /// - Parameter role: which side of the connection *we* are.
    /// - Parameter deflate: what the handshake agreed on.
    public init(
        role: MessageAssembler.Role, limits: MessageLimits = MessageLimits(), deflate: PermessageDeflate? = nil
    ) {
        assembler = MessageAssembler(role: role, limits: limits, allowsDeflated: deflate != nil)
        self.limits = limits
        compression = deflate?.peer(of: role)
    }

    /// As ``MessageAssembler/isFinished``.
    public var isFinished: Bool { assembler.isFinished }

    /// Takes bytes as they were read.
    public mutating func append(_ bytes: UnsafeRawBufferPointer) { assembler.append(bytes) }

    /// Takes bytes as they were read.
    public mutating func append(_ bytes: Span<UInt8>) { assembler.append(bytes) }

    /// As ``MessageAssembler/next()``.
    public mutating func next() throws(ProtocolViolation) -> MessageAssembler.Event? {
        guard let event = try assembler.next() else { return nil }
        guard assembler.isDeflated, let compression else { return event }
        do throws(ProtocolViolation) {
            switch event {
            case .text(let payload): return .text(try inflateText(payload, compression))
            case .binary(let payload): return .binary(try inflate(payload, compression))
            case .ping, .pong, .close: return event
            }
        } catch {
            assembler.finish()
            throw error
        }
    }

    private mutating func inflateText(
        _ payload: [UInt8], _ compression: PermessageDeflate.Direction
    ) throws(ProtocolViolation) -> [UInt8] {
        let text = try inflate(payload, compression)
        guard UTF8Validator.isValid(text.span) else { throw .invalidUTF8 }
        return text
    }

    private mutating func inflate(
        _ payload: [UInt8], _ compression: PermessageDeflate.Direction
    ) throws(ProtocolViolation) -> [UInt8] {
        var inflater = inflater.take() ?? Inflater(windowBits: compression.windowBits)
        guard let message = try inflater?.inflate(payload, limitBytes: limits.messageBytes) else {
            // Memory is out: as if less were allowed.
            throw .messageTooBig(limitBytes: limits.messageBytes)
        }
        // Without a context there is nothing to keep, and an idle connection holds no window.
        if compression.keepsContext { self.inflater = inflater.take() }
        return message
    }
}
