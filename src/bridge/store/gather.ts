import { setImmediate } from 'node:timers/promises';
import type { Database } from './tables/typed-database.js';

/** Finds what belongs to a key; `undefined` when nothing does. */
export type FindOne<Key, Found> = (db: Database, key: Key) => Promise<Found | undefined>;

interface Question<Key, Found> {
  keys: Map<string, Key>;
  answer: Promise<Map<string, Found>>;
}

/**
 * Makes one query of all that is asked in one turn of the event loop: under load requests arrive together, and a round trip
 * costs more than the row that it brings. Nobody joins a query that has been sent, which might not know of a change that was
 * committed before the question.
 *
 * @param nameOf The same for two keys that are the same.
 * @param find What was found, by those names.
 */
export function gather<Key, Found>(
  nameOf: (key: Key) => string,
  find: (db: Database, keys: Key[]) => Promise<Map<string, Found>>,
): FindOne<Key, Found> {
  const open = new WeakMap<Database, Question<Key, Found>>();

  function ask(db: Database): Question<Key, Found> {
    const keys = new Map<string, Key>();
    const answer = setImmediate().then(() => {
      open.delete(db);
      return find(db, [...keys.values()]);
    });
    const question = { keys, answer };
    open.set(db, question);
    return question;
  }

  return async function findOne(db, key) {
    const { keys, answer } = open.get(db) ?? ask(db);
    const name = nameOf(key);
    keys.set(name, key);
    return (await answer).get(name);
  };
}
