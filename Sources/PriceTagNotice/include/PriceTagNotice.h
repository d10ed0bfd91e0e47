// The licenses of PriceTag and of the data and software in an executable or a store page.
#ifndef PRICETAG_NOTICE_H
#define PRICETAG_NOTICE_H

#include <stddef.h>

// Returns the contents of NOTICE, and stores the number of bytes in `count`. Valid as long as the process.
const char *pricetag_notice(size_t *count);

// Returns the first part of NOTICE: the license of the data that store pages include.
const char *pricetag_data_notice(size_t *count);

// Returns the contents of LICENSE, which NOTICE refers to.
const char *pricetag_license(size_t *count);

#endif
