#include "CXML.h"

#include <libxml/parser.h>
#include <libxml/tree.h>
#include <libxml/xmlmemory.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct CXMLDocument {
  xmlDocPtr tree;
  xmlNodePtr node;
  bool isLeaving;  // whether the current event is the end of the node, which is an element
  bool isAtEnd;
  xmlNsPtr nextNamespace;
  xmlAttrPtr nextAttribute;
};

static pthread_once_t isReady = PTHREAD_ONCE_INIT;

static void recordError(CXMLError *error, int line, const char *message) {
  if (error->message[0] != '\0') return;
  error->line = line > 0 ? line : 0;
  size_t count = 0;
  for (; message != NULL && *message != '\0' && count + 1 < sizeof error->message; message++) {
    error->message[count++] = *message == '\n' || *message == '\r' ? ' ' : *message;
  }
  while (count > 0 && (error->message[count - 1] == ' ' || error->message[count - 1] == '.')) count--;
  error->message[count] = '\0';
  if (count == 0) strcpy(error->message, "the XML is not well-formed");
}

// Records the first relevant error. An undeclared namespace prefix is not an error: Android's tools allow it.
static void handleError(void *data, xmlErrorPtr reported) {
  xmlParserCtxtPtr parser = data;
  if (parser == NULL || parser->_private == NULL || reported == NULL) return;
  if (reported->code == XML_WAR_UNDECLARED_ENTITY ||
      (reported->level >= XML_ERR_ERROR && reported->domain != XML_FROM_NAMESPACE)) {
    recordError(parser->_private, reported->line, reported->message);
  }
}

// Rejects entity declarations, with which a small document can expand to a very large one.
static void rejectEntityDeclaration(void *data, const xmlChar *name, int type, const xmlChar *publicId,
                         const xmlChar *systemId, xmlChar *content) {
  (void)name, (void)type, (void)publicId, (void)systemId, (void)content;
  xmlParserCtxtPtr parser = data;
  recordError(parser->_private, parser->input == NULL ? 0 : parser->input->line, "the document declares an entity");
  xmlStopParser(parser);
}

CXMLDocument *cxml_open(const uint8_t *bytes, int32_t count, CXMLError *error) {
  memset(error, 0, sizeof *error);
  pthread_once(&isReady, xmlInitParser);
  xmlParserCtxtPtr parser = bytes == NULL || count < 0 ? NULL : xmlNewParserCtxt();
  CXMLDocument *document = calloc(1, sizeof *document);
  if (parser == NULL || document == NULL) {
    recordError(error, 0, "out of memory");
    if (parser != NULL) xmlFreeParserCtxt(parser);
    free(document);
    return NULL;
  }
  parser->_private = error;
  parser->sax->serror = handleError;
  parser->sax->entityDecl = rejectEntityDeclaration;
  // Without NOENT the parser leaves &amp; as &#38; in a namespace name. No other entity can be substituted.
  document->tree = xmlCtxtReadMemory(
      parser, (const char *)bytes, count, NULL, "UTF-8",
      XML_PARSE_NOENT | XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING | XML_PARSE_BIG_LINES);
  bool isWellFormed = parser->wellFormed == 1 && document->tree != NULL && error->message[0] == '\0';
  if (!isWellFormed) recordError(error, parser->input == NULL ? 0 : parser->input->line, NULL);
  xmlFreeParserCtxt(parser);
  if (!isWellFormed) {
    cxml_close(document);
    return NULL;
  }
  return document;
}

void cxml_close(CXMLDocument *document) {
  if (document == NULL) return;
  if (document->tree != NULL) xmlFreeDoc(document->tree);
  free(document);
}

static bool isElement(const CXMLDocument *document) {
  return document->node != NULL && document->node->type == XML_ELEMENT_NODE;
}

// Moves to the first child, else to the end of this element, else to the next sibling, else to the end of the parent.
static void advance(CXMLDocument *document) {
  if (document->node == NULL) {
    document->node = document->tree->children;
  } else if (isElement(document) && !document->isLeaving) {
    if (document->node->children == NULL) {
      document->isLeaving = true;
      return;
    }
    document->node = document->node->children;
  } else {
    document->isLeaving = false;
    if (document->node->next != NULL) {
      document->node = document->node->next;
    } else {
      document->node = document->node->parent;
      document->isLeaving = true;
    }
  }
  document->isAtEnd = document->node == NULL || document->node->type == XML_DOCUMENT_NODE;
}

CXMLEvent cxml_next(CXMLDocument *document) {
  while (!document->isAtEnd) {
    advance(document);
    if (document->isAtEnd) break;
    document->nextNamespace = NULL;
    document->nextAttribute = NULL;
    switch (document->node->type) {
      case XML_ELEMENT_NODE:
        if (document->isLeaving) return CXMLEventElementEnd;
        document->nextNamespace = document->node->nsDef;
        document->nextAttribute = document->node->properties;
        return CXMLEventElementStart;
      case XML_TEXT_NODE: return CXMLEventText;
      case XML_CDATA_SECTION_NODE: return CXMLEventCharacterData;
      case XML_COMMENT_NODE: return CXMLEventComment;
      case XML_PI_NODE: return CXMLEventInstruction;
      case XML_ENTITY_REF_NODE: return CXMLEventEntity;
      default: continue;  // the document type
    }
  }
  return CXMLEventEnd;
}

int32_t cxml_line(const CXMLDocument *document) {
  if (document->isAtEnd || document->node == NULL) return 0;
  long line = xmlGetLineNo(document->node);
  return line > 0 && line <= INT32_MAX ? (int32_t)line : 0;
}

const char *cxml_prefix(const CXMLDocument *document) {
  if (!isElement(document) || document->node->ns == NULL) return NULL;
  return (const char *)document->node->ns->prefix;
}

const char *cxml_name(const CXMLDocument *document) {
  if (document->isAtEnd || document->node == NULL || document->node->name == NULL) return "";
  return (const char *)document->node->name;
}

const char *cxml_text(const CXMLDocument *document) {
  if (document->isAtEnd || document->node == NULL) return "";
  return document->node->content == NULL ? "" : (const char *)document->node->content;
}

bool cxml_is_empty(const CXMLDocument *document) {
  return isElement(document) && document->node->children == NULL;
}

bool cxml_next_attribute(CXMLDocument *document, CXMLAttribute *attribute) {
  memset(attribute, 0, sizeof *attribute);
  xmlNsPtr declared = document->nextNamespace;
  if (declared != NULL) {
    document->nextNamespace = declared->next;
    attribute->prefix = declared->prefix == NULL ? NULL : "xmlns";
    attribute->name = declared->prefix == NULL ? "xmlns" : (const char *)declared->prefix;
    attribute->value = strdup(declared->href == NULL ? "" : (const char *)declared->href);
    return true;
  }
  xmlAttrPtr found = document->nextAttribute;
  if (found == NULL) return false;
  document->nextAttribute = found->next;
  attribute->prefix = found->ns == NULL ? NULL : (const char *)found->ns->prefix;
  attribute->name = (const char *)found->name;
  xmlChar *value = xmlNodeListGetString(document->tree, found->children, 1);
  attribute->value = strdup(value == NULL ? "" : (const char *)value);
  if (value != NULL) xmlFree(value);
  return true;
}

void cxml_free(char *value) { free(value); }
