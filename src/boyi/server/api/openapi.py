"""The OpenAPI document."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from boyi.server.api.route import Api
from boyi.server.protocol.messages import PROTOCOL


def openapi(routes: Sequence[Api]) -> dict[str, Any]:
    """All routes, as OpenAPI 3.1."""
    kinds = [kind for api in routes for kind in (api.takes, api.gives) if kind is not None]
    _, components = msgspec.json.schema_components(dict.fromkeys(kinds), ref_template="#/components/schemas/{name}")
    paths: dict[str, dict[str, Any]] = {}
    for api in routes:
        about: dict[str, Any] = {"summary": api.summary, "responses": {"200": {"description": "as asked"}}}
        names = [part[1:-1] for part in api.path.split("/") if part.startswith("{")]
        if names:
            about["parameters"] = [{"name": name, "in": "path", "required": True, "schema": {"type": "string"}}
                                   for name in names]
        if api.takes is not None:
            reference = {"$ref": f"#/components/schemas/{api.takes.__name__}"}
            about["requestBody"] = {"required": True, "content": {"application/json": {"schema": reference}}}
        if api.gives is not None:
            reference = {"$ref": f"#/components/schemas/{api.gives.__name__}"}
            about["responses"]["200"]["content"] = {"application/json": {"schema": reference}}
        paths.setdefault(api.path, {})[api.method.lower()] = about
    return {"openapi": "3.1.0", "info": {"title": "Boyi", "version": str(PROTOCOL)}, "paths": paths,
            "components": {"schemas": components,
                           "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}}}}

