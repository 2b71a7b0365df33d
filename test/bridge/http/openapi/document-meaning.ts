/** A part of an OpenAPI document. */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };
type JsonObject = { [key: string]: Json };

/** The promises of a document: one entry per comparable value, by its path. */
export type Promises = Map<string, Json>;

/** All promises of a document about its operations and webhooks, field by field. */
export function promisesOf(document: Json): Promises {
  const promises: Promises = new Map();
  for (const [group, items] of [
    ['', child(document, 'paths')],
    ['webhook ', child(document, 'webhooks')],
  ] as const) {
    for (const [path, item] of entries(items)) {
      for (const [method, operation] of entries(item)) {
        addOperation(promises, `${group}${method.toUpperCase()} ${path}`, operation, document);
      }
    }
  }
  return promises;
}

function addOperation(promises: Promises, name: string, operation: Json, root: Json): void {
  promises.set(`${name} security`, child(operation, 'security') ?? child(root, 'security') ?? null);
  const parameters = child(operation, 'parameters');
  for (const reference of Array.isArray(parameters) ? parameters : []) {
    const parameter = resolve(reference, root);
    const where = `${name} ${text(parameter, 'in')} ${text(parameter, 'name')}`;
    promises.set(`${where} required`, child(parameter, 'required') ?? false);
    // By default a query is in `form` and exploded.
    promises.set(`${where} style`, [child(parameter, 'style') ?? 'form', child(parameter, 'explode') ?? true]);
    addSchema(promises, where, child(parameter, 'schema'), root);
  }
  const body = resolve(child(operation, 'requestBody') ?? null, root);
  if (isObject(body)) {
    promises.set(`${name} body required`, body['required'] ?? false);
    addContent(promises, `${name} body`, body, root);
  }
  for (const [status, reference] of entries(child(operation, 'responses'))) {
    const response = resolve(reference, root);
    promises.set(`${name} ${status}`, true);
    for (const [header, value] of entries(child(response, 'headers'))) {
      const described = resolve(value, root);
      promises.set(`${name} ${status} header ${header} required`, child(described, 'required') ?? false);
      addSchema(promises, `${name} ${status} header ${header}`, child(described, 'schema'), root);
    }
    addContent(promises, `${name} ${status}`, response, root);
  }
}

function addContent(promises: Promises, where: string, holder: Json, root: Json): void {
  for (const [type, media] of entries(child(holder, 'content'))) {
    promises.set(`${where} ${type}`, true);
    addSchema(promises, where, child(media, 'schema'), root);
  }
}

function addSchema(promises: Promises, where: string, schema: Json | undefined, root: Json): void {
  addFields(promises, where, canonical(schema ?? {}, root));
}

/** Field by field, so that a difference names the field instead of the whole schema. */
function addFields(promises: Promises, where: string, schema: Json): void {
  if (!isObject(schema)) return;
  const { properties, items, anyOf, ...own } = schema;
  for (const [keyword, value] of entries(own)) promises.set(`${where} #${keyword}`, value);
  for (const [name, field] of entries(properties)) addFields(promises, `${where} .${name}`, field);
  if (items !== undefined) addFields(promises, `${where} []`, items);
  if (!Array.isArray(anyOf)) return;
  promises.set(`${where} alternatives`, anyOf.length);
  for (const alternative of anyOf) addFields(promises, `${where} |${labelOf(alternative)}`, alternative);
}

/** Distinguishes alternatives by a value that only one names, or by type. */
function labelOf(alternative: Json): string {
  const kind = child(child(child(alternative, 'properties') ?? null, 'onboardType') ?? null, 'enum');
  return JSON.stringify(kind ?? child(alternative, 'enum') ?? child(alternative, 'type'));
}

function child(part: Json | undefined, key: string): Json | undefined {
  return isObject(part) ? part[key] : undefined;
}

function entries(part: Json | undefined): [string, Json][] {
  return isObject(part) ? Object.entries(part) : [];
}

function text(part: Json, key: string): string {
  const value = child(part, key);
  return typeof value === 'string' ? value : '';
}

/*
 * Normalizes a JSON Schema. Two schemas that accept the same values become equal; each rule below
 * says why the change keeps the meaning.
 */

/** The referenced part of a document, with the keywords beside the reference. */
function resolve(part: Json, root: Json): Json {
  if (!isObject(part) || typeof part['$ref'] !== 'string') return part;
  const path = part['$ref'].slice('#/'.length).split('/');
  const found = path.reduce<Json>((outer, key) => (isObject(outer) ? (outer[key] ?? null) : null), root);
  const { $ref: _followed, ...beside } = part;
  return { ...(resolve(found, root) as JsonObject), ...beside };
}

/** Whether a part is an object. */
function isObject(part: Json | undefined): part is JsonObject {
  return typeof part === 'object' && part !== null && !Array.isArray(part);
}

/** The normalized schema of a document. References are resolved in `root`. */
function canonical(given: Json, root: Json): Json {
  const schema = resolve(given, root);
  if (!isObject(schema)) return schema;
  const { allOf, ...own } = schema;
  if (Array.isArray(allOf)) return canonical(allOf.map((part) => resolve(part, root)).reduce(both, own), root);
  const found: JsonObject = {};
  for (const [keyword, value] of Object.entries(schema)) {
    if (!annotations.has(keyword)) found[keyword] = value;
  }
  return spell(found, root);
}

/** These keywords inform people and generators, and refuse no value. `title` never appears. */
const annotations: ReadonlySet<string> = new Set(['description', 'example', 'examples', 'discriminator']);

/** `allOf`: a value must match both. Handles only the combinations of our documents. */
function both(left: Json, right: Json): Json {
  if (!isObject(left) || !isObject(right)) throw new Error('Only objects are combined.');
  const merged: JsonObject = { ...left };
  for (const [keyword, value] of Object.entries(right)) {
    const before = merged[keyword];
    if (before === undefined) merged[keyword] = value;
    else if (keyword === 'properties') merged[keyword] = mergeProperties(before as JsonObject, value as JsonObject);
    else if (keyword === 'required') merged[keyword] = [...(before as Json[]), ...(value as Json[])];
    else if (keyword === 'minimum') merged[keyword] = Math.max(before as number, value as number);
    else if (keyword === 'maximum') merged[keyword] = Math.min(before as number, value as number);
    else if (!annotations.has(keyword) && before !== value) throw new Error(`Two values of ${keyword}.`);
  }
  return merged;
}

function mergeProperties(left: JsonObject, right: JsonObject): JsonObject {
  const names = new Set([...Object.keys(left), ...Object.keys(right)]);
  return Object.fromEntries([...names].map((name) => [name, both(left[name] ?? {}, right[name] ?? {})]));
}

function spell(schema: JsonObject, root: Json): Json {
  const { const: only, anyOf, oneOf, type, ...rest } = schema;
  // `const` is an `enum` of one.
  if (only !== undefined) return spell({ ...rest, ...(type === undefined ? {} : { type }), enum: [only] }, root);
  // Several types in one schema are alternatives, and each keyword applies to its type.
  if (Array.isArray(type)) {
    return spell({ anyOf: type.map((one) => ({ type: one, ...keywordsFor(one as string, rest) })) }, root);
  }
  // Our alternatives exclude each other, so `oneOf` and `anyOf` accept the same values.
  const alternatives = anyOf ?? oneOf;
  if (Array.isArray(alternatives)) return spellAlternatives(alternatives, rest, root);
  const values = rest['enum'];
  if (Array.isArray(values)) {
    // Null among the values of an `enum` is a separate alternative.
    const texts = values.filter((value) => value !== null).sort(byText);
    if (texts.length < values.length) return spell({ anyOf: [{ ...rest, enum: texts }, { type: 'null' }] }, root);
    // The values of an `enum` determine their type.
    return sorted({ ...rest, enum: texts });
  }
  const spelled: JsonObject = { ...(type === undefined ? {} : { type }), ...rest };
  if (isObject(spelled['properties'])) {
    const fields = Object.entries(spelled['properties']).map(
      ([name, field]) => [name, canonical(field, root)] as const,
    );
    spelled['properties'] = Object.fromEntries(fields.sort(([left], [right]) => byText(left, right)));
  }
  if (spelled['items'] !== undefined) spelled['items'] = canonical(spelled['items'], root);
  if (Array.isArray(spelled['required'])) spelled['required'] = [...new Set(spelled['required'])].sort(byText);
  // `int64` informs generators; its range exceeds what the schema allows.
  if (spelled['format'] === 'int64') delete spelled['format'];
  // `format: date` already means this.
  if (spelled['format'] === 'date' && spelled['pattern'] === '^[0-9]{4}-[0-9]{2}-[0-9]{2}$') delete spelled['pattern'];
  return sorted(spelled);
}

function spellAlternatives(alternatives: Json[], rest: JsonObject, root: Json): Json {
  // Beside alternatives, our documents have at most `type: object`, which all of them repeat.
  const { type: _repeated, ...others } = rest;
  const flat = alternatives.flatMap((alternative): Json[] => {
    const spelled = canonical(alternative, root);
    return isObject(spelled) && Array.isArray(spelled['anyOf']) ? spelled['anyOf'] : [spelled];
  });
  return sorted({ ...others, anyOf: flat.sort(byText) });
}

function keywordsFor(type: string, keywords: JsonObject): JsonObject {
  if (type !== 'null') {
    const { enum: values, ...others } = keywords;
    return Array.isArray(values) ? { ...others, enum: values.filter((value) => value !== null) } : keywords;
  }
  return {};
}

function sorted(object: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).sort(([left], [right]) => byText(left, right)));
}

function byText(left: Json, right: Json): number {
  const [first, second] = [JSON.stringify(left), JSON.stringify(right)];
  return first < second ? -1 : first > second ? 1 : 0;
}
