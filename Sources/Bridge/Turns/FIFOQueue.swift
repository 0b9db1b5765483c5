/// Elements in the order they came. Adding one and removing the first take constant time on average.
///
/// `Array.removeFirst` moves all that follows, so a queue that a peer fills would cost the square of its length.
struct FIFOQueue<Element> {
    /// Those before `head` were removed and are nil.
    private var elements: [Element?] = []
    private var head = 0

    private static var compactionCount: Int { 64 }

    var count: Int { elements.count - head }
    var isEmpty: Bool { head == elements.count }
    var first: Element? { isEmpty ? nil : elements[head] }

    mutating func append(_ element: Element) { elements.append(element) }

    mutating func popFirst() -> Element? {
        guard !isEmpty else { return nil }
        let element = elements[head].take()
        head += 1
        compact()
        return element
    }

    /// Keeps only the elements that fit.
    mutating func filter(_ isKept: (Element) -> Bool) {
        elements = elements[head...].filter { $0.map(isKept) ?? false }
        head = 0
    }

    /// After twice as many removals as elements remain, so that each removal pays for moving one element.
    private mutating func compact() {
        if isEmpty {
            elements = []
            head = 0
        } else if head >= Self.compactionCount, head * 2 >= elements.count {
            elements.removeFirst(head)
            head = 0
        }
    }
}

extension FIFOQueue: Sequence {
    func makeIterator() -> some IteratorProtocol<Element> { elements[head...].lazy.compactMap(\.self).makeIterator() }
}
