# The packs that the bindings contain, for the Makefiles of the extensions and setup.py. `make -f Bindings/SQL/packs.mk` writes the
# pack of price locales into .build/packs.
#
# PRICETAG_COMMAND           the command, which `make command` builds; it writes the pack of price locales, if that is not named
# PRICETAG_STOREFRONTS_PACK  the pack of storefronts (default: the named pack of the reference)
# PRICETAG_LOCALES_PACK      the pack of all price locales and current currencies

ROOT ?= $(abspath $(dir $(lastword $(MAKEFILE_LIST)))/../..)
REFERENCE := $(shell cat $(ROOT)/LocaleData/packs/reference)
REFERENCE_PACK := $(ROOT)/LocaleData/packs/cldr-$(REFERENCE).pack
PACKS ?= $(ROOT)/.build/packs
PRICETAG_COMMAND ?= $(ROOT)/.build/release/pricetag
PRICETAG_STOREFRONTS_PACK ?= $(REFERENCE_PACK)
PRICETAG_LOCALES_PACK ?= $(PACKS)/locales.pack
LOCALE_WIDTHS := standard,narrow,iso,name

.PHONY: packs
packs: $(PRICETAG_LOCALES_PACK)

# A newer command writes it again. A pack or locale data of the user would change the prices.
$(PACKS)/locales.pack: $(ROOT)/Bindings/SQL/packs.mk $(ROOT)/LocaleData/packs/reference $(wildcard $(PRICETAG_COMMAND))
	@[ -x '$(PRICETAG_COMMAND)' ] || { echo '$(PRICETAG_COMMAND) does not exist; run make command, or set PRICETAG_COMMAND' >&2; exit 1; }
	@mkdir -p '$(@D)'
	env -u PRICETAG_PACK -u PRICETAG_LOCALE_DATA '$(PRICETAG_COMMAND)' pack --locales all --currencies all --widths $(LOCALE_WIDTHS) -o '$@.new'
	@found=$$('$(PRICETAG_COMMAND)' pack --show '$@.new' | sed -n 's/^cldr: //p') && case $$found in $(REFERENCE).*) ;; *) rm '$@.new'; \
	  echo "the ICU of $(PRICETAG_COMMAND) has CLDR $$found, but the bindings contain CLDR $(REFERENCE) (LocaleData/packs/reference); build the command with an ICU of CLDR $(REFERENCE), or name a pack of it with PRICETAG_LOCALES_PACK" >&2; exit 1;; esac
	@mv '$@.new' '$@'
