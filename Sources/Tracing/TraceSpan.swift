import JSONScan

/// One operation of a trace, as OpenTelemetry defines it.
package struct TraceSpan: Sendable, Equatable {
    package enum Kind: Int64, Sendable { case `internal` = 1, client = 3 }

    package enum Value: Sendable, Equatable {
        case text(String)
        case integer(Int64)
        case texts([String])
    }

    package struct Attribute: Sendable, Equatable {
        package let name: String
        package let value: Value

        init(_ name: String, _ value: Value) { (self.name, self.value) = (name, value) }
    }

    package let traceId: String
    package let spanId: String
    package let parentId: String?
    package var traceState: String?
    package let name: String
    package let kind: Kind
    /// Milliseconds since 1970.
    package let start: Int64
    /// Milliseconds since 1970; not before `start`.
    package var end: Int64
    package var attributes: [Attribute] = []
    /// The reason of a failure, empty if it is not known; nil if the operation did not fail.
    package var failure: String?

    package func attribute(_ name: String) -> Value? { attributes.first { $0.name == name }?.value }

    mutating func set(_ name: String, _ value: Value?) {
        guard let value else { return }
        attributes.removeAll { $0.name == name }
        attributes.append(Attribute(name, value))
    }

    mutating func set(_ name: String, _ text: String?) { set(name, text.map { Value.text($0) }) }

    mutating func set(_ name: String, _ number: Int64?) { set(name, number.map { Value.integer($0) }) }
}

/// A request of OTLP/HTTP in its JSON encoding. Source: OpenTelemetry Protocol 1.x, `opentelemetry/proto/trace/v1`.
package enum OTLPRequest {
    package static let contentType = "application/json"

    /// - Parameter spans: The results of ``text(of:)``.
    package static func body(_ spans: [[UInt8]], version: String, pid: Int32) -> [UInt8] {
        JSONWriter.object { writer in
            writer.memberArray("resourceSpans") { writer in
                writer.object { writer in
                    writer.memberObject("resource") { writer in
                        write(
                            [
                                .init("service.name", .text("acpbridge")), .init("service.version", .text(version)),
                                .init("process.pid", .integer(Int64(pid))),
                            ], to: &writer)
                    }
                    writer.memberArray("scopeSpans") { writer in
                        writer.object { writer in
                            writer.memberObject("scope") {
                                $0.member("name", "acpbridge")
                                $0.member("version", version)
                            }
                            writer.memberArray("spans") { writer in for span in spans { writer.element(raw: span) } }
                        }
                    }
                }
            }
        }
    }

    /// The JSON text of one span. Ids are hexadecimal and 64-bit numbers are strings, as the encoding requires.
    package static func text(of span: TraceSpan) -> [UInt8] {
        JSONWriter.object { writer in
            writer.member("traceId", span.traceId)
            writer.member("spanId", span.spanId)
            writer.member("traceState", ifPresent: span.traceState)
            writer.member("parentSpanId", ifPresent: span.parentId)
            writer.member("name", span.name)
            writer.member("kind", span.kind.rawValue)
            writer.member("startTimeUnixNano", nanoseconds(span.start))
            writer.member("endTimeUnixNano", nanoseconds(max(span.start, span.end)))
            write(span.attributes, to: &writer)
            if let failure = span.failure {
                writer.memberObject("status") {
                    if !failure.isEmpty { $0.member("message", failure) }
                    $0.member("code", 2)
                }
            }
        }
    }

    private static func nanoseconds(_ milliseconds: Int64) -> String {
        let (product, overflow) = max(0, milliseconds).multipliedReportingOverflow(by: 1_000_000)
        return String(overflow ? .max : product)
    }

    private static func write(_ attributes: [TraceSpan.Attribute], to writer: inout JSONWriter) {
        writer.memberArray("attributes") { writer in
            for attribute in attributes {
                writer.object { writer in
                    writer.member("key", attribute.name)
                    writer.memberObject("value") { write(attribute.value, to: &$0) }
                }
            }
        }
    }

    private static func write(_ value: TraceSpan.Value, to writer: inout JSONWriter) {
        switch value {
        case .text(let text): writer.member("stringValue", text)
        case .integer(let number): writer.member("intValue", String(number))
        case .texts(let texts):
            writer.memberObject("arrayValue") { writer in
                writer.memberArray("values") { writer in
                    for text in texts { writer.object { $0.member("stringValue", text) } }
                }
            }
        }
    }
}
