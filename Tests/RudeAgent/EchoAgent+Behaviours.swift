import Glibc

extension EchoAgent {
    mutating func performBehaviours() {
        for behaviour in arguments.behaviours { perform(behaviour) }
    }

    private mutating func perform(_ behaviour: Behaviour) {
        switch behaviour {
        case .echo, .ignoreEOF, .ignoreTerminate, .stall, .ignoreCancel, .logIn: break
        case .noise: makeNoise()
        case .batch, .duplicateKeys, .escapedKeys: sendSpellings(of: behaviour)
        case .flood: flood()
        case .floodStandardError(let byteCount): floodStandardError(byteCount: byteCount)
        case .bigLine(let byteCount):
            write(updates.next(byteCount: byteCount) + [UInt8(ascii: "\n")], to: 1)
            sendUpdates(1)
        case .crash: crash()
        case .halfLine: sendHalfLine()
        case .exit(let code): terminate(code: code)
        case .grandchild: spawnSleeper(inNewSession: false)
        case .setsidGrandchild: spawnSleeper(inNewSession: true)
        case .cat: copyInput()
        case .replay(let path): replay(path: path)
        case .environment: send(environmentLine())
        }
    }

    private mutating func crash() {
        sendUpdates(arguments.number("after") ?? 3)
        if let number = arguments.number("signal").flatMap({ Int32(exactly: $0) }) {
            signal(number, SIG_DFL)
            kill(getpid(), number)
        }
        terminate(code: arguments.number("code").flatMap { Int32(exactly: $0) } ?? 1)
    }

    private mutating func sendHalfLine() {
        sendUpdates(1)
        let line = Array(updates.next().utf8)
        write(line.prefix(line.count / 2), to: 1)
        if arguments.text("then") == "hang" { hang() }
        terminate(code: 0)
    }

    private func copyInput() {
        while true {
            let chunk = readChunk(from: 0)
            guard !chunk.isEmpty else { return }
            write(chunk, to: 1)
        }
    }

    /// Sleeps until a signal ends the process.
    func hang() -> Never {
        while true { pause() }
    }
}
