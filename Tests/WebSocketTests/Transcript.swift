import WebSocket

/// The events that an assembler returned for some bytes, and the violation that ended them.
struct Transcript: Equatable {
    var events: [MessageAssembler.Event] = []
    var violation: ProtocolViolation?

    /// Reads `pieces` one after the other, like reads from a socket.
    static func reading(
        _ pieces: [[UInt8]], as role: MessageAssembler.Role = .client, limitBytes: Int = 1 << 20
    ) -> Transcript {
        var assembler = MessageAssembler(role: role, limits: MessageLimits(messageBytes: limitBytes))
        var transcript = Transcript()
        for piece in pieces {
            assembler.append(piece.span)
            do throws(ProtocolViolation) {
                while let event = try assembler.next() { transcript.events.append(event) }
            } catch {
                transcript.violation = error
            }
        }
        return transcript
    }
}

/// One frame, masked with `key` if there is one.
func frame(_ opcode: Opcode, _ payload: [UInt8] = [], fin: Bool = true, key: UInt32? = nil) -> [UInt8] {
    var bytes: [UInt8] = []
    Frame.append(opcode, payload.span, fin: fin, maskKey: key, to: &bytes)
    return bytes
}

func frame(_ opcode: Opcode, _ text: String, fin: Bool = true, key: UInt32? = nil) -> [UInt8] {
    frame(opcode, Array(text.utf8), fin: fin, key: key)
}

extension [UInt8] {
    /// All ways to cut the bytes in two.
    var cutInTwo: [[[UInt8]]] {
        (0...count).map { [Array(self[..<$0]), Array(self[$0...])] }
    }

    var singleBytes: [[UInt8]] {
        map { [$0] }
    }
}
