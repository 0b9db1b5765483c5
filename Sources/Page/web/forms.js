// Questions of agents with a schema (elicitations): the fields of a form, and its checked answer.

/**
 * @typedef {object} Field
 * @property {string} name
 * @property {string} label
 * @property {string} description
 * @property {boolean} isRequired
 * @property {'text' | 'lines' | 'email' | 'url' | 'date' | 'datetime-local' | 'number' | 'yes' | 'one' | 'many'} input
 * @property {{ value: string, label: string }[]} choices
 * @property {any} initial
 * @property {any} schema
 */

/** The most fields and choices that are drawn. */
const FIELD_LIMIT = 100;

/** @param {any} schema The `requestedSchema` of the question. @returns {Field[]} */
export function formFields(schema) {
  const required = new Set(Array.isArray(schema?.required) ? schema.required : []);
  return Object.entries(schema?.properties ?? {}).slice(0, FIELD_LIMIT).map(([name, property]) => ({
    name,
    label: String(property?.title ?? name),
    description: String(property?.description ?? ''),
    isRequired: required.has(name),
    input: inputOf(property ?? {}),
    choices: choicesOf(property ?? {}),
    initial: property?.default,
    schema: property ?? {},
  }));
}

/** @param {any} property @returns {Field['input']} */
function inputOf(property) {
  if (property.type === 'boolean') return 'yes';
  if (property.type === 'array') return 'many';
  if (property.type === 'number' || property.type === 'integer') return 'number';
  if (choicesOf(property).length > 0) return 'one';
  /** @type {Record<string, Field['input']>} */
  const formats = { email: 'email', uri: 'url', date: 'date', 'date-time': 'datetime-local' };
  return formats[property.format] ?? (property.maxLength > 200 ? 'lines' : 'text');
}

/** @param {any} property */
function choicesOf(property) {
  const source = property.type === 'array' ? property.items ?? {} : property;
  const titled = source.oneOf ?? source.anyOf;
  if (Array.isArray(titled)) {
    return titled.slice(0, FIELD_LIMIT).map((/** @type {any} */ choice) => (
      { value: String(choice?.const), label: String(choice?.title ?? choice?.const) }));
  }
  const names = Array.isArray(source.enumNames) ? source.enumNames : [];
  if (!Array.isArray(source.enum)) return [];
  return source.enum.slice(0, FIELD_LIMIT).map((/** @type {any} */ value, /** @type {number} */ index) => (
    { value: String(value), label: String(names[index] ?? value) }));
}

/**
 * Checks the answer to a form.
 * @param {Field[]} fields
 * @param {Record<string, any>} raw Strings as typed, booleans, and arrays of strings.
 * @returns {{ content: Record<string, any>, errors: Record<string, string> }}
 */
export function formAnswer(fields, raw) {
  /** @type {Record<string, any>} */ const content = {};
  /** @type {Record<string, string>} */ const errors = {};
  for (const field of fields) {
    const value = raw[field.name];
    const isEmpty = value === undefined || value === '' || (Array.isArray(value) && value.length === 0);
    if (isEmpty && field.input !== 'yes') {
      if (field.isRequired) errors[field.name] = 'This is required.';
      continue;
    }
    const checked = checkedValue(field, value);
    if (checked.error) errors[field.name] = checked.error;
    else content[field.name] = checked.value;
  }
  return { content, errors };
}

/** @param {Field} field @param {any} value @returns {{ value?: any, error?: string }} */
function checkedValue({ input, schema, choices }, value) {
  if (input === 'yes') return { value: Boolean(value) };
  if (input === 'many') return checkedCount(schema, value);
  if (input === 'number') return checkedNumber(schema, value);
  const text = String(value);
  if (input === 'one') return choices.some((choice) => choice.value === text) ? { value: text } : { error: 'Choose one.' };
  const length = [...text].length;
  if (length < (schema.minLength ?? 0)) return { error: `Enter at least ${schema.minLength} characters.` };
  if (length > (schema.maxLength ?? Infinity)) return { error: `Enter at most ${schema.maxLength} characters.` };
  if (input === 'email' && !/^[^@\s]+@[^@\s]+$/.test(text)) return { error: 'Enter an email address.' };
  if (input === 'url' && !/^[a-z][a-z0-9+.-]*:\S+$/i.test(text)) return { error: 'Enter a URL.' };
  if (input === 'datetime-local') return { value: new Date(text).toISOString() };
  return { value: text };
}

/** @param {any} schema @param {any[]} value */
function checkedCount(schema, value) {
  if (value.length < (schema.minItems ?? 0)) return { error: `Choose at least ${schema.minItems}.` };
  if (value.length > (schema.maxItems ?? Infinity)) return { error: `Choose at most ${schema.maxItems}.` };
  return { value };
}

/** @param {any} schema @param {any} value */
function checkedNumber(schema, value) {
  const number = Number(value);
  if (!Number.isFinite(number)) return { error: 'Enter a number.' };
  if (schema.type === 'integer' && !Number.isInteger(number)) return { error: 'Enter a whole number.' };
  if (number < (schema.minimum ?? -Infinity)) return { error: `Enter at least ${schema.minimum}.` };
  if (number > (schema.maximum ?? Infinity)) return { error: `Enter at most ${schema.maximum}.` };
  return { value: number };
}
