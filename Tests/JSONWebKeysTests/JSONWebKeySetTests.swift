import Glibc
import Posix
import TestSupport
import Testing

@testable import JSONWebKeys

@Suite struct JSONWebKeySetTests {
    private static let x = "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU"
    private static let y = "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"
    /// Source: RFC 7515, appendix A.3.1.
    private static let curve = #""kty":"EC","crv":"P-256","x":"\#(x)","y":"\#(y)""#

    /// Source: RFC 8037, appendix A.2.
    private static let edwards = #""kty":"OKP","crv":"Ed25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo""#

    private func keys(_ members: String...) throws(JSONWebKeySet.Fault) -> [JSONWebKey] {
        let list = members.map { "{\($0)}" }.joined(separator: ",")
        return try JSONWebKeySet.keys(in: Array(#"{"keys":[\#(list)]}"#.utf8))
    }

    /// `openssl pkey -pubout` writes the expected text.
    @Test(arguments: [IssuerToken.Algorithm.rs256, .es256, .eddsa])
    func aKeyIsWrittenAsOpenSSLWritesIt(algorithm: IssuerToken.Algorithm) throws {
        let folder = TemporaryFolder()
        let issuer = try IssuerToken.Issuer(algorithm, in: folder.path, name: "a")
        let set = try JSONWebKeySet.keys(in: Array(#"{"keys":[\#(try issuer.publicJSON(id: "k1"))]}"#.utf8))
        let file = try PrivateFile.read(folder.path + "/a.pub", limitBytes: 4096)
        let key = try #require(set.first)
        #expect(set.count == 1 && key.id == "k1" && key.algorithm.rawValue == algorithm.rawValue)
        #expect(String(decoding: key.pem, as: UTF8.self) == String(decoding: file ?? [], as: UTF8.self))
    }

    @Test(arguments: [
        "", #","alg":"ES256""#, #","use":"sig""#, #","key_ops":["verify"]"#, #","kid":"a","x5t":"unknown""#,
    ])
    func aKeyForSignaturesIsUsed(members: String) throws { #expect(try keys(Self.curve + members).count == 1) }

    /// Source: RFC 9864, which names the algorithm after its curve.
    @Test(arguments: ["", #","alg":"EdDSA""#, #","alg":"Ed25519""#])
    func aKeyOfEd25519HasTwoNamesOfItsAlgorithm(members: String) throws {
        #expect(try keys(Self.edwards + members).map(\.algorithm) == [.eddsa])
    }

    @Test(arguments: [
        #","alg":"ES384""#, #","alg":"HS256""#, #","alg":7"#, #","use":"enc""#, #","key_ops":["encrypt"]"#,
        #","kid":7"#, #","kid":"a","kid":"b""#, #","kid":"\#(String(repeating: "k", count: 257))""#,
    ])
    func anotherKeyIsIgnored(members: String) throws { #expect(try keys(Self.curve + members, Self.curve).count == 1) }

    @Test(arguments: [
        #""kty":"oct","k":"c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0","alg":"HS256""#,
        #"\#(edwards),"alg":"ES256""#, #""kty":"OKP","crv":"Ed25519","x":"AA""#,
        #""kty":"OKP","crv":"X25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo""#,
        #""kty":"OKP","crv":"Ed448","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo""#,
        #""kty":"EC","crv":"P-384","x":"\#(x)","y":"\#(y)""#, #""kty":"EC","crv":"P-256","x":"AA","y":"\#(y)""#,
        #""kty":"RSA","n":"AQAB","e":"AQAB""#, #""kty":"RSA""#, "",
    ])
    func aKeyOfAnotherKindIsIgnored(members: String) throws { #expect(try keys(members).isEmpty) }

    @Test func anRSAKeyHasAtLeast2048BitsAndASmallOddExponent() {
        func pem(_ bytes: Int, first: UInt8 = 0x80, last: UInt8 = 1, exponent: [UInt8] = [1, 0, 1]) -> [UInt8]? {
            let modulus = [first] + [UInt8](repeating: 7, count: bytes - 2) + [last]
            return PublicKeyText.rsa(modulus: modulus, exponent: exponent)
        }
        #expect(pem(256) != nil && pem(1024) != nil && pem(257, first: 0) == nil && pem(257, first: 1) != nil)
        #expect(pem(255) == nil && pem(256, first: 0x7F) == nil && pem(1025) == nil && pem(256, last: 2) == nil)
        for exponent: [UInt8] in [[], [0], [1], [2], [1, 0, 0, 0, 1]] { #expect(pem(256, exponent: exponent) == nil) }
    }

    @Test func aPrivateKeyIsRefused() {
        #expect(throws: JSONWebKeySet.Fault.privateKey) { try keys(Self.curve + #","d":"AA""#) }
    }

    @Test func aSetHasALimitOfKeysAndBytes() throws {
        let many = [String](repeating: "{\(Self.curve)}", count: JSONWebKeySet.limitKeys)
        func set(_ keys: [String], padding: Int = 0) -> [UInt8] {
            Array((#"{"keys":[\#(keys.joined(separator: ","))]}"# + String(repeating: " ", count: padding)).utf8)
        }
        #expect(try JSONWebKeySet.keys(in: set(many)).count == JSONWebKeySet.limitKeys)
        #expect(throws: JSONWebKeySet.Fault.tooManyKeys) { try JSONWebKeySet.keys(in: set(many + ["{}"])) }
        let rest = JSONWebKeySet.limitBytes - set([]).count
        #expect(try JSONWebKeySet.keys(in: set([], padding: rest)).isEmpty)
        #expect(throws: JSONWebKeySet.Fault.tooLong) { try JSONWebKeySet.keys(in: set([], padding: rest + 1)) }
    }

    @Test(arguments: ["", "[]", "{}", #"{"keys":{}}"#, #"{"keys":[],"keys":[]}"#, "<html>", #"{"keys":["#])
    func anotherTextIsNotASet(text: String) {
        #expect(throws: JSONWebKeySet.Fault.notASet) { try JSONWebKeySet.keys(in: Array(text.utf8)) }
    }
}
