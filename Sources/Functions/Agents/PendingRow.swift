import JSONScan
import Tinyvex

/// A row of a list of open requests, of this bridge or of another one.
struct PendingRow {
    let place: ListPosition
    let json: () -> [UInt8]
}

extension PendingAtOtherBridge {
    fileprivate var row: PendingRow { PendingRow(place: ListPosition(time, number, 0)) { json } }
}

extension AgentFunctions {
    /// Returns a page of both lists, the oldest request first.
    static func page(
        _ own: [PendingRow], _ others: [PendingAtOtherBridge], _ filter: PendingFilter, after position: ListPosition?
    ) -> [UInt8] {
        let fitting = others.filter { filter.fits($0.sessionId, $0.journal, agent: $0.agent) }.map(\.row)
        let all = (own + fitting).sorted { $0.place < $1.place }
        let (page, next) = page(all.filter { position.map($0.place.isAfter) ?? true }) { row in
            row.json()
        } place: {
            $0.place
        }
        return page.array(next: next)
    }
}
