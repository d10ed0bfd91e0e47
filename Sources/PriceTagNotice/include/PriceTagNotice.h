// The licenses of what an executable or a store page carries, embedded in the binary.
#ifndef PRICETAG_NOTICE_H
#define PRICETAG_NOTICE_H

#include <stddef.h>

// The bytes of NOTICE, and how many there are. They live as long as the process.
const char *pricetag_notice(size_t *count);

// The first part of NOTICE: the license of the data that store pages carry.
const char *pricetag_data_notice(size_t *count);

// The bytes of LICENSE, which NOTICE refers to.
const char *pricetag_license(size_t *count);

#endif
