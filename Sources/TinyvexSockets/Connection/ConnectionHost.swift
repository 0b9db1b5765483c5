import EventLoop
import Posix

/// Serves connections on threads of its choice.
protocol ConnectionHost: Sendable {
    /// Makes and serves a connection until its end. `makeLife` is called on the thread that serves the connection.
    func host(_ makeLife: @escaping @Sendable () -> ConnectionLife) throws(SystemError)
}

/// Serves each connection on its own thread, which ends with the connection.
struct ThreadHost: ConnectionHost {
    func host(_ makeLife: @escaping @Sendable () -> ConnectionLife) throws(SystemError) {
        try DetachedThread.start(name: "tinyvex") {
            let life = makeLife()
            var isReady = true
            while let wait = life.step(isReady: isReady) { isReady = wait.run(life.mailbox.wakeUp) }
        }
    }
}
