/// The way in which readers reach a bridge.
package enum ReaderTransport {
    case socket, tcp, tls, deflate
}
