import EventLoop
import SessionSearch

/// The thread that owns the search index. The index is nil before the first session, and after a failure.
///
/// The number of jobs is bounded by their caller: one step of indexing, and the changes of sessions meanwhile.
typealias SearchThread = JobThread<SearchIndex?>

/// The thread that runs queries.
///
/// The number of jobs is bounded by ``SessionFinder/searchLimit``.
typealias QueryThread = JobThread<SearchReader>
