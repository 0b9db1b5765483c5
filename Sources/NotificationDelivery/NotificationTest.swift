import EventLoop
import JSONScan
import Notifications

/// The results of one `acpbridge notify test` or `push:test`.
@LoopActor package final class NotificationTest {
    package struct Result: Sendable {
        /// The name of the target.
        package let target: String
        /// The reason why the delivery failed; nil if it succeeded.
        package let failure: String?
    }

    /// `{"results":[{"target":"phone","delivered":true},{"target":"team","delivered":false,"error":"…"}]}`
    package nonisolated static func json(_ results: [Result]) -> [UInt8] {
        JSONWriter.object { writer in
            writer.memberArray("results") { writer in
                for result in results {
                    writer.object { writer in
                        writer.member("target", result.target)
                        writer.member("delivered", result.failure == nil)
                        writer.member("error", ifPresent: result.failure)
                    }
                }
            }
        }
    }

    /// `{"delivered":true}`, or `{"delivered":false,"error":"…"}`: the result of one registration's test.
    package nonisolated static func json(failure: String?) -> [UInt8] {
        JSONWriter.object { writer in
            writer.member("delivered", failure == nil)
            writer.member("error", ifPresent: failure)
        }
    }

    /// The targets of the messages that wait, by the ids of these.
    private var waiting: [String: String] = [:]
    private var hasBegun = false
    private var results: [Result] = []
    private let finish: @LoopActor ([Result]) -> Void

    init(_ finish: @escaping @LoopActor ([Result]) -> Void) { self.finish = finish }

    func began(_ message: NotificationMessage) { waiting[message.id] = message.target }

    /// Call after the last ``began(_:)``.
    func allBegan() {
        hasBegun = true
        finishIfDone()
    }

    func ended(_ id: String, _ failure: String?) {
        guard let target = waiting.removeValue(forKey: id) else { return }
        results.append(Result(target: target, failure: failure))
        finishIfDone()
    }

    private func finishIfDone() {
        if hasBegun, waiting.isEmpty { finish(results) }
    }
}
