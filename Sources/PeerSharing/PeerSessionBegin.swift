import EventLoop
import JSONScan
import Peers
import SessionRecords

/// The answer of a peer that has begun a session: the value of `sessions:begin`.
@LoopActor struct PeerSessionBegin {
    private let value: JSONValue?
    private let peer: PeerLink

    init(_ value: [UInt8], at peer: PeerLink) {
        self.value = try? JSONValue(validating: value)
        self.peer = peer
    }

    /// Reads the session's row, so that the lists of this bridge have the session, and its journal is known. Calls `finish`
    /// once with the value for the client, also if the row cannot be read.
    func find(then finish: @escaping @LoopActor @Sendable ([UInt8]) -> Void) {
        guard let sessionId = value?["sessionId"]?.stringValue, let agent = value?["agent"]?.stringValue else {
            return finish(text(journal: nil))
        }
        peer.read(.find(sessionId: sessionId, agent: agent)) { result in
            guard case .success(.records(let records, _)) = result, let record = records.first else {
                return finish(text(journal: nil))
            }
            peer.take(record)
            finish(text(journal: "\(peer.record(record).journal)"))
        }
    }

    /// The peer's value with the name by which this bridge lists the peer.
    private func text(journal: String?) -> [UInt8] {
        JSONWriter.object { writer in
            for (name, member) in value?.members ?? [] where name != "bridge" {
                if name == "journal", let journal {
                    writer.member(name, journal)
                } else {
                    writer.member(name, raw: member.rawText)
                }
            }
            writer.member("bridge", peer.name)
        }
    }
}
