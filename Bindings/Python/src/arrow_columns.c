// The columns of the extension: Arrow's PyCapsule interface around pricetag_arrow.h. `pricetag_formatter.columns` is
// the interface for users; the types here have what it needs.
#include "native.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pricetag_arrow.h"

static const char schema_name[] = "arrow_schema";
static const char array_name[] = "arrow_array";
static const char stream_name[] = "arrow_array_stream";

// Raises the exception of an error, and returns NULL.
static PyObject *raise(module_state *state, const pricetag_arrow_error *error) {
  if (error->status == PRICETAG_ARROW_WRONG_TYPE) {
    PyErr_Format(PyExc_TypeError, "%s; %s", error->message, error->fix);
    return NULL;
  }
  if (error->status == PRICETAG_ARROW_OUT_OF_MEMORY) return PyErr_NoMemory();
  if (error->status == PRICETAG_ARROW_RESULT_TOO_LARGE && strstr(error->fix, "utf8_view")) {
    return pricetag_raise(state, error->code, error->message, "pass smaller arrays, or string_view=True");
  }
  // The texts of other statuses are those of Python. A constant that was wrong is in quotes before the text of the
  // status.
  const char *text = error->status < PRICETAG_ARROW_WRONG_TYPE ? pricetag_status_message(error->status) : NULL;
  const char *end = text ? strstr(error->message, text) : NULL;
  if (!end) return pricetag_raise(state, error->code, error->message, error->fix);
  const char *start = strchr(error->message, '"');
  PyObject *where = NULL;
  // `name "constant": text`
  if (start && end - start > 4) {
    where = PyUnicode_DecodeUTF8(start + 1, end - start - 4, "replace");
    if (!where) return NULL;
  }
  pricetag_raise_status(state, error->status, where);
  Py_XDECREF(where);
  return NULL;
}

// ---- Capsules

static void release_schema(struct ArrowSchema *schema) {
  if (schema->release) schema->release(schema);
}

static void release_array(struct ArrowArray *array) {
  if (array->release) array->release(array);
}

static void release_stream(struct ArrowArrayStream *stream) {
  if (stream->release) stream->release(stream);
}

// The release callbacks of other libraries may run Python code, which would clear an exception.
typedef struct {
  PyObject *type, *value, *traceback;
} kept_exception;

static kept_exception keep_exception(void) {
  kept_exception kept;
  PyErr_Fetch(&kept.type, &kept.value, &kept.traceback);
  return kept;
}

static void restore_exception(kept_exception kept) { PyErr_Restore(kept.type, kept.value, kept.traceback); }

// Free the structure of a capsule, whose name its owner may have changed.
#define DESTROY(type, function, release)                                            \
  static void function(PyObject *capsule) {                                         \
    kept_exception kept = keep_exception();                                         \
    struct type *place = PyCapsule_GetPointer(capsule, PyCapsule_GetName(capsule)); \
    if (place) release(place);                                                      \
    free(place);                                                                    \
    restore_exception(kept);                                                        \
  }
DESTROY(ArrowSchema, destroy_schema, release_schema)
DESTROY(ArrowArray, destroy_array, release_array)
DESTROY(ArrowArrayStream, destroy_stream, release_stream)

// Return a capsule that owns a structure, which is moved; NULL with an exception after releasing it.
#define CAPSULE(type, function, name, release, destroy) \
  static PyObject *function(struct type *moved) {       \
    struct type *place = malloc(sizeof *place);         \
    PyObject *capsule = NULL;                           \
    if (!place) {                                       \
      release(moved);                                   \
      return PyErr_NoMemory();                          \
    }                                                   \
    *place = *moved;                                    \
    capsule = PyCapsule_New(place, name, destroy);      \
    if (!capsule) {                                     \
      release(place);                                   \
      free(place);                                      \
    }                                                   \
    return capsule;                                     \
  }
CAPSULE(ArrowSchema, schema_capsule, schema_name, release_schema, destroy_schema)
CAPSULE(ArrowArray, array_capsule, array_name, release_array, destroy_array)
CAPSULE(ArrowArrayStream, stream_capsule, stream_name, release_stream, destroy_stream)

// Moves the structure of a capsule. Returns false with an exception if it was moved before.
#define MOVE(type, function, name, noun)                                                                             \
  static bool function(module_state *state, PyObject *capsule, struct type *moved) {                                 \
    struct type *place = PyCapsule_GetPointer(capsule, name);                                                        \
    if (!place) return false;                                                                                        \
    if (!place->release) {                                                                                           \
      pricetag_raise(state, "invalid-array", "the " noun " of the capsule was released or moved", "pass a new one"); \
      return false;                                                                                                  \
    }                                                                                                                \
    *moved = *place;                                                                                                 \
    place->release = NULL;                                                                                           \
    return true;                                                                                                     \
  }
MOVE(ArrowSchema, move_schema, schema_name, "schema")
MOVE(ArrowArray, move_array, array_name, "array")
MOVE(ArrowArrayStream, move_stream, stream_name, "stream")

// ---- Results that are exported any number of times

// An array with the number of its users.
typedef struct {
  atomic_size_t users;
  struct ArrowArray array;
} shared_array;

static void drop(shared_array *shared) {
  if (atomic_fetch_sub(&shared->users, 1) > 1) return;
  release_array(&shared->array);
  free(shared);
}

// The structures of an exported array. The buffers are those of the shared one.
typedef struct {
  shared_array *shared;
  struct ArrowArray children[PRICETAG_ARROW_OUTPUTS];
  struct ArrowArray *pointers[PRICETAG_ARROW_OUTPUTS];
  struct ArrowArray dictionary;
} exported_array;

static void release_exported(struct ArrowArray *array) {
  exported_array *data = array->private_data;
  for (int64_t index = 0; index < array->n_children; index++) release_array(&data->children[index]);
  release_array(&data->dictionary);
  drop(data->shared);
  free(data);
  array->release = NULL;
}

// Exports a result, which has four levels and PRICETAG_ARROW_OUTPUTS children at most.
static bool export_array(shared_array *shared, const struct ArrowArray *from, struct ArrowArray *array) {
  size_t children = (size_t)from->n_children;
  exported_array *data = calloc(1, sizeof *data);
  array->release = NULL;
  if (!data) return false;
  *array = *from;
  data->shared = shared;
  atomic_fetch_add(&shared->users, 1);
  for (size_t index = 0; index < children; index++) data->pointers[index] = &data->children[index];
  array->children = children ? data->pointers : NULL;
  array->dictionary = from->dictionary ? &data->dictionary : NULL;
  array->private_data = data;
  array->release = release_exported;
  bool is_complete = true;
  for (size_t index = 0; index < children && is_complete; index++) {
    is_complete = export_array(shared, from->children[index], &data->children[index]);
  }
  if (is_complete && from->dictionary) is_complete = export_array(shared, from->dictionary, &data->dictionary);
  if (!is_complete) release_array(array);
  return is_complete;
}

typedef struct {
  struct ArrowSchema children[PRICETAG_ARROW_OUTPUTS];
  struct ArrowSchema *pointers[PRICETAG_ARROW_OUTPUTS];
  struct ArrowSchema dictionary;
} exported_schema;

static void release_exported_schema(struct ArrowSchema *schema) {
  exported_schema *data = schema->private_data;
  for (int64_t index = 0; index < schema->n_children; index++) release_schema(&data->children[index]);
  release_schema(&data->dictionary);
  free(data);
  schema->release = NULL;
}

// Exports the schema of a result. Its texts are constants of arrow_outputs.c.
static bool export_schema(const struct ArrowSchema *from, struct ArrowSchema *schema) {
  size_t children = (size_t)from->n_children;
  exported_schema *data = calloc(1, sizeof *data);
  schema->release = NULL;
  if (!data) return false;
  *schema = *from;
  for (size_t index = 0; index < children; index++) data->pointers[index] = &data->children[index];
  schema->children = children ? data->pointers : NULL;
  schema->dictionary = from->dictionary ? &data->dictionary : NULL;
  schema->private_data = data;
  schema->release = release_exported_schema;
  bool is_complete = true;
  for (size_t index = 0; index < children && is_complete; index++) {
    is_complete = export_schema(from->children[index], &data->children[index]);
  }
  if (is_complete && from->dictionary) is_complete = export_schema(from->dictionary, &data->dictionary);
  if (!is_complete) release_schema(schema);
  return is_complete;
}

// ---- Streams of results

// The results of a call, as a stream.
typedef struct {
  struct ArrowSchema schema;
  shared_array **arrays;
  size_t count, next;
} result_stream;

static int result_get_schema(struct ArrowArrayStream *stream, struct ArrowSchema *schema) {
  result_stream *data = stream->private_data;
  return export_schema(&data->schema, schema) ? 0 : ENOMEM;
}

static int result_get_next(struct ArrowArrayStream *stream, struct ArrowArray *array) {
  result_stream *data = stream->private_data;
  array->release = NULL;
  if (data->next == data->count) return 0;
  shared_array *shared = data->arrays[data->next];
  if (!export_array(shared, &shared->array, array)) return ENOMEM;
  data->next++;
  return 0;
}

static const char *result_get_last_error(struct ArrowArrayStream *stream) {
  (void)stream;
  return NULL;
}

static void result_release(struct ArrowArrayStream *stream) {
  result_stream *data = stream->private_data;
  release_schema(&data->schema);
  for (size_t index = 0; index < data->count; index++) drop(data->arrays[index]);
  free(data->arrays);
  free(data);
  stream->release = NULL;
}

// The batches of a source, which are formatted when the consumer asks for them.
typedef struct {
  // A stream, or one batch.
  struct ArrowArrayStream source;
  struct ArrowArray batch;
  pricetag_arrow_plan *plan;
  int64_t children[PRICETAG_ARROW_ARGUMENTS];
  shared_pack *pack;
  int failure;
  char message[512];
} lazy_stream;

static int lazy_fail(lazy_stream *data, int code, const char *message, const char *fix) {
  data->failure = code;
  int length = snprintf(data->message, sizeof data->message, "%s%s%s", message, *fix ? "; " : "", fix);
  if (length >= (int)sizeof data->message) {
    // A text that was cut must end with a complete character.
    size_t end = sizeof data->message - 1;
    while (end > 0 && ((unsigned char)data->message[end - 1] & 0xC0) == 0x80) end--;
    if (end > 0 && (unsigned char)data->message[end - 1] >= 0x80) end--;
    data->message[end] = 0;
  }
  return code;
}

static int lazy_get_schema(struct ArrowArrayStream *stream, struct ArrowSchema *schema) {
  lazy_stream *data = stream->private_data;
  return pricetag_arrow_plan_schema(data->plan, schema, NULL) == PRICETAG_OK ? 0 : ENOMEM;
}

static int lazy_get_next(struct ArrowArrayStream *stream, struct ArrowArray *array) {
  lazy_stream *data = stream->private_data;
  struct ArrowArray batch;
  memset(&batch, 0, sizeof batch);
  array->release = NULL;
  if (data->failure) return data->failure;
  if (data->source.release) {
    int code = data->source.get_next(&data->source, &batch);
    if (code) {
      const char *message = data->source.get_last_error ? data->source.get_last_error(&data->source) : NULL;
      return lazy_fail(data, code, message ? message : "the source of the prices failed", "");
    }
  } else {
    batch = data->batch;
    data->batch.release = NULL;
  }
  if (!batch.release) return 0;
  pricetag_arrow_error error;
  int32_t status = pricetag_arrow_format_batch(data->plan, &batch, data->children, array, &error);
  batch.release(&batch);
  if (status == PRICETAG_OK) return 0;
  array->release = NULL;
  return lazy_fail(data, status == PRICETAG_ARROW_OUT_OF_MEMORY ? ENOMEM : EINVAL, error.message, error.fix);
}

static const char *lazy_get_last_error(struct ArrowArrayStream *stream) {
  lazy_stream *data = stream->private_data;
  return data->failure ? data->message : NULL;
}

static void lazy_release(struct ArrowArrayStream *stream) {
  lazy_stream *data = stream->private_data;
  release_stream(&data->source);
  release_array(&data->batch);
  pricetag_arrow_plan_free(data->plan);
  pricetag_drop_pack(data->pack);
  free(data);
  stream->release = NULL;
}

// ---- Columns: an array or a stream of another library, or a result

typedef struct {
  PyObject_HEAD module_state *state;
  struct ArrowSchema schema;
  // Whether the schema is that of a plan, with texts that are constants. Only such columns are exported.
  bool is_result;
  // One of the two.
  shared_array *shared;
  struct ArrowArrayStream stream;
} columns_object;

// Only this file makes objects of its types.
static PyObject *refuse_new(PyTypeObject *type, PyObject *arguments, PyObject *keywords) {
  (void)type, (void)arguments, (void)keywords;
  PyErr_SetString(PyExc_TypeError, "format_arrays and format_column make objects of this type");
  return NULL;
}

// Returns columns that the caller completes and tracks.
static columns_object *new_columns(module_state *state) {
  return (columns_object *)pricetag_new(state, state->columns_type);
}

static void columns_dealloc(PyObject *object) {
  columns_object *self = (columns_object *)object;
  PyObject_GC_UnTrack(object);
  kept_exception kept = keep_exception();
  if (self->shared) drop(self->shared);
  release_stream(&self->stream);
  release_schema(&self->schema);
  restore_exception(kept);
  pricetag_free(object);
}

static bool has_array(columns_object *self) {
  if (self->shared) return true;
  PyErr_SetString(PyExc_TypeError, "the columns are a stream, not an array");
  return false;
}

static bool expect_result(const columns_object *self) {
  if (self->is_result) return true;
  PyErr_SetString(PyExc_TypeError, "the columns are those of another library, not a result");
  return false;
}

static Py_ssize_t columns_length(PyObject *object) {
  columns_object *self = (columns_object *)object;
  if (!has_array(self)) return -1;
  int64_t length = self->shared->array.length;
  return length < 0 || length > PY_SSIZE_T_MAX ? 0 : (Py_ssize_t)length;
}

static PyObject *columns_arrow_c_schema(PyObject *object, PyObject *unused) {
  columns_object *self = (columns_object *)object;
  struct ArrowSchema schema;
  (void)unused;
  if (!expect_result(self)) return NULL;
  if (!export_schema(&self->schema, &schema)) return PyErr_NoMemory();
  return schema_capsule(&schema);
}

// Every export ignores the requested schema, as the interface allows.
static bool read_requested(PyObject *arguments, PyObject *keywords) {
  static char *names[] = {"requested_schema", NULL};
  PyObject *requested = NULL;
  return PyArg_ParseTupleAndKeywords(arguments, keywords, "|O", names, &requested);
}

static PyObject *columns_arrow_c_array(PyObject *object, PyObject *arguments, PyObject *keywords) {
  columns_object *self = (columns_object *)object;
  struct ArrowArray array;
  if (!read_requested(arguments, keywords) || !expect_result(self) || !has_array(self)) return NULL;
  PyObject *schema = columns_arrow_c_schema(object, NULL);
  if (!schema) return NULL;
  if (!export_array(self->shared, &self->shared->array, &array)) {
    Py_DECREF(schema);
    return PyErr_NoMemory();
  }
  PyObject *capsule = array_capsule(&array);
  PyObject *pair = capsule ? PyTuple_Pack(2, schema, capsule) : NULL;
  Py_XDECREF(capsule);
  Py_DECREF(schema);
  return pair;
}

// Returns the stream of results; their schema is that of the first object.
static PyObject *stream_of(PyObject *first, PyObject *results) {
  Py_ssize_t count = PyTuple_Size(results);
  const module_state *state = ((columns_object *)first)->state;
  if (count < 0 || !expect_result((columns_object *)first)) return NULL;
  result_stream *data = calloc(1, sizeof *data);
  if (!data) return PyErr_NoMemory();
  data->arrays = calloc((size_t)count + 1, sizeof *data->arrays);
  if (!data->arrays || !export_schema(&((columns_object *)first)->schema, &data->schema)) {
    free(data->arrays);
    free(data);
    return PyErr_NoMemory();
  }
  struct ArrowArrayStream stream = {.get_schema = result_get_schema,
                                    .get_next = result_get_next,
                                    .get_last_error = result_get_last_error,
                                    .release = result_release,
                                    .private_data = data};
  for (Py_ssize_t index = 0; index < count; index++) {
    PyObject *result = PyTuple_GetItem(results, index);
    if (!result || Py_TYPE(result) != state->columns_type || !expect_result((columns_object *)result) ||
        !has_array((columns_object *)result)) {
      if (!PyErr_Occurred()) PyErr_SetString(PyExc_TypeError, "a chunk is not a result");
      stream.release(&stream);
      return NULL;
    }
    data->arrays[data->count] = ((columns_object *)result)->shared;
    atomic_fetch_add(&data->arrays[data->count++]->users, 1);
  }
  return stream_capsule(&stream);
}

static PyObject *columns_arrow_c_stream(PyObject *object, PyObject *arguments, PyObject *keywords) {
  if (!read_requested(arguments, keywords)) return NULL;
  PyObject *results = PyTuple_Pack(1, object);
  PyObject *capsule = results ? stream_of(object, results) : NULL;
  Py_XDECREF(results);
  return capsule;
}

// Returns the schema of a column, or that of the columns themselves for -1; NULL with an exception.
static const struct ArrowSchema *schema_at(const columns_object *columns, Py_ssize_t index) {
  const struct ArrowSchema *schema = &columns->schema;
  if (index < 0) return schema;
  if (index < schema->n_children && schema->children && schema->children[index]) return schema->children[index];
  PyErr_SetString(PyExc_IndexError, "there is no column of this index");
  return NULL;
}

// Returns the types of the columns as text, to compare them. Columns with the same text have the same type.
static PyObject *columns_signature(PyObject *object, PyObject *argument) {
  columns_object *self = (columns_object *)object;
  Py_ssize_t index = PyLong_AsSsize_t(argument);
  if (index == -1 && PyErr_Occurred()) return NULL;
  const struct ArrowSchema *schema = schema_at(self, index);
  if (!schema) return NULL;
  const char *format = schema->format ? schema->format : "";
  const char *values = schema->dictionary && schema->dictionary->format ? schema->dictionary->format : "";
  return PyBytes_FromFormat("%.100s>%.100s", format, values);
}

// Returns the names of a struct's columns.
static PyObject *columns_names(PyObject *object, PyObject *unused) {
  const struct ArrowSchema *schema = &((columns_object *)object)->schema;
  (void)unused;
  if (!schema->format || strcmp(schema->format, "+s") != 0 || schema->n_children < 0 ||
      (schema->n_children > 0 && !schema->children)) {
    PyErr_SetString(PyExc_TypeError, "the argument is a column, not a table");
    return NULL;
  }
  PyObject *names = PyList_New(0);
  for (int64_t index = 0; names && index < schema->n_children; index++) {
    const struct ArrowSchema *child = schema->children[index];
    const char *text = child && child->name ? child->name : "";
    PyObject *name = PyUnicode_DecodeUTF8(text, (Py_ssize_t)strlen(text), "replace");
    if (!name || PyList_Append(names, name) != 0) Py_CLEAR(names);
    Py_XDECREF(name);
  }
  return names;
}

// Takes an array from a stream.
static PyObject *columns_next(PyObject *object, PyObject *unused) {
  columns_object *self = (columns_object *)object;
  (void)unused;
  if (!self->stream.release) {
    PyErr_SetString(PyExc_TypeError, "the columns are an array, not a stream");
    return NULL;
  }
  columns_object *chunk = new_columns(self->state);
  if (!chunk) return NULL;
  shared_array *shared = calloc(1, sizeof *shared);
  if (!shared) {
    Py_DECREF(chunk);
    return PyErr_NoMemory();
  }
  PyThreadState *thread = PyEval_SaveThread();
  int code = self->stream.get_next(&self->stream, &shared->array);
  PyEval_RestoreThread(thread);
  if (code || !shared->array.release) {
    free(shared);
    Py_DECREF(chunk);
    if (code == 0) Py_RETURN_NONE;
    const char *message = self->stream.get_last_error ? self->stream.get_last_error(&self->stream) : NULL;
    PyErr_Format(PyExc_OSError, "the stream of a column failed: %s", message ? message : strerror(code));
    return NULL;
  }
  atomic_init(&shared->users, 1);
  chunk->shared = shared;
  PyObject_GC_Track(chunk);
  return (PyObject *)chunk;
}

static PyMethodDef columns_methods[] = {
    {"__arrow_c_schema__", columns_arrow_c_schema, METH_NOARGS, "Returns the schema as a capsule."},
    {"__arrow_c_array__", (PyCFunction)(void (*)(void))columns_arrow_c_array, METH_VARARGS | METH_KEYWORDS,
     "Returns the schema and the array as capsules. The requested schema is ignored."},
    {"__arrow_c_stream__", (PyCFunction)(void (*)(void))columns_arrow_c_stream, METH_VARARGS | METH_KEYWORDS,
     "Returns a stream of one array as a capsule. The requested schema is ignored."},
    {NULL, NULL, 0, NULL}};

static PyType_Slot columns_slots[] = {
    {Py_tp_doc, "A result: a struct array that libraries with the Arrow PyCapsule interface take without copying."},
    {Py_tp_new, refuse_new},
    {Py_tp_dealloc, columns_dealloc},
    {Py_tp_traverse, pricetag_traverse},
    {Py_tp_methods, columns_methods},
    {Py_sq_length, columns_length},
    {0, NULL}};

static PyType_Spec columns_spec = {"pricetag_formatter._native.ColumnArray", sizeof(columns_object), 0,
                                   Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC, columns_slots};

// Reads the array of an object's __arrow_c_array__.
static PyObject *read_array(PyObject *module, PyObject *object) {
  module_state *state = PyModule_GetState(module);
  PyObject *pair = PyObject_CallMethod(object, "__arrow_c_array__", NULL);
  if (!pair) return NULL;
  columns_object *columns = NULL;
  shared_array *shared = calloc(1, sizeof *shared);
  if (!PyTuple_Check(pair) || PyTuple_Size(pair) != 2) {
    PyErr_SetString(PyExc_TypeError, "__arrow_c_array__ must return two capsules");
  } else if (!shared) {
    PyErr_NoMemory();
  } else if ((columns = new_columns(state))) {
    if (move_schema(state, PyTuple_GetItem(pair, 0), &columns->schema) &&
        move_array(state, PyTuple_GetItem(pair, 1), &shared->array)) {
      atomic_init(&shared->users, 1);
      columns->shared = shared;
      shared = NULL;
      PyObject_GC_Track(columns);
    } else {
      Py_CLEAR(columns);
    }
  }
  free(shared);
  Py_DECREF(pair);
  return (PyObject *)columns;
}

// Reads the stream of an object's __arrow_c_stream__, and its schema.
static PyObject *read_stream(PyObject *module, PyObject *object) {
  module_state *state = PyModule_GetState(module);
  PyObject *capsule = PyObject_CallMethod(object, "__arrow_c_stream__", NULL);
  if (!capsule) return NULL;
  columns_object *columns = new_columns(state);
  if (columns && !move_stream(state, capsule, &columns->stream)) Py_CLEAR(columns);
  Py_DECREF(capsule);
  if (!columns) return NULL;
  PyThreadState *thread = PyEval_SaveThread();
  int code = columns->stream.get_schema(&columns->stream, &columns->schema);
  PyEval_RestoreThread(thread);
  if (code) {
    const char *message = columns->stream.get_last_error ? columns->stream.get_last_error(&columns->stream) : NULL;
    PyErr_Format(PyExc_OSError, "the schema of a stream failed: %s", message ? message : strerror(code));
    memset(&columns->schema, 0, sizeof columns->schema);
    Py_DECREF(columns);
    return NULL;
  }
  PyObject_GC_Track(columns);
  return (PyObject *)columns;
}

// ---- Plans

typedef struct {
  PyObject_HEAD module_state *state;
  pricetag_arrow_plan *plan;
  shared_pack *pack;
  bool is_busy;
} plan_object;

static void plan_dealloc(PyObject *object) {
  plan_object *self = (plan_object *)object;
  PyObject_GC_UnTrack(object);
  pricetag_arrow_plan_free(self->plan);
  pricetag_drop_pack(self->pack);
  pricetag_free(object);
}

// Reads an argument: None, a text, or columns with the index of a child; -1 for the columns themselves. `bytes` is what
// the caller releases after it has used the argument.
static bool read_argument(const module_state *state, PyObject *given, pricetag_arrow_argument *argument,
                          PyObject **bytes) {
  if (given == Py_None) return true;
  if (PyUnicode_Check(given)) {
    char *text;
    Py_ssize_t length;
    // Unpaired surrogates are in no name, so that the text is unknown or malformed like any other.
    *bytes = PyUnicode_AsEncodedString(given, "utf-8", "surrogatepass");
    if (!*bytes || PyBytes_AsStringAndSize(*bytes, &text, &length) != 0) return false;
    argument->text = text;
    argument->length = (size_t)length;
    return true;
  }
  PyObject *columns;
  Py_ssize_t index;
  if (!PyTuple_Check(given) || !PyArg_ParseTuple(given, "O!n", state->columns_type, &columns, &index)) {
    if (!PyErr_Occurred()) PyErr_SetString(PyExc_TypeError, "an argument is neither text nor a column");
    return false;
  }
  argument->schema = schema_at((columns_object *)columns, index);
  return argument->schema != NULL;
}

// plan(pack, arguments, unit, rounding, date, text, outputs, style, reading = 0)
static PyObject *make_plan(PyObject *module, PyObject *values) {
  PyObject *pack_object, *arguments, *rounding, *date, *outputs, *style_options;
  int unit, text, reading = 0;
  module_state *state = PyModule_GetState(module);
  if (!PyArg_ParseTuple(values, "OO!iOOiO!O|i", &pack_object, &PyTuple_Type, &arguments, &unit, &rounding, &date, &text,
                        &PyBytes_Type, &outputs, &style_options, &reading)) {
    return NULL;
  }
  shared_pack *pack = pricetag_pack_of(state, pack_object);
  if (!pack) return NULL;
  pricetag_style style;
  memset(&style, 0, sizeof style);
  pricetag_arrow_options options = {.unit = unit, .text = text, .style = &style, .reading = reading};
  char *bytes;
  Py_ssize_t count;
  if (pricetag_read_rounding(state, rounding, &options.rounding) != 0 ||
      pricetag_read_date(state, date, &options.date) != 0 || pricetag_read_style(state, style_options, &style) != 0 ||
      PyBytes_AsStringAndSize(outputs, &bytes, &count) != 0) {
    return NULL;
  }
  if (count > (Py_ssize_t)sizeof options.outputs || PyTuple_Size(arguments) != PRICETAG_ARROW_ARGUMENTS) {
    PyErr_SetString(PyExc_ValueError, "there are too many outputs, or another number of arguments");
    return NULL;
  }
  memcpy(options.outputs, bytes, (size_t)count);
  pricetag_arrow_argument given[PRICETAG_ARROW_ARGUMENTS];
  memset(given, 0, sizeof given);
  PyObject *kept[PRICETAG_ARROW_ARGUMENTS] = {NULL};
  pricetag_arrow_plan *plan = NULL;
  bool is_read = true;
  for (int index = 0; index < PRICETAG_ARROW_ARGUMENTS && is_read; index++) {
    is_read = read_argument(state, PyTuple_GetItem(arguments, index), &given[index], &kept[index]);
  }
  pricetag_arrow_error error;
  if (is_read && pricetag_arrow_plan_create(pack->pack, given, &options, &plan, &error) != PRICETAG_OK) {
    raise(state, &error);
  }
  for (int index = 0; index < PRICETAG_ARROW_ARGUMENTS; index++) Py_XDECREF(kept[index]);
  if (!plan) return NULL;
  plan_object *self = (plan_object *)pricetag_new(state, state->plan_type);
  if (!self) {
    pricetag_arrow_plan_free(plan);
    return NULL;
  }
  self->plan = plan;
  atomic_fetch_add(&pack->users, 1);
  self->pack = pack;
  PyObject_GC_Track(self);
  return (PyObject *)self;
}

// Returns columns with the schema of the plan's results and no array, which the caller tracks.
static columns_object *new_result(plan_object *self) {
  columns_object *columns = new_columns(self->state);
  if (!columns) return NULL;
  pricetag_arrow_error error;
  if (pricetag_arrow_plan_schema(self->plan, &columns->schema, &error) != PRICETAG_OK) {
    Py_DECREF(columns);
    raise(self->state, &error);
    return NULL;
  }
  columns->is_result = true;
  return columns;
}

// Returns an array without rows and columns whose schema is that of the plan's results.
static PyObject *plan_schema(PyObject *object, PyObject *unused) {
  (void)unused;
  columns_object *columns = new_result((plan_object *)object);
  if (columns) PyObject_GC_Track(columns);
  return (PyObject *)columns;
}

// format(columns, starts, count): the columns and their first rows by argument; None for those that are not columns.
static PyObject *plan_format(PyObject *object, PyObject *values) {
  plan_object *self = (plan_object *)object;
  PyObject *given, *starts;
  Py_ssize_t count;
  if (!PyArg_ParseTuple(values, "O!O!n", &PyTuple_Type, &given, &PyTuple_Type, &starts, &count)) return NULL;
  if (PyTuple_Size(given) != PRICETAG_ARROW_ARGUMENTS || PyTuple_Size(starts) != PRICETAG_ARROW_ARGUMENTS) {
    PyErr_SetString(PyExc_ValueError, "there is another number of arguments");
    return NULL;
  }
  pricetag_arrow_column columns[PRICETAG_ARROW_ARGUMENTS];
  memset(columns, 0, sizeof columns);
  shared_array *read[PRICETAG_ARROW_ARGUMENTS] = {NULL};
  for (int index = 0; index < PRICETAG_ARROW_ARGUMENTS; index++) {
    PyObject *column = PyTuple_GetItem(given, index);
    if (column == Py_None) continue;
    if (Py_TYPE(column) != self->state->columns_type || !has_array((columns_object *)column)) {
      if (!PyErr_Occurred()) PyErr_SetString(PyExc_TypeError, "an argument is not a column");
      return NULL;
    }
    read[index] = ((columns_object *)column)->shared;
    columns[index].array = &read[index]->array;
    columns[index].start = PyLong_AsLongLong(PyTuple_GetItem(starts, index));
    if (PyErr_Occurred()) return NULL;
  }
  if (self->is_busy) {
    PyErr_SetString(PyExc_RuntimeError, "another thread uses the plan");
    return NULL;
  }
  columns_object *result = new_result(self);
  if (!result) return NULL;
  shared_array *shared = calloc(1, sizeof *shared);
  if (!shared) {
    Py_DECREF(result);
    return PyErr_NoMemory();
  }
  pricetag_arrow_error error;
  self->is_busy = true;
  // An array with another user cannot move while it is read.
  for (int index = 0; index < PRICETAG_ARROW_ARGUMENTS; index++) {
    if (read[index]) atomic_fetch_add(&read[index]->users, 1);
  }
  PyThreadState *thread = PyEval_SaveThread();
  int32_t status = pricetag_arrow_format(self->plan, columns, count, &shared->array, &error);
  PyEval_RestoreThread(thread);
  for (int index = 0; index < PRICETAG_ARROW_ARGUMENTS; index++) {
    if (read[index]) drop(read[index]);
  }
  self->is_busy = false;
  if (status != PRICETAG_OK) {
    free(shared);
    Py_DECREF(result);
    return raise(self->state, &error);
  }
  atomic_init(&shared->users, 1);
  result->shared = shared;
  PyObject_GC_Track(result);
  return (PyObject *)result;
}

// stream(source, children): a capsule of the stream that formats the batches of the source. The plan and the source
// move into it.
static PyObject *plan_stream(PyObject *object, PyObject *values) {
  plan_object *self = (plan_object *)object;
  PyObject *given, *children;
  if (!PyArg_ParseTuple(values, "O!O!", self->state->columns_type, &given, &PyTuple_Type, &children)) return NULL;
  columns_object *source = (columns_object *)given;
  // An array with other users, such as an exported result, cannot move.
  bool is_moveable = source->shared ? atomic_load(&source->shared->users) == 1 : source->stream.release != NULL;
  if (!self->plan || self->is_busy || !is_moveable || PyTuple_Size(children) != PRICETAG_ARROW_ARGUMENTS) {
    PyErr_SetString(PyExc_ValueError, "the plan or the source was used before");
    return NULL;
  }
  lazy_stream *data = calloc(1, sizeof *data);
  if (!data) return PyErr_NoMemory();
  for (int index = 0; index < PRICETAG_ARROW_ARGUMENTS; index++) {
    data->children[index] = PyLong_AsLongLong(PyTuple_GetItem(children, index));
    if (PyErr_Occurred()) {
      free(data);
      return NULL;
    }
  }
  if (source->shared) {
    data->batch = source->shared->array;
    source->shared->array.release = NULL;
    drop(source->shared);
    source->shared = NULL;
  } else {
    data->source = source->stream;
    source->stream.release = NULL;
  }
  data->plan = self->plan;
  self->plan = NULL;
  data->pack = self->pack;
  self->pack = NULL;
  struct ArrowArrayStream stream = {.get_schema = lazy_get_schema,
                                    .get_next = lazy_get_next,
                                    .get_last_error = lazy_get_last_error,
                                    .release = lazy_release,
                                    .private_data = data};
  return stream_capsule(&stream);
}

static PyMethodDef plan_methods[] = {{"schema", plan_schema, METH_NOARGS, NULL},
                                     {"format", plan_format, METH_VARARGS, NULL},
                                     {"stream", plan_stream, METH_VARARGS, NULL},
                                     {NULL, NULL, 0, NULL}};

static PyType_Slot plan_slots[] = {{Py_tp_doc, "The types and options of a call, with the formatters so far."},
                                   {Py_tp_new, refuse_new},
                                   {Py_tp_dealloc, plan_dealloc},
                                   {Py_tp_traverse, pricetag_traverse},
                                   {Py_tp_methods, plan_methods},
                                   {0, NULL}};

static PyType_Spec plan_spec = {"pricetag_formatter._native.ColumnPlan", sizeof(plan_object), 0,
                                Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC, plan_slots};

// ---- Functions of the module

// result_stream(schema, results): a capsule of the stream of all results, which have the schema of the first argument.
static PyObject *make_result_stream(PyObject *module, PyObject *values) {
  PyObject *schema, *results;
  module_state *state = PyModule_GetState(module);
  if (!PyArg_ParseTuple(values, "O!O!", state->columns_type, &schema, &PyTuple_Type, &results)) return NULL;
  return stream_of(schema, results);
}

static PyObject *read_signature(PyObject *module, PyObject *values) {
  PyObject *columns, *index;
  module_state *state = PyModule_GetState(module);
  if (!PyArg_ParseTuple(values, "O!O", state->columns_type, &columns, &index)) return NULL;
  return columns_signature(columns, index);
}

static PyObject *read_names(PyObject *module, PyObject *columns) {
  module_state *state = PyModule_GetState(module);
  if (Py_TYPE(columns) != state->columns_type) {
    PyErr_SetString(PyExc_TypeError, "the argument has no columns");
    return NULL;
  }
  return columns_names(columns, NULL);
}

static PyObject *read_next(PyObject *module, PyObject *columns) {
  module_state *state = PyModule_GetState(module);
  if (Py_TYPE(columns) != state->columns_type) {
    PyErr_SetString(PyExc_TypeError, "the argument is not a stream");
    return NULL;
  }
  return columns_next(columns, NULL);
}

static PyObject *raise_error(PyObject *module, PyObject *values) {
  const char *code, *message, *fix;
  module_state *state = PyModule_GetState(module);
  if (!PyArg_ParseTuple(values, "sss", &code, &message, &fix)) return NULL;
  return pricetag_raise(state, code, message, fix);
}

static PyMethodDef functions[] = {{"column_error", raise_error, METH_VARARGS, NULL},
                                  {"column_array", read_array, METH_O, NULL},
                                  {"column_stream", read_stream, METH_O, NULL},
                                  {"column_plan", make_plan, METH_VARARGS, NULL},
                                  {"column_results", make_result_stream, METH_VARARGS, NULL},
                                  {"column_signature", read_signature, METH_VARARGS, NULL},
                                  {"column_names", read_names, METH_O, NULL},
                                  {"column_next", read_next, METH_O, NULL},
                                  {NULL, NULL, 0, NULL}};

int pricetag_add_columns(module_state *state) {
  state->columns_type = pricetag_add_type(state, &columns_spec, "ColumnArray");
  state->plan_type = pricetag_add_type(state, &plan_spec, NULL);
  if (!state->columns_type || !state->plan_type) return -1;
  return PyModule_AddFunctions(state->module, functions);
}
