"""Adds JSON Lines to schemathesis: sends them, and checks each line of a response against the schema `BatchLine`."""

import json

import jsonschema_rs
import schemathesis

NDJSON = "application/x-ndjson"


@schemathesis.serializer(NDJSON)
def lines(ctx, value):
    # An example is a string; a generated value can have any type.
    if isinstance(value, bytes):
        return value
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text.encode("utf-8", "surrogatepass")


@schemathesis.deserializer(NDJSON)
def text(ctx, response):
    return response.content.decode("utf-8")


@schemathesis.check
def batch_lines_conformance(ctx, response, case):
    if case.operation.path != "/v1/batch" or response.status_code != 200:
        return
    # The validator looks for the components next to the reference.
    components = case.operation.schema.raw_schema["components"]
    validator = jsonschema_rs.Draft202012Validator(
        {"$ref": "#/components/schemas/BatchLine", "components": components}
    )
    # splitlines() would also split at U+2028, which is allowed in a row.
    for line in response.content.decode("utf-8").split("\n"):
        if line:
            error = next(validator.iter_errors(json.loads(line)), None)
            assert error is None, f"{error.message} in {line}"
