"""Tests the service with a client that openapi-python-client generates from the OpenAPI document."""

import os
import sys

from pricetag_client import Client
from pricetag_client.api.prices import format_batch, format_prices
from pricetag_client.api.products import list_product_identifiers, request_products
from pricetag_client.api.service import check_health, check_readiness, get_metrics
from pricetag_client.api.storefronts import get_storefront, list_storefronts
from pricetag_client.api.store_pages import show_store
from pricetag_client.api.strings import format_messages, list_languages, list_strings
from pricetag_client.models import (
    FormatRequest,
    FormattedMessageRow,
    FormattedRow,
    MessageRow,
    MessageRowArgs,
    MessagesRequest,
    PriceRow,
    PriceRowError,
    PriceStyle,
    Problem,
    ProductsRequest,
    Width,
)
from pricetag_client.types import File

client = Client(base_url=os.environ["PRICETAG_URL"])
failures = []


def check(name, condition, what=""):
    if not condition:
        failures.append(f"{name}: {what}")


rows = [PriceRow(storefront="JPN", amount="1200"), PriceRow(storefront="USB", amount="1"), PriceRow(storefront="USA", amount=None, amount_minor=499)]
answer = format_prices.sync(client=client, body=FormatRequest(prices=rows, style=PriceStyle(width=Width.ISO, zeros=None)))
check("a row", isinstance(answer.prices[0], FormattedRow) and answer.prices[0].display == "JPY\u00a01,200", answer)
check("an invalid row", isinstance(answer.prices[1], PriceRowError) and answer.prices[1].error.pointer == "/prices/1/storefront", answer)
check("a null counts as missing", answer.prices[2].display == "USD\u00a04.99", answer)

lines = b'{"storefront":"JPN","amount":"1200"}\n[1]\n'
answer = format_batch.sync_detailed(client=client, body=File(payload=lines))
check("a batch", answer.status_code == 200 and answer.content.count(b"\n") == 2, answer)

identifiers = list_product_identifiers.sync(client=client)
answer = request_products.sync(client=client, body=ProductsRequest(storefront="JPN", language=None, product_identifiers=None))
check("all products", len(answer.products) > 0 and {p.product_identifier for p in answer.products} <= set(identifiers), identifiers)
# Each of these is null for some product.
for field in ["description", "category", "subscription", "scheduled_price", "price_before_reduction", "image"]:
    check("nullable", all(hasattr(product, field) for product in answer.products), field)
answer = request_products.sync(client=client, body=ProductsRequest(storefront="USB"))
check("a problem", isinstance(answer, Problem) and answer.code == "unknown-storefront" and answer.pointer == "/storefront", answer)

check("storefronts", len(list_storefronts.sync(client=client)) > 170)
answer = get_storefront.sync("BGR", client=client)
check("a storefront", answer.currencies[0].from_ is None and answer.currencies[-1].until is None, answer)
check("languages", any(language.language == "ar" for language in list_languages.sync(client=client)))
check("strings", any(message.key == "buy_for_price" for message in list_strings.sync("ja", client=client)))
arguments = MessageRowArgs.from_dict({"price": {"storefront": "FRA", "amount": "4.99"}})
answer = format_messages.sync(client=client, body=MessagesRequest(messages=[MessageRow(key="buy_for_price", language="fr-FR", args=arguments)]))
check("a message", isinstance(answer.messages[0], FormattedMessageRow) and "4,99" in answer.messages[0].text, answer)

check("health", check_health.sync(client=client).status == "ok")
answer = check_readiness.sync(client=client)
check("readiness", answer.status == "ready" and answer.reload is None, answer)
check("metrics", "pricetag_build_info{" in get_metrics.sync(client=client))
check("a page", "￥" in show_store.sync("jpn", "de", client=client))

if failures:
    print("\n".join(failures), file=sys.stderr)
    sys.exit(1)
