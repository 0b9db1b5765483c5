import SessionStreams

/// Child sessions of the sessions that a client follows.
extension RemoteClient {
    /// Sends a child's updates on this connection, if the client follows sessions without subscriptions.
    package func childOpened(_ child: Session, of parent: Session, isNew: Bool) {
        guard followsSessions, !isAboutToLoad(child) else { return }
        let registry = host.registry
        // What an earlier child has written until now is its history.
        let next = isNew || child.sid == nil ? nil : child.head + 1
        // The announcement is the newest update of the parent.
        parent.whenPublished(through: parent.receivedBytes) { [weak self] in
            registry.whenClaimed(child) { self?.follow(child, from: next ?? child.headAtClaim + 1) }
        }
    }

    /// True if the client has asked the agent for the history of an ancestor, which includes that of the child.
    private func isAboutToLoad(_ child: Session) -> Bool {
        openings.values.contains { opening in
            guard opening.replays, let session = opening.session else { return false }
            return opening.place.run.sessions?.router.isChild(child.id, below: session) == true
        }
    }
}
