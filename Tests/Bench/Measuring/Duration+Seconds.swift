import Posix

extension Duration {
    package var seconds: Double { Double(nanoseconds) / 1e9 }
}
