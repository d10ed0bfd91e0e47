// Plans: the checks of arguments, constants and options.
#include "arrow_internal.h"

#include "../C/pricetag_shared.h"

static int32_t refuse_constant(pricetag_arrow_error *error, int argument, const char *text, int32_t status,
                               const char *message, const char *fix) {
  excerpt shown = arrow_excerpt(text, strlen(text));
  return arrow_fail(error, status, fix, "%s \"%s\": %s", arrow_argument_names[argument], shown.text, message);
}

static int32_t refuse_status(pricetag_arrow_error *error, int argument, const char *text, int32_t status) {
  if (status == PRICETAG_ARROW_NO_MINOR_UNIT) {
    return refuse_constant(error, argument, text, status, "ISO 4217 defines no minor unit of the currency",
                           "pass amounts of major units");
  }
  return refuse_constant(error, argument, text, status, pricetag_status_message(status), pricetag_status_fix(status));
}

// Checks every constant alone, and all of them if no column decides the formatter.
static int32_t check_constants(pricetag_arrow_plan *plan, pricetag_arrow_error *error) {
  const pricetag_formatter *found;
  const pricetag_style *style = plan->has_style ? &plan->style : NULL;
  char *const *constants = plan->constants;
  int32_t status, digits;
  const char *text = constants[PRICETAG_ARROW_AMOUNT];
  if (text && !plan->reading) {
    status = pricetag_parse(text, strlen(text), &plan->constant_units, &plan->constant_exponent);
    if (status != PRICETAG_OK) return refuse_status(error, PRICETAG_ARROW_AMOUNT, text, status);
  }
  if ((text = constants[PRICETAG_ARROW_LOCALE])) {
    status = pricetag_formatter_for_locale(plan->pack, text, "", style, &found);
    if (status == PRICETAG_UNKNOWN_LOCALE) return refuse_status(error, PRICETAG_ARROW_LOCALE, text, status);
  }
  if ((text = constants[PRICETAG_ARROW_CURRENCY])) {
    status = pricetag_minor_unit_digits(plan->pack, text, &digits);
    if (status == PRICETAG_OK && plan->unit == PRICETAG_ARROW_MINOR && digits < 0)
      status = PRICETAG_ARROW_NO_MINOR_UNIT;
    if (status != PRICETAG_OK) return refuse_status(error, PRICETAG_ARROW_CURRENCY, text, status);
  }
  if ((text = constants[PRICETAG_ARROW_DATE])) {
    plan->date = pricetag_date_of_text(text, strlen(text));
    if (plan->date == 0) {
      return refuse_constant(error, PRICETAG_ARROW_DATE, text, PRICETAG_ARROW_MALFORMED_DATE,
                             "the text is not a date, or the date does not exist",
                             "write YYYY-MM-DD, such as 2026-01-31");
    }
  }
  if ((text = constants[PRICETAG_ARROW_STOREFRONT])) {
    status = pricetag_storefront(plan->pack, text, plan->date, NULL, NULL);
    if (status != PRICETAG_OK && status != PRICETAG_MISSING_DATE) {
      return refuse_status(error, PRICETAG_ARROW_STOREFRONT, text, status);
    }
  }
  // Without a storefront of this name, only the style can be missing.
  status = pricetag_formatter_for_storefront(plan->pack, "", 0, style, &found);
  if (status == PRICETAG_MISSING_STYLE || status == PRICETAG_INVALID_ARGUMENT) {
    return arrow_fail(error, status, pricetag_status_fix(status), "%s", pricetag_status_message(status));
  }
  if (plan->key_count > 0) return PRICETAG_OK;
  row_key key = arrow_constant_key(plan);
  arrow_resolve(plan, &key, &plan->uncached);
  uint8_t failed = plan->uncached.amount_error ? plan->uncached.amount_error : plan->uncached.error;
  if (!failed) return PRICETAG_OK;
  int place = constants[PRICETAG_ARROW_STOREFRONT] ? PRICETAG_ARROW_STOREFRONT : PRICETAG_ARROW_LOCALE;
  return refuse_status(error, place, constants[place], arrow_status_of(failed));
}

static int32_t read_outputs(pricetag_arrow_plan *plan, const uint8_t outputs[8], pricetag_arrow_error *error) {
  static const uint8_t standard[8] = {PRICETAG_ARROW_DISPLAY, PRICETAG_ARROW_ERROR};
  if (outputs[0] == 0) outputs = standard;
  for (int index = 0; index < 8 && outputs[index]; index++) {
    if (outputs[index] > PRICETAG_ARROW_OUTPUTS || plan->wants[outputs[index]]) {
      return arrow_fail(error, PRICETAG_ARROW_INVALID_OPTION, "name each output once", "output %d is %s",
                        outputs[index], outputs[index] > PRICETAG_ARROW_OUTPUTS ? "unknown" : "named twice");
    }
    plan->wants[outputs[index]] = true;
    plan->outputs[plan->output_count++] = outputs[index];
  }
  if (plan->reading && plan->output_count > plan->wants[PRICETAG_ARROW_DISPLAY] + plan->wants[PRICETAG_ARROW_ERROR]) {
    return arrow_fail(error, PRICETAG_ARROW_INVALID_OPTION, "request the amount and the error only",
                      "text that is read has no other outputs");
  }
  return PRICETAG_OK;
}

static int32_t read_arguments(pricetag_arrow_plan *plan, const pricetag_arrow_argument *arguments,
                              pricetag_arrow_error *error) {
  bool is_given[PRICETAG_ARROW_ARGUMENTS];
  for (int argument = 0; argument < PRICETAG_ARROW_ARGUMENTS; argument++) {
    const pricetag_arrow_argument *given = &arguments[argument];
    is_given[argument] = given->schema || given->text;
    if (given->schema) {
      int name = argument == PRICETAG_ARROW_AMOUNT && plan->reading ? READ_TEXT : argument;
      int32_t status = arrow_read_type(given->schema, name, &plan->types[argument], error);
      if (status != PRICETAG_OK) return status;
      if (argument != PRICETAG_ARROW_AMOUNT) plan->keys[plan->key_count++] = argument;
    } else if (given->text) {
      if (given->length >= NAME_SIZE || memchr(given->text, 0, given->length)) {
        excerpt shown = arrow_excerpt(given->text, given->length);
        return arrow_fail(error, PRICETAG_INVALID_ARGUMENT, "pass a shorter text without a zero byte",
                          "%s \"%s\": the text is too long or has a zero byte", arrow_argument_names[argument],
                          shown.text);
      }
      char *copy = malloc(given->length + 1);
      if (!copy) return arrow_out_of_memory(error);
      memcpy(copy, given->text, given->length);
      copy[given->length] = 0;
      plan->constants[argument] = copy;
    }
  }
  const char *problem = NULL, *fix = "pass a storefront, or both a locale and a currency";
  if (!is_given[PRICETAG_ARROW_AMOUNT]) {
    problem = plan->reading ? "there is no text" : "there is no amount";
    fix = plan->reading ? "pass a column of text" : "pass a column of amounts";
  } else if (is_given[PRICETAG_ARROW_STOREFRONT] && is_given[PRICETAG_ARROW_LOCALE]) {
    problem = "a storefront and a locale exclude each other";
    fix = "remove one of them";
  } else if (!is_given[PRICETAG_ARROW_STOREFRONT] &&
             !(is_given[PRICETAG_ARROW_LOCALE] && is_given[PRICETAG_ARROW_CURRENCY])) {
    problem = is_given[PRICETAG_ARROW_LOCALE]     ? "the currency is missing"
              : is_given[PRICETAG_ARROW_CURRENCY] ? "the locale or the storefront is missing"
                                                  : "the storefront is missing";
  }
  if (problem) return arrow_fail(error, PRICETAG_ARROW_INVALID_OPTION, fix, "%s", problem);
  uint8_t amount = plan->types[PRICETAG_ARROW_AMOUNT].values;
  if (plan->unit != PRICETAG_ARROW_MAJOR && !is_integer(amount) && amount != TYPE_NULL) {
    const char *unit = plan->unit == PRICETAG_ARROW_MINOR ? "minor units" : "micros";
    if (!amount) {
      return arrow_fail(error, PRICETAG_ARROW_WRONG_TYPE, "pass a column of integers, or an amount of major units",
                        "amount: a constant counts major units, not %s", unit);
    }
    return arrow_fail(
        error, PRICETAG_ARROW_WRONG_TYPE, "pass integers, or the unit of decimals and text, which is major",
        "amount: a column of %s must be integers, not %s", unit, is_decimal(amount) ? "decimals" : "text");
  }
  return PRICETAG_OK;
}

int32_t pricetag_arrow_plan_create(const pricetag_pack *pack,
                                   const pricetag_arrow_argument arguments[PRICETAG_ARROW_ARGUMENTS],
                                   const pricetag_arrow_options *options, pricetag_arrow_plan **result,
                                   pricetag_arrow_error *error) {
  if (!pack || !arguments || !options || !result) {
    return arrow_fail(error, PRICETAG_INVALID_ARGUMENT, "pass it",
                      "the pack, the arguments, the options or the plan are NULL");
  }
  pricetag_arrow_plan *plan = calloc(1, sizeof *plan);
  if (!plan) return arrow_out_of_memory(error);
  plan->pack = pack;
  plan->unit = options->unit;
  plan->rounding = options->rounding;
  plan->date = options->date;
  plan->text = options->text;
  plan->reading = options->reading;
  if (options->style) {
    plan->style = *options->style;
    plan->has_style = true;
  }
  int32_t status = PRICETAG_OK;
  const char *name = options->unit < PRICETAG_ARROW_MAJOR || options->unit > PRICETAG_ARROW_MICROS     ? "unit"
                     : options->rounding < PRICETAG_EXACT || options->rounding > PRICETAG_FLOOR        ? "rounding"
                     : options->text < PRICETAG_ARROW_UTF8 || options->text > PRICETAG_ARROW_UTF8_VIEW ? "text"
                     : options->reading < 0 || options->reading > PRICETAG_ARROW_READ_LENIENT          ? "reading"
                                                                                                       : NULL;
  if (name) {
    status = arrow_fail(error, PRICETAG_ARROW_INVALID_OPTION, "use a constant of pricetag_arrow.h",
                        "the option %s is unknown", name);
  } else if (options->date != 0 &&
             (options->date > 99999999 ||
              !pricetag_date(options->date / 10000, options->date / 100 % 100, options->date % 100))) {
    status = arrow_fail(error, PRICETAG_ARROW_MALFORMED_DATE, "pass a date such as 20260131",
                        "the date %" PRId32 " does not exist", options->date);
  }
  if (status == PRICETAG_OK) status = read_outputs(plan, options->outputs, error);
  if (status == PRICETAG_OK) status = read_arguments(plan, arguments, error);
  if (status == PRICETAG_OK) status = check_constants(plan, error);
  if (status != PRICETAG_OK) {
    pricetag_arrow_plan_free(plan);
    return status;
  }
  *result = plan;
  return PRICETAG_OK;
}

void pricetag_arrow_plan_free(pricetag_arrow_plan *plan) {
  if (!plan) return;
  for (int argument = 0; argument < PRICETAG_ARROW_ARGUMENTS; argument++) free(plan->constants[argument]);
  free(plan->entries);
  free(plan->table);
  free(plan->map);
  free(plan);
}
