import Glibc

/// A counting semaphore between threads.
///
/// It consists of a mutex and a condition. A `sem_t` could wait for a limited time only by a clock that can be set
/// back.
// Sendable although it holds pointers: `count` is read and written only under the mutex, and the pointers can be used
// from any thread.
package struct Semaphore: ~Copyable, @unchecked Sendable {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let posted = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private let count = UnsafeMutablePointer<Int>.allocate(capacity: 1)

    package init() {
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        pthread_mutex_init(mutex, nil)
        pthread_cond_init(posted, &attributes)
        pthread_condattr_destroy(&attributes)
        count.initialize(to: 0)
    }

    deinit {
        pthread_cond_destroy(posted)
        pthread_mutex_destroy(mutex)
        posted.deallocate()
        mutex.deallocate()
        count.deallocate()
    }

    package func post() {
        pthread_mutex_lock(mutex)
        count.pointee += 1
        pthread_mutex_unlock(mutex)
        // Signal after unlocking, so that the woken thread finds the mutex free.
        pthread_cond_signal(posted)
    }

    package func wait() {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while count.pointee == 0 { pthread_cond_wait(posted, mutex) }
        count.pointee -= 1
    }

    /// Waits for a post. Returns false if none came within the duration.
    package func wait(for duration: Duration) -> Bool {
        var deadline = Self.deadline(after: duration)
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while count.pointee == 0 {
            if pthread_cond_timedwait(posted, mutex, &deadline) == ETIMEDOUT { return false }
        }
        count.pointee -= 1
        return true
    }

    private static func deadline(after duration: Duration) -> timespec {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        let (seconds, attoseconds) = duration.components
        let nanoseconds = time.tv_nsec + Int(attoseconds / 1_000_000_000)
        time.tv_sec += Int(seconds) + nanoseconds / 1_000_000_000
        time.tv_nsec = nanoseconds % 1_000_000_000
        return time
    }
}
