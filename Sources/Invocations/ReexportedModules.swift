// The addresses are parts of the options, so a user of these options needs both.
@_exported import NetworkArguments
