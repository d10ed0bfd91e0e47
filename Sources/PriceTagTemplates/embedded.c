// Embeds the files of this folder in the binary. A changed file causes a rebuild.
#include "PriceTagTemplates.h"
#include <string.h>

static const unsigned char card[] = {
#embed "card.mustache"
};
static const unsigned char choose_js[] = {
#embed "choose.js"
};
static const unsigned char comparison[] = {
#embed "comparison.mustache"
};
static const unsigned char entry[] = {
#embed "entry.mustache"
};
static const unsigned char everywhere[] = {
#embed "everywhere.mustache"
};
static const unsigned char everywhere_list[] = {
#embed "everywhereList.mustache"
};
static const unsigned char footer[] = {
#embed "footer.mustache"
};
static const unsigned char head[] = {
#embed "head.mustache"
};
static const unsigned char header[] = {
#embed "header.mustache"
};
static const unsigned char not_found[] = {
#embed "notFound.mustache"
};
static const unsigned char list[] = {
#embed "list.mustache"
};
static const unsigned char lists[] = {
#embed "lists.mustache"
};
static const unsigned char pagination[] = {
#embed "pagination.mustache"
};
static const unsigned char search[] = {
#embed "search.mustache"
};
static const unsigned char search_js[] = {
#embed "search.js"
};
static const unsigned char own_footer[] = {
#embed "ownFooter.mustache"
};
static const unsigned char own_head[] = {
#embed "ownHead.mustache"
};
static const unsigned char own_product[] = {
#embed "ownProduct.mustache"
};
static const unsigned char product[] = {
#embed "product.mustache"
};
static const unsigned char product_entry[] = {
#embed "productEntry.mustache"
};
static const unsigned char quantity_js[] = {
#embed "quantity.js"
};
static const unsigned char store_css[] = {
#embed "store.css"
};
static const unsigned char store_js[] = {
#embed "store.js"
};
static const unsigned char store[] = {
#embed "store.mustache"
};
static const unsigned char store_choice[] = {
#embed "storeChoice.mustache"
};

static const struct {
  const char *name;
  const unsigned char *bytes;
  size_t count;
} files[] = {
    {"card.mustache", card, sizeof card},
    {"choose.js", choose_js, sizeof choose_js},
    {"comparison.mustache", comparison, sizeof comparison},
    {"entry.mustache", entry, sizeof entry},
    {"everywhere.mustache", everywhere, sizeof everywhere},
    {"everywhereList.mustache", everywhere_list, sizeof everywhere_list},
    {"footer.mustache", footer, sizeof footer},
    {"head.mustache", head, sizeof head},
    {"header.mustache", header, sizeof header},
    {"list.mustache", list, sizeof list},
    {"lists.mustache", lists, sizeof lists},
    {"pagination.mustache", pagination, sizeof pagination},
    {"search.mustache", search, sizeof search},
    {"search.js", search_js, sizeof search_js},
    {"notFound.mustache", not_found, sizeof not_found},
    {"ownFooter.mustache", own_footer, sizeof own_footer},
    {"ownHead.mustache", own_head, sizeof own_head},
    {"ownProduct.mustache", own_product, sizeof own_product},
    {"product.mustache", product, sizeof product},
    {"productEntry.mustache", product_entry, sizeof product_entry},
    {"quantity.js", quantity_js, sizeof quantity_js},
    {"store.css", store_css, sizeof store_css},
    {"store.js", store_js, sizeof store_js},
    {"store.mustache", store, sizeof store},
    {"storeChoice.mustache", store_choice, sizeof store_choice},
};
static const size_t file_count = sizeof files / sizeof *files;

const unsigned char *pricetag_template(const char *name, size_t *count) {
  for (size_t index = 0; index < file_count; index++) {
    if (strcmp(files[index].name, name) == 0) {
      *count = files[index].count;
      return files[index].bytes;
    }
  }
  *count = 0;
  return NULL;
}

const char *pricetag_template_name(size_t index) { return index < file_count ? files[index].name : NULL; }
