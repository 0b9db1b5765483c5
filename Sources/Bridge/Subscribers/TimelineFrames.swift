import JSONScan
import SessionLog
import Tinyvex
import WebSocket

/// A timeline's items as the `tinyvex/data` frames that carry them.
enum TimelineFrames {
    static func chunk(_ items: [TimelineItem], subId: String, first: Int64) -> FrameChunk {
        var frames: [UInt8] = []
        for item in items {
            let message = ServerNotification.data(subId: subId, seq: item.n, value: value(item))
            Frame.append(.text, message.span, to: &frames)
        }
        return FrameChunk(frames: frames, count: items.count, first: first)
    }

    /// `{"seq":12,"ts":1763697600123,"kind":"update","notification":{…}}`, where `seq` is the update's own number or,
    /// for anything else, that of the last update before it.
    private static func value(_ item: TimelineItem) -> [UInt8] {
        JSONWriter.object { writer in
            switch item {
            case .update(_, let seq, let ts, let line):
                writer.member("seq", seq)
                writer.member("ts", ts)
                writer.member("kind", TimelineKind.update.rawValue)
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
