import SessionStreams

/// Child sessions of the sessions that a client follows.
extension RemoteClient {
    /// Sends a child's updates on this connection, if the client follows sessions without subscriptions.
    package func childOpened(_ child: Session, of parent: Session, isNew: Bool) {
        guard followsSessions, !isAboutToLoad(child) else { return }
        let registry = host.registry
        // The announcement is the newest update of the parent.
        parent.whenPublished(through: parent.receivedBytes) { [weak self] in
            registry.whenClaimed(child) { self?.follow(child, from: (isNew ? child.headAtClaim : child.head) + 1) }
        }
    }

    /// True if the client has asked the agent for the history of an ancestor, which includes that of the child.
    private func isAboutToLoad(_ child: Session) -> Bool {
        openings.values.contains { opening in
            guard opening.replays, let session = opening.session else { return false }
            return opening.place.run.sessions?.router.descendants(of: session).contains(child.id) == true
        }
    }
}
