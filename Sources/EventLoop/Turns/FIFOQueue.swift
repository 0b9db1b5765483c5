/// A queue of elements in the order they came. Adding an element and removing the first take constant time on average.
///
/// `Array.removeFirst` moves all later elements. If a peer fills such a queue, the cost is the square of its length.
package struct FIFOQueue<Element> {
    /// Elements before `head` were removed and are nil.
    private var elements: [Element?] = []
    private var head = 0

    package init() {}

    /// Fewer removed elements than these are not worth the move. An empty queue keeps this much room.
    private static var compactionCount: Int { 64 }

    package var count: Int { elements.count - head }
    package var isEmpty: Bool { head == elements.count }
    package var first: Element? { isEmpty ? nil : elements[head] }

    package mutating func append(_ element: Element) { elements.append(element) }

    package mutating func popFirst() -> Element? {
        guard !isEmpty else { return nil }
        let element = elements[head].take()
        head += 1
        compact()
        return element
    }

    /// Keeps only the elements for which `isKept` returns true.
    package mutating func filter(_ isKept: (Element) -> Bool) {
        elements = elements[head...].filter { $0.map(isKept) ?? false }
        head = 0
    }

    /// Runs after as many removals as elements remain, so that each removal pays for moving one element.
    private mutating func compact() {
        if isEmpty {
            elements.removeAll(keepingCapacity: elements.capacity <= Self.compactionCount)
            head = 0
        } else if head >= Self.compactionCount, head * 2 >= elements.count {
            elements.removeFirst(head)
            head = 0
        }
    }
}

extension FIFOQueue: Sequence {
    package func makeIterator() -> some IteratorProtocol<Element> {
        elements[head...].lazy.compactMap(\.self).makeIterator()
    }
}
