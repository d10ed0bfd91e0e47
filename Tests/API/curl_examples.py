"""Runs every curl example of the OpenAPI document. Those of the kernel need a service with --kernel (SERVICE_HAS_KERNEL=1)."""

import json
import os
import subprocess
import sys

url = os.environ["PRICETAG_URL"]
failures = []
with open("Sources/PriceTagOpenAPI/openapi.json", encoding="utf-8") as file:
    document = json.load(file)
for path, methods in document["paths"].items():
    for method, operation in methods.items():
        if path.startswith(("/assets/kernel-", "/assets/packs/")) and os.environ.get("SERVICE_HAS_KERNEL") != "1":
            print(f"curl: the example of {path} is skipped, because the service has no kernel.")
            continue
        samples = [sample["source"] for sample in operation.get("x-codeSamples", []) if sample["label"] == "curl"]
        if not samples:
            failures.append(f"{method} {path}: no curl example")
        for sample in samples:
            line = sample.replace("http://127.0.0.1:8080", url).replace("curl ", "curl -sS --fail-with-body -w '\\n%{http_code}' ", 1)
            line = line.replace("-o openapi.json ", "").replace("-o usa.pack ", "--head ").replace("-O ", "--head ")
            outcome = subprocess.run(["bash", "-o", "pipefail", "-c", line], capture_output=True, text=True, timeout=600)
            body, _, status = outcome.stdout.rpartition("\n")
            if outcome.returncode != 0 or status != "200" or not body or '"error":' in body[:200]:
                failures.append(f"{line}\n  {outcome.stderr}{outcome.stdout[:300]}")
if failures:
    print("\n".join(failures), file=sys.stderr)
    sys.exit(1)
