/// An object without required members, for which some peers write `null` instead of `{}`. An example is ACP's response
/// to `session/load`.
///
/// `JSONTextDecoder` decodes `null` as `{}` for such a type. Other coders do not.
public protocol DecodableFromNull: Decodable {}
