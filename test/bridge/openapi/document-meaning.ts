import { isObject, meaningOf, resolve, type Json } from './schema-meaning.js';

/** What a document promises: one entry for each thing that can differ, by the path at which a reader finds it. */
export type Promises = Map<string, Json>;

/** Everything that a document promises about its operations and webhooks, field by field. */
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
    // Absent, a query is in `form` and exploded, which is how it is also written out.
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
  addFields(promises, where, meaningOf(schema ?? {}, root));
}

/** Field by field, so that a difference names the field and not the whole schema. */
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

/** Tells alternatives apart: by the values that one names, or by its type. */
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
