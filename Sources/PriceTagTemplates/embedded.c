// Embeds the files of this folder, and NOTICE and LICENSE of the top-level folder. A changed file causes a rebuild.
#include "PriceTagTemplates.h"
#include <string.h>

static const char *const names[] = {
    "card.mustache", "choose.js", "comparison.mustache", "entry.mustache", "everywhere.mustache",
    "everywhereList.mustache", "footer.mustache", "head.mustache", "header.mustache",
    "list.mustache", "lists.mustache", "notFound.mustache", "ownFooter.mustache",
    "ownHead.mustache", "ownProduct.mustache", "pagination.mustache", "product.mustache",
    "productEntry.mustache", "quantity.js", "search.js", "search.mustache", "store.css", "store.js",
    "store.mustache", "storeChoice.mustache",
};

// Each file ends with a zero. The order is that of the names.
static const unsigned char texts[] = {
#embed "card.mustache" suffix(, 0, )
#embed "choose.js" suffix(, 0, )
#embed "comparison.mustache" suffix(, 0, )
#embed "entry.mustache" suffix(, 0, )
#embed "everywhere.mustache" suffix(, 0, )
#embed "everywhereList.mustache" suffix(, 0, )
#embed "footer.mustache" suffix(, 0, )
#embed "head.mustache" suffix(, 0, )
#embed "header.mustache" suffix(, 0, )
#embed "list.mustache" suffix(, 0, )
#embed "lists.mustache" suffix(, 0, )
#embed "notFound.mustache" suffix(, 0, )
#embed "ownFooter.mustache" suffix(, 0, )
#embed "ownHead.mustache" suffix(, 0, )
#embed "ownProduct.mustache" suffix(, 0, )
#embed "pagination.mustache" suffix(, 0, )
#embed "product.mustache" suffix(, 0, )
#embed "productEntry.mustache" suffix(, 0, )
#embed "quantity.js" suffix(, 0, )
#embed "search.js" suffix(, 0, )
#embed "search.mustache" suffix(, 0, )
#embed "store.css" suffix(, 0, )
#embed "store.js" suffix(, 0, )
#embed "store.mustache" suffix(, 0, )
#embed "storeChoice.mustache" suffix(, 0, )
};

static const unsigned char notice[] = {
#embed "../../NOTICE" suffix(, 0)
};

static const unsigned char license[] = {
#embed "../../LICENSE" suffix(, 0)
};

const char *pricetag_template_name(size_t index) {
  return index < sizeof names / sizeof *names ? names[index] : NULL;
}

const char *pricetag_template(size_t index) {
  const char *text = (const char *)texts;
  while (index-- > 0) text += strlen(text) + 1;
  return text;
}

const char *pricetag_notice(void) { return (const char *)notice; }

const char *pricetag_license(void) { return (const char *)license; }
