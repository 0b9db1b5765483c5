import TestSupport
import Testing

@testable import EventLoop
@testable import Posix

@Suite struct FIFOQueueTests {
    @Test func theQueueBehavesLikeAnArray() {
        var random = SeededGenerator(seed: 5)
        var queue = FIFOQueue<Int>()
        var model: [Int] = []
        for number in 0..<20_000 {
            switch Int.random(in: 0..<100, using: &random) {
            case 0..<52:
                queue.append(number)
                model.append(number)
            case 52..<99: #expect(queue.popFirst() == (model.isEmpty ? nil : model.removeFirst()))
            default:
                queue.filter { $0 % 3 != 0 }
                model.removeAll { $0 % 3 == 0 }
            }
            #expect(queue.count == model.count && queue.first == model.first)
        }
        #expect(Array(queue) == model)
    }

    @Test func removingTheFirstElementHasConstantCost() {
        let cost = WorkCost { count in
            var queue = FIFOQueue<Int>()
            for number in 0..<count { queue.append(number) }
            while queue.popFirst() != nil {}
        }
        #expect(cost.isLinear, "\(cost)")
    }
}
