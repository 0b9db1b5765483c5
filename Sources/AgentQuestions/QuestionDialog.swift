import TerminalText

/// The steps in which a person at a terminal answers one question of an agent. Pure.
///
/// A permission request takes one step. A form takes a first step, in which the person accepts or refuses to answer, and
/// then one step for each field.
package struct QuestionDialog: Sendable {
    private enum State: Sendable {
        case choosing
        /// The field with this index is asked for.
        case filling(Int, values: [String: [UInt8]])
    }

    /// The result of one line of input.
    package enum Step: Sendable, Equatable {
        /// The line is not an answer. Show the text, then ``line`` again.
        case again(TerminalText)
        /// Show the next ``line``.
        case next
        case done(QuestionAnswer)
    }

    package let question: AgentQuestion
    private var state = State.choosing

    package init(_ question: AgentQuestion) { self.question = question }

    private static let formActions = ChoiceList([
        Choice(value: "answer", title: "Answer"), Choice(value: "decline", title: "Decline"),
        Choice(value: "cancel", title: "Cancel"),
    ])
    private static let pageActions = ChoiceList([
        Choice(value: "accept", title: "Accept"), Choice(value: "decline", title: "Decline"),
        Choice(value: "cancel", title: "Cancel"),
    ])

    /// The text before the person's input, for example `1 Allow  2 Reject: `.
    package var line: TerminalText {
        if case .filling(let index, _) = state, case .form(let form) = question.kind,
            form.fields.indices.contains(index)
        {
            return form.fields[index].line
        }
        return choices.line + ": "
    }

    private var choices: ChoiceList {
        switch question.kind {
        case .permission(let options): ChoiceList(options.map { Choice(value: $0.id, title: $0.name.text) })
        case .form: Self.formActions
        case .url: Self.pageActions
        }
    }

    /// True in the first step, which is answered with a number.
    package var isChoosing: Bool { if case .choosing = state { true } else { false } }

    /// Starts again with the first step, after an answer was not accepted.
    package mutating func restart() { state = .choosing }

    /// Takes one line of input.
    package mutating func enter(_ words: String) -> Step {
        switch (state, question.kind) {
        case (.filling(let index, let values), .form(let form)): fill(form, index, values, words)
        default: choose(words.trimmed)
        }
    }

    private mutating func choose(_ words: String) -> Step {
        guard let choice = choices.choice(for: words) else { return .again("Type 1 to \(choices.choices.count).") }
        switch question.kind {
        case .permission: return .done(.option(choice.value))
        case .url: return .done(choice.value == "accept" ? .accept(nil) : Self.refusal(choice))
        case .form(let form): return choice.value == "answer" ? ask(form, 0, [:]) : .done(Self.refusal(choice))
        }
    }

    private static func refusal(_ choice: Choice) -> QuestionAnswer { choice.value == "decline" ? .decline : .cancel }

    private mutating func ask(_ form: ElicitationForm, _ index: Int, _ values: [String: [UInt8]]) -> Step {
        if index < form.fields.count {
            state = .filling(index, values: values)
            return .next
        }
        do throws(AnswerFault) {
            return .done(.accept(try form.content(values)))
        } catch {
            restart()
            return .again(error.message + ".")
        }
    }

    /// An empty line selects the default value, or leaves out a field that is not required.
    private mutating func fill(
        _ form: ElicitationForm, _ index: Int, _ values: [String: [UInt8]], _ words: String
    ) -> Step {
        let field = form.fields[index]
        var values = values
        if words.trimmed.isEmpty, field.defaultValue != nil || !field.isRequired {
            return ask(form, index + 1, values)
        }
        do throws(AnswerFault) {
            if words.trimmed.isEmpty { throw AnswerFault("'\(field.name)' is missing") }
            values[field.name] = try field.value(of: field.takesText ? words : words.trimmed)
        } catch {
            return .again(error.message + ".")
        }
        return ask(form, index + 1, values)
    }
}

extension FormField {
    fileprivate var takesText: Bool { if case .text = kind { true } else { false } }
}
