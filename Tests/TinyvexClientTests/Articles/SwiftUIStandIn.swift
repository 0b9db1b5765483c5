// The part of SwiftUI that the article SwiftUI.md uses, for a platform without it. Nothing is shown: the stand-in only
// makes the calls of the library compile. The signatures follow SwiftUI's, simplified.

@MainActor protocol View {
    associatedtype Body: View
    @ViewBuilder var body: Body { get }
}

extension Never: View {
    var body: Never { fatalError("a view of the stand-in is never shown") }
}

@MainActor @resultBuilder enum ViewBuilder {
    static func buildBlock<Content: View>(_ content: Content) -> Content { content }
    static func buildBlock<First: View, Second: View>(_ first: First, _ second: Second) -> Pair<First, Second> {
        Pair()
    }
}

protocol PrimitiveView: View where Body == Never {}

extension PrimitiveView {
    var body: Never { fatalError("a view of the stand-in is never shown") }
}

struct Pair<First: View, Second: View>: PrimitiveView {}

struct Text: PrimitiveView {
    init(_ text: String) {}
}

struct VStack<Content: View>: PrimitiveView {
    init(@ViewBuilder content: () -> Content) {}
}

struct Button: PrimitiveView {
    init(_ title: String, action: @escaping @MainActor () -> Void) {}
}

struct List<Content: View>: PrimitiveView {
    init<Data: RandomAccessCollection>(_ data: Data, @ViewBuilder rowContent: @escaping (Data.Element) -> Content)
    where Data.Element: Identifiable {}
}

struct ForEach<Content: View>: PrimitiveView {
    init<Data: RandomAccessCollection>(_ data: Data, @ViewBuilder content: @escaping (Data.Element) -> Content)
    where Data.Element: Identifiable {}
}

struct Binding<Value> {
    var wrappedValue: Value
}

@propertyWrapper struct State<Value> {
    private final class Storage {
        var value: Value
        init(_ value: Value) { self.value = value }
    }

    private let storage: Storage

    init(wrappedValue: Value) { storage = Storage(wrappedValue) }

    var wrappedValue: Value {
        get { storage.value }
        nonmutating set { storage.value = newValue }
    }

    var projectedValue: Binding<Value> { Binding(wrappedValue: wrappedValue) }
}

extension State where Value: ExpressibleByNilLiteral {
    init() { self.init(wrappedValue: nil) }
}

extension View {
    func overlay(@ViewBuilder content: () -> some View) -> some View { self }
    func searchable(text: Binding<String>) -> some View { self }
    func task(@_inheritActorContext _ action: @escaping @Sendable () async -> Void) -> some View { self }
    func task(
        id value: some Equatable, @_inheritActorContext _ action: @escaping @Sendable () async -> Void
    ) -> some View { self }
}
