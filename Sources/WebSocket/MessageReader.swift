/// Reads one peer's messages, including compressed ones if the handshake agreed on compression. It combines a
/// ``MessageAssembler`` with a decompressor.
///
/// Memory: the assembler's, where the limit also applies to the compressed form; the decompressed message, up to the
/// same limit; and, if the peer can refer to earlier messages, a window of up to 32 KiB after its first compressed
/// message.
package struct MessageReader: ~Copyable, Sendable {
    private var assembler: MessageAssembler
    private let limits: MessageLimits
    /// The peer's compression, or nil when it must not compress.
    private let compression: PermessageDeflate.Direction?
    private var inflater: Inflater?

    /// - Parameter role: Which side of the connection *we* are.
    /// - Parameter deflate: The compression that the handshake agreed on.
    package init(
        role: MessageAssembler.Role, limits: MessageLimits = MessageLimits(), deflate: PermessageDeflate? = nil
    ) {
        assembler = MessageAssembler(role: role, limits: limits, allowsDeflated: deflate != nil)
        self.limits = limits
        compression = deflate?.peer(of: role)
    }

    /// Same as ``MessageAssembler/isFinished``.
    package var isFinished: Bool { assembler.isFinished }

    /// The received size of an unfinished message, in bytes, compressed if it is compressed.
    var unfinishedBytes: Int { assembler.unfinishedBytes }

    /// Appends bytes that were read.
    package mutating func append(_ bytes: UnsafeRawBufferPointer) { assembler.append(bytes) }

    /// Appends bytes that were read.
    package mutating func append(_ bytes: Span<UInt8>) { assembler.append(bytes) }

    /// Same as ``MessageAssembler/next()``.
    package mutating func next() throws(ProtocolViolation) -> MessageAssembler.Event? {
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
            // Out of memory is reported like an exceeded limit.
            throw .messageTooBig(limitBytes: limits.messageBytes)
        }
        // Without a context, the decompressor is freed, so an idle connection holds no window.
        if compression.keepsContext { self.inflater = inflater.take() }
        return message
    }
}
