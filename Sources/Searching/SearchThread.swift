import EventLoop
import SessionSearch

/// The thread that owns the search index. The index is nil before the first session, and after a failure.
///
/// The number of jobs is bounded by their callers: one step of indexing, and ``SessionFinder/searchLimit`` queries.
typealias SearchThread = JobThread<SearchIndex?>
