import TinyvexTransport

#if os(Linux) && !TINYVEX_PORTABLE
    import TinyvexSockets
#endif

/// The transport of a client that was given no other: sockets on Linux, URLSession on all other platforms.
@usableFromInline
func standardTransport() -> any Transport {
    #if os(Linux) && !TINYVEX_PORTABLE
        SocketTransport()
    #else
        URLSessionTransport()
    #endif
}
