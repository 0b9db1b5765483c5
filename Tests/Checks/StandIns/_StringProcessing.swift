// The part of string processing that the portable targets use, with Apple's availability. The toolchain has no interface
// of the real module that compiles for another system.

extension Collection where Element: Equatable {
    @available(macOS 13.0, *)
    public func firstRange<Other: Collection>(of other: Other) -> Range<Index>? where Other.Element == Element { nil }

    @available(macOS 13.0, *)
    public func contains<Other: Collection>(_ other: Other) -> Bool where Other.Element == Element { false }
}
