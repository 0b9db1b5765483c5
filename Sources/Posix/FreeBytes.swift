import Glibc

/// Returns the free space of the disk that holds this path, for users without special rights; nil if it is not known.
package func freeBytes(at path: String) -> UInt64? {
    var figures = statvfs()
    guard statvfs(path, &figures) == 0, figures.f_frsize > 0 else { return nil }
    let (bytes, isTooLarge) = UInt64(figures.f_bavail).multipliedReportingOverflow(by: UInt64(figures.f_frsize))
    return isTooLarge ? nil : bytes
}
