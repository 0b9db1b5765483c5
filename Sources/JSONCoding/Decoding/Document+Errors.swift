import JSONScan

extension Document {
    func path(to place: Place) -> [any CodingKey] {
        switch place {
        case .value(let node): path(to: node)
        case .missingMember(let object, let key): path(to: object) + [key]
        case .missingElement(let array): path(to: array) + [PathKey.element(outline.count(of: array))]
        }
    }

    private func path(to node: JSONOutline.Node) -> [any CodingKey] {
        var keys: [PathKey] = []
        var node = node
        while let parent = outline.parent(of: node) {
            keys.append(outline.index(of: node).map(PathKey.element) ?? .member(outline.name(of: node) ?? ""))
            node = parent
        }
        return keys.reversed()
    }

    /// The error for a place that does not hold a `type`.
    func mismatch(_ type: Any.Type, at place: Place) -> DecodingError {
        mismatch(expected: "\(type)", at: place)
    }

    func mismatch(expected: String, at place: Place) -> DecodingError {
        let keys = path(to: place)
        return DecodingError(.mismatch(expected: expected, found: found(at: place), path: CodingPath(keys)), keys)
    }

    /// Converts an error that a type at `place` threw into a `DecodingError` with our description.
    func decodingError(for error: any Error, at place: Place, expecting type: Any.Type) -> DecodingError {
        if let error = error as? DecodingError, error.codingError != nil { return error }
        let keys = path(to: place)
        return DecodingError(codingError(error, at: place, CodingPath(keys), expecting: type), keys)
    }

    /// `path` must be the path of `place`.
    private func codingError(
        _ error: any Error, at place: Place, _ path: CodingPath, expecting type: Any.Type
    ) -> JSONCodingError {
        switch error {
        case DecodingError.typeMismatch(let type, let context), DecodingError.valueNotFound(let type, let context):
            let missed = CodingPath(context.codingPath)
            return .mismatch(expected: "\(type)", found: found(at: missed, from: place, path), path: missed)
        case DecodingError.keyNotFound(let key, let context):
            return .mismatch(expected: "a value", found: "nothing", path: CodingPath(context.codingPath + [key]))
        case DecodingError.dataCorrupted(let context):
            let refused = CodingPath(context.codingPath)
            let found = found(at: refused, from: place, path)
            // For enums, the reason comes from the standard library and repeats the value.
            return type is any RawRepresentable.Type
                ? .mismatch(expected: "\(type)", found: found, path: refused)
                : .rejected(reason: context.debugDescription, found: found, path: refused)
        case let error as JSONCodingError: return error.moved(below: path)
        default: return .rejected(reason: "\(error)", found: found(at: place), path: path)
        }
    }

    private func found(at place: Place) -> String {
        guard case .value(let node) = place else { return "nothing" }
        return outline.value(of: node).summary
    }

    /// Describes the value at the end of a path. The search starts at `place`, which is on that path unless a type
    /// invented a path. So an error in a large text takes no longer than an error in a small one.
    private func found(at target: CodingPath, from place: Place, _ path: CodingPath) -> String {
        guard case .value(let node) = place, target.steps.starts(with: path.steps) else { return "something else" }
        var value: JSONValue? = outline.value(of: node)
        for step in target.steps.dropFirst(path.steps.count) {
            switch step {
            case .member(let name): value = value?[name]
            case .element(let index): value = value.flatMap { $0.elements.dropFirst(index).first }
            }
        }
        return value?.summary ?? "nothing"
    }
}

/// Our errors are wrapped in the standard library's `DecodingError`, because types that catch errors expect it.
extension DecodingError {
    fileprivate init(_ error: JSONCodingError, _ keys: [any CodingKey]) {
        self = .dataCorrupted(Context(codingPath: keys, debugDescription: "\(error)", underlyingError: error))
    }

    /// The wrapped error, if it is ours.
    var codingError: JSONCodingError? {
        guard case .dataCorrupted(let context) = self else { return nil }
        return context.underlyingError as? JSONCodingError
    }
}
