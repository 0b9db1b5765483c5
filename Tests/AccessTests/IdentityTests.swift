import Testing
import Tinyvex

@testable import Access

@Suite struct IdentityTests {
    private static let roles: [Role?] = [nil, .observe, .control, .admin]

    @Test(arguments: roles, Role.allCases)
    func aRoleIncludesItselfAndLowerRoles(role: Role?, needed: Role) {
        var refused: TinyvexErrorCode?
        do throws(Rejection) {
            try Identity(who: "someone", role: role).require(needed)
        } catch {
            refused = error.code
        }
        let order: [Role?] = Self.roles
        let reaches = (order.firstIndex(of: role) ?? 0) >= (order.firstIndex(of: needed) ?? 0)
        #expect(refused == (reaches ? nil : role == nil ? .unauthorized : .readOnly))
    }

    @Test func aTenantsAdminIsAController() {
        #expect(Identity(who: "jwt a", role: .admin, tenant: "t").role == .control)
        #expect(Identity(who: "jwt a", role: .observe, tenant: "t").role == .observe)
    }

    @Test func aTenantSeesOnlyItsOwnSessions() {
        let tenant = Identity(who: "jwt a", role: .observe, tenant: "t")
        #expect(tenant.maySee(tenant: "t"))
        #expect(!tenant.maySee(tenant: "u"))
        #expect(!tenant.maySee(tenant: nil))
        let host = Identity.localUser(1000)
        #expect(host.maySee(tenant: "t") && host.maySee(tenant: nil))
    }
}
