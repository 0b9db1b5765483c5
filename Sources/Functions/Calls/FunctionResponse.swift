import EventLoop
import Tinyvex

/// The response to a finished request.
package struct FunctionResponse {
    /// The value as JSON text.
    package let result: [UInt8]
    /// Must be called after the response has been sent.
    package var afterwards: @LoopActor () -> Void

    package init(result: [UInt8], afterwards: @escaping @LoopActor () -> Void = {}) {
        self.result = result
        self.afterwards = afterwards
    }
}

/// Receives the outcome of a request, once.
package typealias CompletionHandler = @LoopActor (Result<FunctionResponse, Rejection>) -> Void
