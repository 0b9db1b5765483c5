/// The Agent Client Protocol, version 1, with what is unstable in it: every type and method, in both directions.
///
/// Names follow one rule. What a method carries is named after the method, and lives where the method is handled:
/// `session/new` is `ACP.Agent.SessionNewRequest` and `ACP.Agent.SessionNewResponse`, `fs/read_text_file` is
/// `ACP.Client.FsReadTextFileRequest`, `session/cancel` is `ACP.Agent.SessionCancelNotification`. `session/update` alone
/// keeps its schema's name, `ACP.Client.SessionNotification`. What both sides handle, and all that messages are made
/// of, lives here under its schema's name: `ACP.ContentBlock`, `ACP.ToolCall`. Each type says how the schema calls it.
/// Members are named as on the wire.
///
/// What is unknown is kept. Enums are open (`OpenEnum`), unions have a case `unknown` that holds the whole value as it is
/// spelt, and objects keep the members they do not name, `_meta` among them (`ACP.Object`): reading and writing loses
/// nothing that a newer peer says. Where the schema forgives a bad value, so do the types (`Lenient`, `Lossy`);
/// `null` and absence are one, except where a type says `Patch`.
///
/// The types are `Codable` with `JSONTextDecoder` and `JSONTextEncoder`. Other coders read and write them too, but do
/// not keep unknown members where they belong.
///
/// Source: `agentclientprotocol/agent-client-protocol`, schema 1.21.0, stable and unstable.
public enum ACP {
    /// What an agent handles: the messages that clients send, and their answers.
    public enum Agent {}

    /// What a client handles: the messages that agents send, and their answers.
    public enum Client {}
}
