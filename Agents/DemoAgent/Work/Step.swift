import DemoPrompts

/// One step of a `Script`.
indirect enum Step {
    case perform(Script.Action)
    /// A message or thought, chunk by chunk.
    case stream(TextStream.Kind, messageID: String, TextStream.Rest)
    /// A pause of this many times the script's pace.
    case pause(paces: Int)
    /// Waits for the response, and continues with one of the branches.
    case ask(Question, ifAccepted: [Step], otherwise: [Step])
    case usage
    /// Repeats the steps until the script is cancelled. They must contain a pause.
    case repeating([Step])

    static func update(_ update: [UInt8]) -> Step { .perform(.update(update)) }
    static func state(_ state: WorkState) -> Step { .perform(.state(state)) }
    static func wait(_ duration: Duration) -> Step { .perform(.pause(duration)) }

    /// True for the last update of the entity.
    func ends(_ entity: Entity) -> Bool {
        if case .perform(.end(let ended, _)) = self { ended == entity } else { false }
    }

    var isState: Bool {
        if case .perform(.state) = self { true } else { false }
    }
}

/// A script to start beside the current one.
struct Launch {
    let script: Script
    let role: Activity.Role
    /// This many actions are performed before the launching script continues, so that they come before its later
    /// updates.
    var firstActions = 1
}
