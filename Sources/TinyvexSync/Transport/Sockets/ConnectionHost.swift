import EventLoop

/// Where connections are served.
protocol ConnectionHost: Sendable {
    /// Has a connection made and served to its end. The life is made where it will be led.
    func host(_ makeLife: @escaping @Sendable () -> ConnectionLife) throws(SystemError)
}

/// A thread for each connection, which ends with it.
struct ThreadHost: ConnectionHost {
    func host(_ makeLife: @escaping @Sendable () -> ConnectionLife) throws(SystemError) {
        try DetachedThread.start(name: "tinyvex") {
            let life = makeLife()
            var isReady = true
            while let wait = life.step(isReady: isReady) { isReady = wait.run(life.mailbox.wakeUp) }
        }
    }
}
