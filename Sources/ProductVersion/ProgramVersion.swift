/// The version of the program, its bridge and its client library, as `--version`, the manual page, the bridge's answers
/// and clients report it.
package let programVersion = "0.2.0"
