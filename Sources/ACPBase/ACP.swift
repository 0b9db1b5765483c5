/// The Agent Client Protocol, version 1, including its unstable part: every type and method, in both directions. The
/// types of version 2 are in `ACP.V2`.
///
/// Names follow one rule. The params and the result of a method are named after the method and live in the
/// namespace of the side that handles it: `session/new` is `ACP.Agent.SessionNewRequest` and
/// `ACP.Agent.SessionNewResponse`, `fs/read_text_file` is `ACP.Client.FsReadTextFileRequest`, `session/cancel` is
/// `ACP.Agent.SessionCancelNotification`. Only `session/update` keeps its schema name,
/// `ACP.Client.SessionNotification`. Types that both sides handle, and the types that messages consist of, live
/// directly in `ACP` under their schema names: `ACP.ContentBlock`, `ACP.ToolCall`. Each type's documentation states
/// its schema name. Members have their wire names.
///
/// Unknown data is kept. Enums are open (`OpenEnum`). Unions have a case `unknown` that holds the whole value
/// unchanged. Objects keep the members they do not name, including `_meta` (`ACP.Object`). Reading a value and
/// writing it again therefore loses nothing that a newer peer sent. If the schema tolerates a bad value, the types
/// do so, too (`Lenient`, `Lossy`). `null` means the same as absence, except in members of type `Patch`.
///
/// The types are `Codable` with `JSONTextDecoder` and `JSONTextEncoder`. Other coders can read and write them too,
/// but do not keep unknown members in their place.
///
/// Source: `agentclientprotocol/agent-client-protocol`, schema 1.21.0, stable and unstable. Child sessions are newer:
/// the announcement and the RFD "subagents" of 2026-11-20.
public enum ACP {
    /// The messages that an agent handles: those that clients send, with their responses.
    public enum Agent {}

    /// The messages that a client handles: those that agents send, with their responses.
    public enum Client {}
}
