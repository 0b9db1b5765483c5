/// The version of the program and of its bridge.
let programVersion = "0.1.0"
