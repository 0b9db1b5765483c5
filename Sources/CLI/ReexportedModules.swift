// The addresses are parts of the options, so a user of CLI needs both.
@_exported import NetworkArguments
