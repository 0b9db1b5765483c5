import SessionStreams

/// Child sessions of the sessions that a client follows.
extension RemoteClient {
    /// Sends a child's updates on this connection, if the client follows sessions without subscriptions.
    package func childOpened(_ child: Session, of parent: Session, isNew: Bool) {
        guard followsSessions else { return }
        let registry = host.registry
        // The announcement is the newest update of the parent.
        parent.whenPublished(through: parent.receivedBytes) { [weak self] in
            registry.whenClaimed { self?.follow(child, from: (isNew ? child.headAtClaim : child.head) + 1) }
        }
    }
}
