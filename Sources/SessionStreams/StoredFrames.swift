import EventLoop
import JSONScan
import MemoryChecks
import SessionRecords
import Tinyvex
import WebSocket

/// Converts the log's answer for a reader to the frames that carry it. Returns nil if the log does not have the
/// requested data. Throws ``LogError/damaged`` for data that must not be sent: also for a message in the log of another bridge
/// that is not an update of the session.
@LoopActor enum StoredFrames {
    /// Returns an empty chunk if the log no longer keeps any of the requested data. The chunk's number is where the
    /// reader continues.
    static func updates(
        _ answer: Answer, of session: Session, from asked: Int64
    ) throws(LogError) -> FrameChunk? {
        guard case .page(let page) = answer else { return nil }
        let published = page.through(session.head)
        guard published.count > 0 || published.first > asked, SpareMemory.canAllocate(published.lines.count) else {
            return nil
        }
        guard session.home == nil || SessionUpdateLines.count(published.lines, of: session.id) == published.count,
            let chunk = FrameChunk(
                lines: published.lines, count: published.count, first: published.first,
                receiverCount: session.beginPiece())
        else { throw .damaged }
        return chunk
    }

    /// Returns `tinyvex/data` messages, which contain the subscription's name.
    static func timeline(
        _ answer: Answer, of session: Session, subId: String
    ) throws(LogError) -> FrameChunk? {
        guard case .timeline(let page) = answer else { return nil }
        let published = page.items.prefix { $0.n <= session.timelineEnd }
        guard let first = published.first else { return nil }
        guard session.home == nil || published.allSatisfy({ mayBeSent($0, of: session) }) else { throw .damaged }
        var frames: [UInt8] = []
        for item in published {
            let message = ServerNotification.data(subId: subId, seq: item.n, value: value(item))
            Frame.append(.text, message.span, to: &frames)
        }
        return FrameChunk(frames: frames, count: published.count, first: first.n)
    }

    private static func mayBeSent(_ item: TimelineItem, of session: Session) -> Bool {
        switch item {
        case .update(_, _, _, let line): SessionUpdateLines.isOne(line[...], of: session.id)
        case .entry(_, _, _, _, let body): (try? JSONValue(validating: body)) != nil
        }
    }

    /// Returns `{"seq":12,"ts":1763697600123,"kind":"update","notification":{…}}`. `seq` is the update's own number;
    /// for any other entry it is the number of the last update before that entry.
    private static func value(_ item: TimelineItem) -> [UInt8] {
        JSONWriter.object { writer in
            switch item {
            case .update(_, let seq, let ts, let line):
                writer.member("seq", seq)
                writer.member("ts", ts)
                writer.member("kind", TimelineEntryKind.update.rawValue)
                writer.member("notification", raw: line)
            case .entry(_, let seq, let ts, let kind, let body):
                writer.member("seq", seq)
                writer.member("ts", ts)
                writer.member("kind", kind)
                writer.member("data", raw: body)
            }
        }
    }
}
