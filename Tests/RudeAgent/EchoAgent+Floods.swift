import Glibc

extension EchoAgent {
    mutating func flood() {
        let count = arguments.number("lines") ?? 1000
        let size = arguments.number("size") ?? 200
        let perWrite = max(1, arguments.number("per-write") ?? 1)
        let start = ContinuousClock.now
        var sent = 0
        while sent < count {
            var bytes: [UInt8] = []
            for _ in 0..<min(perWrite, count - sent) {
                bytes += updates.next(byteCount: size)
                bytes.append(UInt8(ascii: "\n"))
                sent += 1
            }
            write(bytes, to: 1)
            if let rate = arguments.number("rate"), rate > 0 { sleep(until: start + .seconds(1) * sent / rate) }
        }
    }

    func floodStandardError(byteCount: Int) {
        var bytes: [UInt8] = []
        var number = 0
        while bytes.count < byteCount {
            number += 1
            bytes += Array("stderr line \(number)\n".utf8)
        }
        write(bytes.prefix(byteCount), to: 2)
    }

    private func sleep(until deadline: ContinuousClock.Instant) {
        let rest = (deadline - .now).components
        guard rest.seconds >= 0, rest.attoseconds > 0 else { return }
        var time = timespec(tv_sec: Int(rest.seconds), tv_nsec: Int(rest.attoseconds / 1_000_000_000))
        nanosleep(&time, nil)
    }
}
