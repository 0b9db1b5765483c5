// The part of SwiftUI that the article SwiftUI.md and the example SessionsApp use, for a platform without it. Nothing is
// shown: the stand-in only makes the calls of the library compile. The signatures follow SwiftUI's, simplified.

@MainActor package protocol View {
    associatedtype Body: View
    @ViewBuilder var body: Body { get }
}

extension Never: View {
    package var body: Never { fatalError("a view of the stand-in is never shown") }
}

@MainActor @resultBuilder package enum ViewBuilder {
    package static func buildBlock<Content: View>(_ content: Content) -> Content { content }
    package static func buildBlock<First: View, Second: View>(
        _ first: First, _ second: Second
    ) -> Pair<First, Second> {
        Pair()
    }
    package static func buildBlock<First: View, Second: View, Third: View>(
        _ first: First, _ second: Second, _ third: Third
    ) -> Pair<First, Pair<Second, Third>> {
        Pair()
    }
    package static func buildOptional<Content: View>(_ content: Content?) -> Pair<Text, Text> { Pair() }
}

package protocol PrimitiveView: View where Body == Never {}

extension PrimitiveView {
    package var body: Never { fatalError("a view of the stand-in is never shown") }
}

package struct Pair<First: View, Second: View>: PrimitiveView {}

package struct Text: PrimitiveView {
    package init(_ text: String) {}
}

package struct VStack<Content: View>: PrimitiveView {
    package init(@ViewBuilder content: () -> Content) {}
}

package struct ScrollView<Content: View>: PrimitiveView {
    package init(@ViewBuilder content: () -> Content) {}
}

package struct NavigationStack<Content: View>: PrimitiveView {
    package init(@ViewBuilder root: () -> Content) {}
}

package struct NavigationLink<Destination: View>: PrimitiveView {
    package init(_ title: String, @ViewBuilder destination: () -> Destination) {}
}

package struct TextField: PrimitiveView {
    package init(_ title: String, text: Binding<String>) {}
}

package struct Button: PrimitiveView {
    package init(_ title: String, action: @escaping @MainActor () -> Void) {}
}

package struct List<Content: View>: PrimitiveView {
    package init<Data: RandomAccessCollection>(
        _ data: Data, @ViewBuilder rowContent: @escaping (Data.Element) -> Content
    ) where Data.Element: Identifiable {}
}

package struct ForEach<Content: View>: PrimitiveView {
    package init<Data: RandomAccessCollection>(
        _ data: Data, @ViewBuilder content: @escaping (Data.Element) -> Content
    ) where Data.Element: Identifiable {}
}

package struct Binding<Value> {
    package var wrappedValue: Value
}

@propertyWrapper package struct State<Value> {
    private final class Storage {
        var value: Value
        init(_ value: Value) { self.value = value }
    }

    private let storage: Storage

    package init(wrappedValue: Value) { storage = Storage(wrappedValue) }

    package var wrappedValue: Value {
        get { storage.value }
        nonmutating set { storage.value = newValue }
    }

    package var projectedValue: Binding<Value> { Binding(wrappedValue: wrappedValue) }
}

extension State where Value: ExpressibleByNilLiteral {
    package init() { self.init(wrappedValue: nil) }
}

extension View {
    package func overlay(@ViewBuilder content: () -> some View) -> some View { self }
    package func searchable(text: Binding<String>) -> some View { self }
    package func navigationTitle(_ title: String) -> some View { self }
    package func onSubmit(_ action: @escaping @MainActor () -> Void) -> some View { self }
    package func task(@_inheritActorContext _ action: @escaping @Sendable () async -> Void) -> some View { self }
    package func task(
        id value: some Equatable, @_inheritActorContext _ action: @escaping @Sendable () async -> Void
    ) -> some View { self }
}

// MARK: Apps

@MainActor package protocol Scene {}

@MainActor package protocol App {
    associatedtype Body: Scene
    init()
    var body: Body { get }
}

package struct WindowGroup<Content: View>: Scene {
    package init(@ViewBuilder content: () -> Content) {}
}
