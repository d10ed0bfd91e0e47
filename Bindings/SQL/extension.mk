# What the Makefiles of the SQLite and the DuckDB extension share.
#
# PRICETAG_LIBRARY           libpricetag.a, which `make kernel` builds
# PRICETAG_LOCALES_PACK      the pack of price locales that the extension contains; empty for none
# OUTPUT                     the folder of the products
#
# packs.mk has the other variables.

PRICETAG_LIBRARY ?= $(ROOT)/.build/kernel/libpricetag.a
include $(ROOT)/Bindings/SQL/packs.mk
CFLAGS ?= -O2

COMPILE := -std=c11 -fPIC -fvisibility=hidden -Wall -Wextra -Werror -I$(ROOT)/Bindings/C/include -I$(ROOT)/Bindings/SQL $(CFLAGS) \
  -DPRICETAG_PACKS_FOLDER='"$(ROOT)/LocaleData/packs"' -DPRICETAG_REFERENCE=$(REFERENCE) \
  $(if $(filter-out $(REFERENCE_PACK),$(abspath $(PRICETAG_STOREFRONTS_PACK))),-DPRICETAG_STOREFRONTS_FILE='"$(abspath $(PRICETAG_STOREFRONTS_PACK))"') \
  $(if $(strip $(PRICETAG_LOCALES_PACK)),-DPRICETAG_LOCALES_FILE='"$(abspath $(PRICETAG_LOCALES_PACK))"')
LINK := -shared -Wl,--gc-sections -Wl,-z,defs -Wl,-z,relro,-z,now -Wl,--exclude-libs,ALL $(LDFLAGS)
SHARED := $(ROOT)/Bindings/SQL/pricetag_sql.c $(ROOT)/Bindings/SQL/pricetag_packs.c
DEPENDENCIES := $(ROOT)/Bindings/SQL/pricetag_sql.h $(ROOT)/Bindings/SQL/extension.mk $(ROOT)/Bindings/C/include/pricetag.h \
  $(ROOT)/Bindings/C/pricetag_shared.h $(PRICETAG_LIBRARY) $(wildcard $(ROOT)/LocaleData/packs/*.pack) $(PRICETAG_STOREFRONTS_PACK) \
  $(PRICETAG_LOCALES_PACK) Makefile

.DEFAULT_GOAL := all
.PHONY: all clean

$(ROOT)/.build/kernel/libpricetag.a:
	@echo "$@ does not exist; run make kernel, or set PRICETAG_LIBRARY" >&2; exit 1
