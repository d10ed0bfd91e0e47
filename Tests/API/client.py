"""Tests the service with a Python client that uses requests."""

import gzip
import json
import os
import sys

import requests

url = os.environ["PRICETAG_URL"]
failures = []


def check(name, condition, what=""):
    if not condition:
        failures.append(f"{name}: {what}")


row = {"storefront": "JPN", "amount": "1200"}
session = requests.Session()

answer = session.post(f"{url}/v1/format", json={"prices": [row, {"storefront": "USB", "amount": "1"}]})
check("format", answer.json()["prices"][0]["display"] == "￥1,200", answer.text)
check("format", answer.json()["prices"][1]["error"]["pointer"] == "/prices/1/storefront", answer.text)

answer = session.post(f"{url}/v1/format", data=json.dumps({"prices": []}), headers={"Content-Type": "text/plain"})
check("media type", answer.status_code == 415 and answer.json()["code"] == "unsupported-media-type", answer.text)

# requests sends Accept-Encoding: gzip by default.
page = session.get(f"{url}/store/usa/de/")
check("page", page.headers["Content-Encoding"] == "gzip" and "$" in page.text and page.headers["Content-Language"] == "de")
again = session.get(f"{url}/store/usa/de/", headers={"If-None-Match": page.headers["ETag"]})
check("conditional request", again.status_code == 304 and not again.content, again.status_code)
other = session.get(f"{url}/store/jpn/de/", headers={"If-None-Match": page.headers["ETag"]})
check("ETag of another store", other.status_code == 200, other.status_code)

entry = session.get(f"{url}/store/", headers={"Accept-Language": "ar"})
check("entry", entry.url.endswith("/choose/ar/") and 'dir="rtl"' in entry.text, entry.url)
check("entry", [step.status_code for step in entry.history] == [302])

answer = session.post(f"{url}/v1/products", json={"storefront": "DEU", "productIdentifiers": ["nope"]})
check("products", answer.json()["invalidProductIdentifiers"][0]["productIdentifier"] == "nope", answer.text)


# The request and the response are streams without a length.
def rows():
    for number in range(20_000):
        yield (json.dumps({"id": number, **row}) + "\n").encode()


answer = session.post(f"{url}/v1/batch", data=rows(), headers={"Content-Type": "application/x-ndjson"}, stream=True)
lines = [json.loads(line) for line in answer.iter_lines() if line]
check("batch", len(lines) == 20_000 and all(line["display"] == "￥1,200" for line in lines), len(lines))
check("batch", [line["id"] for line in lines] == list(range(20_000)))

answer = session.post(f"{url}/v1/format", data=gzip.compress(b"{}"), headers={"Content-Type": "application/json", "Content-Encoding": "gzip"})
check("content encoding", answer.status_code == 415, answer.status_code)

answer = session.get(f"{url}/nothing")
check("unknown path", answer.status_code == 404 and answer.headers["Content-Type"] == "application/problem+json", answer.text)

for failure in failures:
    print(failure, file=sys.stderr)
sys.exit(1 if failures else 0)
