extension PermessageDeflate {
    /// The terms that a server accepts.
    package struct Terms: Sendable, Equatable {
        /// Whether the server's messages can refer to earlier ones, if the client allows it.
        package var keepsContext: Bool
        /// The allowed window sizes of the server's compressor. An offer that requires a smaller window is declined.
        package var windowBits: ClosedRange<Int>
        /// Whether clients can refer to earlier messages. That costs the memory of one window per client.
        package var letsClientsKeepContext: Bool

        package init(
            keepsContext: Bool = true, windowBits: ClosedRange<Int> = 8...15, letsClientsKeepContext: Bool = true
        ) {
            self.keepsContext = keepsContext
            self.windowBits = windowBits.clamped(to: 8...15)
            self.letsClientsKeepContext = letsClientsKeepContext
        }

        /// Accepts the first of a client's offers that can be met. Source: RFC 7692, sections 5.1 and 7.1.
        func agreement(to offers: [ExtensionElement]) -> Agreement? {
            for case let offer? in offers.map({ DeflateParameters($0) }) {
                if let agreement = agreement(to: offer) { return agreement }
            }
            return nil
        }

        private func agreement(to offer: DeflateParameters) -> Agreement? {
            let asked = offer.serverMaxWindowBits ?? 15
            guard asked >= windowBits.lowerBound else { return nil }
            var answer = DeflateParameters()
            var deflate = PermessageDeflate()
            deflate.server.windowBits = min(asked, windowBits.upperBound)
            // A client that did not send the parameter might not know it.
            if offer.serverMaxWindowBits != nil { answer.serverMaxWindowBits = deflate.server.windowBits }
            deflate.server.keepsContext = keepsContext && !offer.serverNoContextTakeover
            answer.serverNoContextTakeover = !deflate.server.keepsContext
            deflate.client.keepsContext = letsClientsKeepContext && !offer.clientNoContextTakeover
            answer.clientNoContextTakeover = !deflate.client.keepsContext
            if case .bits(let bits) = offer.clientMaxWindowBits {
                deflate.client.windowBits = bits
                answer.clientMaxWindowBits = .bits(bits)
            }
            return Agreement(deflate: deflate, fieldValue: answer.text)
        }
    }

    /// The agreed compression and the response field that confirms it.
    struct Agreement: Equatable {
        let deflate: PermessageDeflate
        let fieldValue: String
    }
}

extension PermessageDeflate {
    /// A client's offer.
    package struct Offer: Sendable, Equatable {
        /// The requested compression of both directions. The server can choose less for each of them.
        package var wanted: PermessageDeflate

        package init(_ wanted: PermessageDeflate = PermessageDeflate()) { self.wanted = wanted }

        /// The value of `Sec-WebSocket-Extensions`.
        package var fieldValue: String {
            var parameters = DeflateParameters()
            parameters.serverNoContextTakeover = !wanted.server.keepsContext
            parameters.clientNoContextTakeover = !wanted.client.keepsContext
            if wanted.server.windowBits < 15 { parameters.serverMaxWindowBits = wanted.server.windowBits }
            parameters.clientMaxWindowBits =
                wanted.client.windowBits < 15 ? .bits(wanted.client.windowBits) : .negotiable
            return parameters.text
        }

        /// The compression that results from the server's response to this offer. Source: RFC 7692, sections 5.1 and
        /// 7.1.
        ///
        /// - Parameter elements: The elements of the server's field; empty when it declined.
        func agreement(_ elements: [ExtensionElement]) throws(Handshake.Failure) -> PermessageDeflate? {
            guard let element = elements.first else { return nil }
            guard elements.count == 1, element.name == PermessageDeflate.name else { throw .extensionNotOffered }
            guard let answer = DeflateParameters(element), answer.clientMaxWindowBits != .negotiable,
                wanted.server.keepsContext || answer.serverNoContextTakeover,
                answer.serverMaxWindowBits ?? 15 <= wanted.server.windowBits
            else { throw .extensionMisanswered }
            var deflate = wanted
            deflate.server.windowBits = answer.serverMaxWindowBits ?? 15
            if answer.serverNoContextTakeover { deflate.server.keepsContext = false }
            if answer.clientNoContextTakeover { deflate.client.keepsContext = false }
            if case .bits(let bits) = answer.clientMaxWindowBits {
                deflate.client.windowBits = min(bits, deflate.client.windowBits)
            }
            return deflate
        }
    }
}
