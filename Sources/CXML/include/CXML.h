// A C interface to libxml2 that includes no libxml2 header.
//
// A document is parsed into a tree, which is then walked node by node. libxml2's streaming interface reports the line
// that the parser has reached instead of the node's own line, and takes quadratic time for long comments.
//
// No external file is loaded, and only numeric entities and the five predefined ones are substituted. All functions
// are thread-safe; a document must be used by one thread at a time. Strings are UTF-8 and NUL-terminated. No input
// makes these functions abort.
#ifndef CXML_H
#define CXML_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct CXMLDocument CXMLDocument;

typedef enum {
  CXMLEventEnd = 0,  // the end of the document
  CXMLEventElementStart,
  CXMLEventElementEnd,
  CXMLEventText,
  CXMLEventCharacterData,
  CXMLEventComment,
  CXMLEventInstruction,
  CXMLEventEntity,  // a reference to an unknown entity
} CXMLEvent;

typedef struct {
  int32_t line;       // from 1; 0 if unknown
  char message[256];  // the parser's message: one line, without a final period
} CXMLError;

// Parses a document as UTF-8, whatever encoding it declares. Returns NULL and the first error if it is malformed.
CXMLDocument *cxml_open(const uint8_t *bytes, int32_t count, CXMLError *error);
void cxml_close(CXMLDocument *document);

// Moves to the next event, which the functions below describe. Their strings are valid until the document is closed.
CXMLEvent cxml_next(CXMLDocument *document);

// Returns the line of the event, from 1. For a start tag of several lines, this is the last of them.
int32_t cxml_line(const CXMLDocument *document);
// Return the prefix and name of an element, an entity or an instruction. Without a prefix, it is NULL.
const char *cxml_prefix(const CXMLDocument *document);
const char *cxml_name(const CXMLDocument *document);
// Returns the content of text, character data or a comment, or of an instruction after its name.
const char *cxml_text(const CXMLDocument *document);
// Returns whether an element has no children.
bool cxml_is_empty(const CXMLDocument *document);

// An attribute or a namespace declaration (`xmlns` or `xmlns:prefix`) of an element.
typedef struct {
  const char *prefix;  // NULL without a prefix
  const char *name;
  char *value;  // to be freed with cxml_free
} CXMLAttribute;

// Stores the element's next namespace declaration, then its next attribute, in document order. Returns false after the
// last one.
bool cxml_next_attribute(CXMLDocument *document, CXMLAttribute *attribute);
void cxml_free(char *value);

// Receives the contents of an HTML page. Each element that starts also ends. Strings are valid during the call.
typedef struct {
  void *context;
  // The attributes are names and values in turn, and end with NULL. A value may be NULL, and so may all of them.
  void (*start)(void *context, const char *name, const char *const *attributes, int32_t line);
  void (*end)(void *context);
  void (*text)(void *context, const char *bytes, int32_t count);  // decoded; the bytes do not end with NUL
} CXMLHandler;

// Reads an HTML page: UTF-8, or in the charset that it names. Returns false and the first error for bytes that are not in the
// charset, elements nested more than 512 deep, and more than 1000 names.
bool cxml_read_html(const char *bytes, int32_t count, bool isUTF8, const CXMLHandler *handler, CXMLError *error);

#ifdef __cplusplus
}
#endif

#endif
