import EventLoop
import Tinyvex

/// One upload under way. Its bytes are written on the files' thread.
///
/// The owner calls ``finish(then:)`` or ``cancel()`` once, last.
@LoopActor package final class FileUpload {
    private let id: String
    private let store: FileStore
    private var failure: Rejection?
    private var waitingBytes = 0
    /// Called when the upload has failed before its end, at most once. Nothing more needs to be sent.
    package var onFailure: @LoopActor (Rejection) -> Void = { _ in }
    /// Called when the upload has room, once.
    package var onBegin: @LoopActor () -> Void = {}
    /// Called when ``isFull`` has become false.
    package var onRoom: @LoopActor () -> Void = {}

    /// 1 MiB. Past this the bridge stops reading the connection until the disk has taken some bytes.
    static let waitingLimitBytes = 1 << 20

    init(_ id: String, _ request: UploadRequest, _ store: FileStore) {
        self.id = id
        self.store = store
        store.perform { (shelf) throws(Rejection) in
            try shelf.begin(id, request)
        } then: { [weak self] result in
            self?.note(result)
            if case .success = result { self?.onBegin() }
        }
    }

    /// True while no more bytes should be read from the sender.
    package var isFull: Bool { waitingBytes >= Self.waitingLimitBytes }

    package func append(_ bytes: [UInt8]) {
        guard failure == nil, !bytes.isEmpty else { return }
        waitingBytes += bytes.count
        let id = id
        store.perform { (shelf) throws(Rejection) in
            try shelf.write(bytes, to: id)
        } then: { [weak self] in
            self?.wrote(bytes.count, $0)
        }
    }

    private func wrote(_ count: Int, _ result: Result<Void, Rejection>) {
        let wasFull = isFull
        waitingBytes -= count
        note(result)
        if wasFull, !isFull { onRoom() }
    }

    private func note(_ result: Result<Void, Rejection>) {
        guard case .failure(let rejection) = result, failure == nil else { return }
        failure = rejection
        onFailure(rejection)
    }

    /// Stores the file. `done` is called once, after the file and its record are on disk.
    package func finish(then done: @escaping @LoopActor (Result<StoredFile, Rejection>) -> Void) {
        onFailure = { _ in }
        onRoom = {}
        let (id, now) = (id, store.now)
        store.perform { (shelf) throws(Rejection) in
            try shelf.finish(id, now: now)
        } then: { [self] result in
            if case .failure = result, let failure { done(.failure(failure)) } else { done(result) }
        }
    }

    /// Discards the bytes so far.
    package func cancel() {
        onFailure = { _ in }
        onRoom = {}
        let id = id
        store.perform { (shelf) throws(Rejection) in
            shelf.cancel(id)
        } then: { _ in
        }
    }
}
