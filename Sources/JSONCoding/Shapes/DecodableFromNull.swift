/// An object without members that must be there, where peers also write `null` for the empty object: ACP's answer to
/// `session/load`, for example.
///
/// `JSONTextDecoder` reads `null` as `{}` for such a type. Other coders do not.
public protocol DecodableFromNull: Decodable {}
