#define _GNU_SOURCE
// A part of CXML: HTML, which is read event by event, so that memory does not grow with a page.
#include <libxml/HTMLparser.h>
#include <libxml/xmlerror.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "CXML.h"

// Deeper than browsers nest elements, and than pages do.
enum { maximumDepth = 512, maximumAttributes = 1024 };

typedef struct {
  const CXMLHandler *handler;
  CXMLError *error;
  int depth;
} Reading;

static void fail(Reading *reading, int line, const char *message) {
  if (reading->error->message[0] != '\0') return;
  reading->error->line = line;
  strncpy(reading->error->message, message, sizeof reading->error->message - 1);
}

static void start(void *data, const xmlChar *name, const xmlChar **attributes) {
  htmlParserCtxtPtr parser = data;
  Reading *reading = parser->_private;
  int line = parser->input == NULL ? 0 : parser->input->line;
  if (++reading->depth > maximumDepth) {
    fail(reading, line, "elements are nested more than 512 deep");
    xmlStopParser(parser);
  }
  if (reading->error->message[0] != '\0') return;
  reading->handler->start(reading->handler->context, (const char *)name, (const char *const *)attributes, line);
}

static void end(void *data, const xmlChar *name) {
  (void)name;
  Reading *reading = ((htmlParserCtxtPtr)data)->_private;
  reading->depth--;
  if (reading->error->message[0] == '\0') reading->handler->end(reading->handler->context);
}

static void text(void *data, const xmlChar *bytes, int count) {
  Reading *reading = ((htmlParserCtxtPtr)data)->_private;
  if (reading->error->message[0] == '\0') {
    reading->handler->text(reading->handler->context, (const char *)bytes, count);
  }
}

// Errors of the markup are repaired, as browsers do. Bytes that cannot be decoded would end the page early.
static void handleError(void *data, xmlErrorPtr reported) {
  if (reported->code == XML_ERR_NO_MEMORY) fail(data, 0, "out of memory");
  if (reported->domain == XML_FROM_I18N || reported->domain == XML_FROM_IO) fail(data, 0, "the text is not in the page's charset");
}

static bool isBlank(char byte) { return byte == ' ' || (byte >= '\t' && byte <= '\r'); }

static bool startsName(char byte) {
  return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || byte == '_' || byte == ':' || byte == '.';
}

static bool hasPrefix(const char *at, const char *end, const char *name) {
  return end - at >= (ptrdiff_t)strlen(name) && strncasecmp(at, name, strlen(name)) == 0;
}

static bool isNamed(const char *at, const char *end, const char *name) {
  const char *next = at + strlen(name);
  return hasPrefix(at, end, name) && (next == end || isBlank(*next) || *next == '/' || *next == '>');
}

// Returns the end of a tag, whose number of attributes is stored, as the parser finds both.
static const char *endOfTag(const char *at, const char *end, int *count) {
  while (at < end && startsName(*at)) at++;
  for (*count = 0; at < end && *at != '>';) {
    if (isBlank(*at) || *at == '/') {
      at++;
      continue;
    }
    ++*count;
    bool isNamed = startsName(*at);
    while (at < end && !isBlank(*at) && *at != '>' && !(isNamed && *at == '=')) at++;
    while (isNamed && at < end && isBlank(*at)) at++;
    if (!isNamed || at == end || *at != '=') continue;
    do at++;
    while (at < end && isBlank(*at));
    if (at < end && (*at == '"' || *at == '\'')) {
      at = memchr(at + 1, *at, end - at - 1);
      if (at == NULL) return end;
      at++;
    } else {
      while (at < end && !isBlank(*at) && *at != '>') at++;
    }
  }
  return at;
}

// Returns the first tag with so many attributes that the parser, which compares every pair of them, would take long; `NULL` if
// there is none.
static const char *findLargeTag(const char *at, const char *end) {
  while (at < end && (at = memchr(at, '<', end - at)) != NULL) {
    const char *tag = at++;
    if (end - at >= 3 && memcmp(at, "!--", 3) == 0) at = memmem(at, end - at, "-->", 3);
    if (at == NULL || at == end) return NULL;
    if (!startsName(*at)) continue;
    int count;
    at = endOfTag(at, end, &count);
    if (count > maximumAttributes) return tag;
    // What looks like a tag in a script or a style sheet is none.
    const char *name = isNamed(tag + 1, end, "script") ? "</script" : isNamed(tag + 1, end, "style") ? "</style" : NULL;
    if (name == NULL || at == end || at[-1] == '/') continue;
    while ((at = memmem(at, end - at, "</", 2)) != NULL && !hasPrefix(at, end, name)) at += 2;
    if (at == NULL) return NULL;
  }
  return NULL;
}

bool cxml_read_html(const char *bytes, int32_t count, const char *charset, const CXMLHandler *handler, CXMLError *error) {
  memset(error, 0, sizeof *error);
  const char *large = findLargeTag(bytes, bytes + count);
  Reading reading = {handler, error, 0};
  if (large != NULL) {
    int line = 1;
    for (const char *at = bytes; at < large; at++) line += *at == '\n';
    fail(&reading, line, "a tag has more than 1024 attributes");
    return false;
  }
  xmlInitParser();
  xmlCharEncodingHandlerPtr decoder = xmlFindCharEncodingHandler(charset);
  htmlParserCtxtPtr parser = decoder == NULL ? NULL : htmlNewParserCtxt();
  if (parser == NULL) {
    fail(&reading, 0, decoder == NULL ? "the charset of the page is unknown" : "out of memory");
    return false;
  }
  memset(parser->sax, 0, sizeof *parser->sax);
  parser->sax->initialized = XML_SAX2_MAGIC;
  parser->sax->startElement = start;
  parser->sax->endElement = end;
  parser->sax->characters = parser->sax->ignorableWhitespace = parser->sax->cdataBlock = text;
  parser->_private = &reading;
  // Errors of the charset belong to no parser. The handler is one of this thread.
  xmlStructuredErrorFunc previous = xmlStructuredError;
  void *previousContext = xmlStructuredErrorContext;
  xmlSetStructuredErrorFunc(&reading, handleError);
  xmlDocPtr tree = htmlCtxtReadMemory(parser, bytes, count, NULL, charset,
                                      HTML_PARSE_RECOVER | HTML_PARSE_NONET | HTML_PARSE_NOERROR | HTML_PARSE_NOWARNING | HTML_PARSE_IGNORE_ENC);
  xmlSetStructuredErrorFunc(previousContext, previous);
  xmlCharEncCloseFunc(decoder);
  if (tree != NULL) xmlFreeDoc(tree);
  htmlFreeParserCtxt(parser);
  return error->message[0] == '\0';
}
