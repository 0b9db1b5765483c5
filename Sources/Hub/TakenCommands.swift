/// The commands that a bridge has taken from the hub, until their answers are stored there. Pure.
package struct TakenCommands: Sendable {
    /// 1,024 commands that run or wait to be answered. A prompt runs until its turn ends.
    package static let countLimit = 1_024
    /// The commands that are taken at once: 16 MiB of arguments at most.
    package static let takeLimit = 4
    /// 1 MiB of answers in one transaction, or one answer.
    package static let storeLimitBytes = 1 << 20

    private var running: Set<String> = []
    private var answers: [CommandAnswer] = []
    /// The number of answers, from the first one on, that are being stored.
    private var storingCount = 0

    package init() {}

    package var runningCount: Int { running.count }
    /// The commands whose answers are not stored.
    package var ids: [String] { running.sorted() + answers.map(\.id) }
    /// The number of commands that can be taken now.
    package var room: Int { max(0, min(Self.takeLimit, Self.countLimit - running.count - answers.count)) }

    package mutating func took(_ ids: [String]) { running.formUnion(ids) }

    /// The command has run, or was refused. A second answer to the same command is ignored.
    package mutating func finished(_ answer: CommandAnswer) {
        guard running.remove(answer.id) != nil else { return }
        answers.append(answer)
    }

    /// The answers to store next, until ``stored()`` or ``storingFailed()``. Empty if none waits, or while others are being
    /// stored.
    package mutating func nextAnswers() -> [CommandAnswer] {
        guard storingCount == 0 else { return [] }
        var room = Self.storeLimitBytes
        for answer in answers {
            room -= answer.body.count
            if room < 0, storingCount > 0 { break }
            storingCount += 1
        }
        return Array(answers.prefix(storingCount))
    }

    package mutating func stored() {
        answers.removeFirst(storingCount)
        storingCount = 0
    }

    /// The answers are stored again when the hub can be used.
    package mutating func storingFailed() { storingCount = 0 }
}
