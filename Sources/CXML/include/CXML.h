// The one door to libxml2. No libxml2 header is visible here.
//
// A document is read whole and then told node by node: the parser's own streaming interface gives a node the line
// that it had read to, not the line that the node stands on, and takes quadratic time over long comments.
//
// Nothing is fetched and no entity is substituted but the five that XML predefines and numeric ones. Every function
// may be called from any thread; a document belongs to one thread at a time. Strings are UTF-8 and end with a zero.
// Nothing here aborts on any input.
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
  CXMLEventEnd = 0,  // of the document
  CXMLEventElementStart,
  CXMLEventElementEnd,
  CXMLEventText,
  CXMLEventCharacterData,
  CXMLEventComment,
  CXMLEventInstruction,
  CXMLEventEntity,  // a reference to an entity that is not known
} CXMLEvent;

typedef struct {
  int32_t line;       // from 1; 0 where it is not known
  char message[256];  // the parser's, one line, without a full stop
} CXMLError;

// Reads a document of UTF-8, whatever encoding it declares. NULL where it is not well-formed, with the first error.
CXMLDocument *cxml_open(const uint8_t *bytes, int32_t count, CXMLError *error);
void cxml_close(CXMLDocument *document);

// Moves to the next event. The answers below are about that event and live until the document is closed.
CXMLEvent cxml_next(CXMLDocument *document);

// The line that the event stands on, from 1: for a start of several lines, the last of them.
int32_t cxml_line(const CXMLDocument *document);
// Of an element, an entity or an instruction; the prefix is NULL where it has none.
const char *cxml_prefix(const CXMLDocument *document);
const char *cxml_name(const CXMLDocument *document);
// Of text, character data, a comment, or an instruction behind its name.
const char *cxml_text(const CXMLDocument *document);
// Whether an element has nothing inside.
bool cxml_is_empty(const CXMLDocument *document);

// The namespace declarations of an element (`xmlns` or `xmlns:prefix`), then its attributes, in order. False behind
// the last. The value is to be freed.
typedef struct {
  const char *prefix;  // NULL where it has none
  const char *name;
  char *value;
} CXMLAttribute;

bool cxml_next_attribute(CXMLDocument *document, CXMLAttribute *attribute);
void cxml_free(char *value);

#ifdef __cplusplus
}
#endif

#endif
