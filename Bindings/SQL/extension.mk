# What the Makefiles of the SQLite and the DuckDB extension share.
#
# PRICETAG_LIBRARY           libpricetag.a, which `make kernel` builds
# PRICETAG_COMMAND           the command, which `make command` builds; it writes packs that are not named, in .build/packs
# PRICETAG_STOREFRONTS_PACK  the pack of storefronts that the extension contains
# PRICETAG_LOCALES_PACK      the pack of price locales that it contains; empty for none
# OUTPUT                     the folder of the products

PRICETAG_LIBRARY ?= $(ROOT)/.build/kernel/libpricetag.a
PRICETAG_COMMAND ?= $(ROOT)/.build/release/pricetag
PACKS := $(ROOT)/.build/packs
PRICETAG_STOREFRONTS_PACK ?= $(PACKS)/storefronts.pack
PRICETAG_LOCALES_PACK ?= $(PACKS)/locales.pack
CFLAGS ?= -O2

COMPILE := -std=c11 -fPIC -fvisibility=hidden -Wall -Wextra -Werror -I$(ROOT)/Bindings/C/include -I$(ROOT)/Bindings/SQL $(CFLAGS) \
  -DPRICETAG_STOREFRONTS_FILE='"$(abspath $(PRICETAG_STOREFRONTS_PACK))"' \
  $(if $(strip $(PRICETAG_LOCALES_PACK)),-DPRICETAG_LOCALES_FILE='"$(abspath $(PRICETAG_LOCALES_PACK))"')
LINK := -shared -Wl,--gc-sections -Wl,-z,defs -Wl,-z,relro,-z,now -Wl,--exclude-libs,ALL $(LDFLAGS)
SHARED := $(ROOT)/Bindings/SQL/pricetag_sql.c $(ROOT)/Bindings/SQL/pricetag_packs.c
DEPENDENCIES := $(ROOT)/Bindings/SQL/pricetag_sql.h $(ROOT)/Bindings/SQL/extension.mk $(ROOT)/Bindings/C/include/pricetag.h \
  $(ROOT)/Bindings/C/pricetag_shared.h $(PRICETAG_LIBRARY) $(PRICETAG_STOREFRONTS_PACK) $(PRICETAG_LOCALES_PACK) Makefile

.DEFAULT_GOAL := all
.PHONY: all clean

$(ROOT)/.build/kernel/libpricetag.a:
	@echo "$@ does not exist; run make kernel, or set PRICETAG_LIBRARY" >&2; exit 1

# What the packs contain, and a newer command, write them again.
$(PACKS)/storefronts.pack $(PACKS)/locales.pack: $(ROOT)/Scripts/build/engine-packs $(ROOT)/Bindings/Python/setup.py \
  $(wildcard $(PRICETAG_COMMAND))
	PRICETAG_COMMAND='$(PRICETAG_COMMAND)' $(ROOT)/Scripts/build/engine-packs '$(PACKS)' $(basename $(@F))
