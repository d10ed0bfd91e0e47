#include <libxml/HTMLparser.h>
#include <string.h>

#include "CXML.h"

// Browsers nest elements less deeply. The parser compares every pair of names of a tag's attributes, which are in its dictionary.
enum { maximumDepth = 512, maximumNameCount = 1000 };

typedef struct {
  const CXMLHandler *handler;
  CXMLError *error;
  htmlParserCtxtPtr parser;
  const char *next;
  int32_t left;
  int depth;
} Reading;

static void fail(Reading *reading, const char *message) {
  if (reading->error->message[0] != '\0') return;
  reading->error->line = reading->parser == NULL || reading->parser->input == NULL ? 0 : reading->parser->input->line;
  strncpy(reading->error->message, message, sizeof reading->error->message - 1);
}

// The parser knows HTML 4, in which these are not void elements: their end would be that of the element around them.
static int isVoid(const xmlChar *name) {
  return xmlStrEqual(name, BAD_CAST "wbr") || xmlStrEqual(name, BAD_CAST "source") || xmlStrEqual(name, BAD_CAST "track");
}

static void startElement(void *data, const xmlChar *name, const xmlChar **attributes) {
  Reading *reading = ((htmlParserCtxtPtr)data)->_private;
  if (isVoid(name)) return;
  if (++reading->depth > maximumDepth) fail(reading, "elements are nested more than 512 deep");
  if (reading->error->message[0] != '\0') return;
  int line = reading->parser->input->line;
  reading->handler->start(reading->handler->context, (const char *)name, (const char *const *)attributes, line);
}

static void endElement(void *data, const xmlChar *name) {
  if (isVoid(name)) return;
  Reading *reading = ((htmlParserCtxtPtr)data)->_private;
  reading->depth--;
  if (reading->error->message[0] == '\0') reading->handler->end(reading->handler->context);
}

static void text(void *data, const xmlChar *bytes, int count) {
  Reading *reading = ((htmlParserCtxtPtr)data)->_private;
  if (reading->error->message[0] != '\0') return;
  reading->handler->text(reading->handler->context, (const char *)bytes, count);
}

// The parser repairs markup, as browsers do. These errors would lose a part of the page.
static void handleError(void *data, xmlErrorPtr error) {
  Reading *reading = data;
  if (error->code == XML_ERR_NO_MEMORY) fail(reading, "out of memory");
  if (error->domain == XML_FROM_I18N || error->domain == XML_FROM_IO || error->code == XML_ERR_UNSUPPORTED_ENCODING ||
      error->code == XML_ERR_INVALID_ENCODING) {
    fail(reading, "the page is not in its charset, or that is unknown");
  }
}

// Returns the next bytes of the page. After an error it seems to end.
static int nextBytes(void *data, char *buffer, int capacity) {
  Reading *reading = data;
  if (xmlDictSize(reading->parser->dict) > maximumNameCount) fail(reading, "the page has more than 1000 names of elements and attributes");
  if (reading->error->message[0] != '\0') return 0;
  int count = capacity < reading->left ? capacity : reading->left;
  memcpy(buffer, reading->next, count);
  reading->next += count;
  reading->left -= count;
  return count;
}

bool cxml_read_html(const char *bytes, int32_t count, bool isUTF8, const CXMLHandler *handler, CXMLError *error) {
  memset(error, 0, sizeof *error);
  xmlInitParser();
  Reading reading = {handler, error, htmlNewParserCtxt(), bytes, count, 0};
  if (reading.parser == NULL) {
    fail(&reading, "out of memory");
    return false;
  }
  htmlSAXHandler events = {
      .initialized = XML_SAX2_MAGIC, .startElement = startElement, .endElement = endElement, .characters = text,
      .ignorableWhitespace = text, .cdataBlock = text};
  *reading.parser->sax = events;
  reading.parser->_private = &reading;
  // Errors of a charset belong to no parser. This handler is one of the thread.
  xmlStructuredErrorFunc previous = xmlStructuredError;
  void *previousContext = xmlStructuredErrorContext;
  xmlSetStructuredErrorFunc(&reading, handleError);
  int options = HTML_PARSE_RECOVER | HTML_PARSE_NONET | (isUTF8 ? HTML_PARSE_IGNORE_ENC : 0);
  htmlCtxtReadIO(reading.parser, nextBytes, NULL, &reading, NULL, isUTF8 ? "UTF-8" : NULL, options);
  bool hasCharset = isUTF8 || bytes[0] == '\xFE' || bytes[0] == '\xFF' || reading.parser->input->encoding != NULL;
  if (!hasCharset) fail(&reading, "the page is not UTF-8, and names no other charset");
  xmlSetStructuredErrorFunc(previousContext, previous);
  htmlFreeParserCtxt(reading.parser);
  return error->message[0] == '\0';
}
