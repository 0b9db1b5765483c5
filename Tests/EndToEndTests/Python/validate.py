"""Checks messages and examples against the protocol's JSON Schema.

    validate.py messages SCHEMA ROWS      each row {"definition": NAME, "message": TEXT} must match its definition
    validate.py server SCHEMA ROWS        the same; in addition, every kind of message that a server sends must occur,
                                          and mutants of each message must be refused: without each required
                                          member, with an extra member, and with a value of another type
    validate.py examples SCHEMA MARKDOWN  each JSON value in a ```json block must match the definition that follows
                                          `json`, or any message if the block names none

Prints one line for each fault, then a summary. The exit status is 1 if any fault was found.
"""

import copy
import json
import re
import sys

import jsonschema_rs

FROM_SERVER = (".response", ".notification", ".data")


class Protocol:
    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            self.schema = json.load(file)
        jsonschema_rs.meta.validate(self.schema)
        self.definitions = self.schema["$defs"]
        self.validators = {}

    def validator(self, subschema):
        key = json.dumps(subschema)
        if key not in self.validators:
            whole = {"$schema": self.schema["$schema"], "$defs": self.definitions, "allOf": [subschema]}
            self.validators[key] = jsonschema_rs.Draft202012Validator(whole)
        return self.validators[key]

    def named(self, name):
        if name is None:
            return {"anyOf": self.schema["anyOf"]}
        if name not in self.definitions:
            raise SystemExit(f"the schema has no definition {name}")
        return {"$ref": "#/$defs/" + name.replace("~", "~0").replace("/", "~1")}

    def fits(self, name, value):
        return self.validator(self.named(name)).is_valid(value)

    def fault(self, name, value):
        error = next(self.validator(self.named(name)).iter_errors(value), None)
        if error is None:
            return None
        while alternatives := getattr(error.kind, "context", None):
            error = max((inner for one in alternatives for inner in one), key=lambda inner: len(inner.instance_path))
        place = "$" + "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in error.instance_path)
        return f"{name or 'any message'}: at {place}: {error.message[:300]}"

    def rules(self, subschema, value, path=()):
        """Yields each object schema that applies to the value: (path, required members, is closed, member schemas)."""
        if not isinstance(subschema, dict):
            return
        if "$ref" in subschema:
            name = subschema["$ref"].removeprefix("#/$defs/").replace("~1", "/").replace("~0", "~")
            yield from self.rules(self.definitions[name], value, path)
        for part in subschema.get("allOf", []):
            yield from self.rules(part, value, path)
        for part in subschema.get("oneOf", []) + subschema.get("anyOf", []):
            if self.validator(part).is_valid(value):
                yield from self.rules(part, value, path)
        if isinstance(value, dict):
            members = subschema.get("properties", {})
            closed = False in (subschema.get("additionalProperties"), subschema.get("unevaluatedProperties"))
            yield path, subschema.get("required", []), closed, members
            for name, member in members.items():
                if name in value:
                    yield from self.rules(member, value[name], path + (name,))
        if isinstance(value, list):
            for index, element in one_of_each_shape(value):
                yield from self.rules(subschema.get("items"), element, path + (index,))

    def mutants(self, name, value):
        """Yields values that break one rule each, with a description of the change."""
        for path, required, closed, members in self.rules(self.named(name), value):
            for member in required:
                yield f"without {member} at {path}", mutated(value, path, lambda it: it.pop(member))
            if closed:
                yield f"with an extra member at {path}", mutated(value, path, lambda it: it.update(unexpected=1))
            for member, subschema in members.items():
                here = reached(value, path)
                if member in here and is_restricting(subschema):
                    other = "no" if isinstance(here[member], (dict, list)) else {"no": 1}
                    yield f"with another {member} at {path}", mutated(
                        value, path, lambda it: it.update({member: other}))


def one_of_each_shape(elements):
    """Yields one object of each set of members; objects with the same members are equivalent."""
    seen = set()
    for index, element in enumerate(elements):
        shape = frozenset(element) if isinstance(element, dict) else index
        if shape not in seen:
            seen.add(shape)
            yield index, element


def is_restricting(subschema):
    return isinstance(subschema, dict) and bool(subschema.keys() - {"description", "deprecated"})


def reached(value, path):
    for step in path:
        value = value[step]
    return value


def mutated(value, path, change):
    value = copy.deepcopy(value)
    change(reached(value, path))
    return value


def rows(path):
    with open(path, encoding="utf-8") as file:
        for line in file:
            row = json.loads(line)
            yield row["definition"], json.loads(row["message"])


def check_messages(protocol, path):
    faults, done = [], []
    for name, message in rows(path):
        fault = protocol.fault(name, message)
        if fault:
            faults.append(fault)
        done.append((name, message))
    return faults, done


def check_server(protocol, path):
    faults, done = check_messages(protocol, path)
    seen = {name for name, _ in done}
    for name in protocol.definitions:
        if name.endswith(FROM_SERVER) and name not in seen:
            faults.append(f"{name}: the server never sent it")
    refused = 0
    for name, message in done:
        for what, mutant in protocol.mutants(name, message):
            if protocol.fits(name, mutant):
                faults.append(f"{name}: fits {what}: {json.dumps(message)[:300]}")
            refused += 1
    return faults, f"{len(done)} messages fit, {refused} mutants were refused"


def check_examples(protocol, path):
    with open(path, encoding="utf-8") as file:
        blocks = re.findall(r"^```json *(\S*)\n(.*?)^```$", file.read(), re.MULTILINE | re.DOTALL)
    faults, count = [], 0
    for name, text in blocks:
        text = text.strip()
        while text:
            value, end = json.JSONDecoder().raw_decode(text)
            text = text[end:].lstrip()
            count += 1
            fault = protocol.fault(name or None, value)
            if fault:
                faults.append(fault)
    return faults, f"{count} examples fit"


def main(what, schema, path):
    protocol = Protocol(schema)
    if what == "messages":
        faults, done = check_messages(protocol, path)
        summary = f"{len(done)} messages fit"
    elif what == "server":
        faults, summary = check_server(protocol, path)
    elif what == "examples":
        faults, summary = check_examples(protocol, path)
    else:
        raise SystemExit(__doc__)
    for fault in faults:
        print(fault)
    print(f"{len(faults)} faults" if faults else summary)
    return 1 if faults else 0


if __name__ == "__main__":
    if len(sys.argv) != 4:
        raise SystemExit(__doc__)
    raise SystemExit(main(*sys.argv[1:]))
