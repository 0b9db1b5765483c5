import EventLoop
import Tinyvex

/// The bytes between an agent and its editor.
extension AgentRun {
    // MARK: From the agent

    func outputArrived(_ chunk: UnsafeRawBufferPointer) {
        passToEditor(chunk)
        sessions?.agentWrote(chunk)
        if sessions?.isTooFarBehind == true { output?.hold(.logIsBehind, true) }
        if stay.inputHasEnded { lastOutput = .now }
        if stay.hasTurn || stay.inputHasEnded, sessions?.exchange.hasRunningTurn == false { reconsider() }
        if !stay.hasEditor, sessions?.exchange.isUnattended == true { reconsider() }
    }

    private func passToEditor(_ chunk: UnsafeRawBufferPointer) {
        guard let editor, let sessions else { return }
        if sessions.exchange.judgesAgent {
            editor.output.pass(chunk) { sessions.exchange.withholdsFromEditor($0) }
        } else {
            editor.output.pass(chunk)
        }
        output?.hold(.sinkIsFull, !editor.output.outlet.isEmpty)
    }

    func errorArrived(_ chunk: UnsafeRawBufferPointer) {
        errorTail.append(chunk)
        guard let editor else { return }
        editor.error.write(chunk)
        error?.hold(.sinkIsFull, !editor.error.isEmpty)
    }

    func logHasCaughtUp() {
        // Called after each write of the log. Check the hold first, because an agent can have a thousand sessions to
        // ask.
        guard let output, output.isHeld(.logIsBehind), sessions?.hasCaughtUp == true else { return }
        output.hold(.logIsBehind, false)
    }

    func outputEnded() {
        sessions?.agentFinished()
        editor?.output.release()
        editor?.output.outlet.closeWhenEmpty()
        finishIfDone()
    }

    func errorEnded() {
        editor?.error.closeWhenEmpty()
        finishIfDone()
    }

    // MARK: From the editor

    func editorWrote(_ chunk: UnsafeRawBufferPointer) {
        guard let input, let sessions else { return }
        if sessions.exchange.judgesEditor {
            input.pass(chunk) { sessions.exchange.withholdsFromAgent($0) }
        } else {
            input.pass(chunk)
        }
        sessions.editorWrote(chunk)
        stay.hasTurn = sessions.exchange.hasRunningTurn
        editor?.input.hold(.sinkIsFull, !input.outlet.isEmpty)
    }

    func editorReported(_ event: EditorLink.Event) {
        switch event {
        case .inputEnded: editorEndedInput()
        case .outputHasRoom: output?.hold(.sinkIsFull, false)
        case .errorHasRoom: error?.hold(.sinkIsFull, false)
        case .outputFailed: editorReadsNoMore()
        case .closed: finishIfDone()
        }
    }

    private func editorEndedInput() {
        // If we closed the input because the agent does not read, the editor did not ask for an end.
        guard input?.outlet.isOpen == true, editor != nil else { return }
        stay.inputHasEnded = true
        lastOutput = .now
        reconsider()
    }

    private func editorReadsNoMore() {
        guard !isEnding, stay.outlivesEditor else {
            // Close the agent's output pipe, because the reader has gone. Without the bridge the agent would see the
            // same.
            output?.close()
            editor?.input.close()
            return end()
        }
        released()
        editorGone()
    }

    func inputReported(_ event: Outlet.Event) {
        switch event {
        case .hasRoom: editor?.input.hold(.sinkIsFull, false)
        case .closed: break
        // The editor sees its pipe close, as it would without the bridge. It did not ask for an end.
        case .failed: editor?.input.close()
        }
    }
}
