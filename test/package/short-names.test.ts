import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Plugin } from 'vite';
import { foldFunctions } from '../config/fold-functions.js';
import { shortNames } from '../config/short-names.js';
import { diagnosisFields, eventFields, snapshotFields, stateFields } from './published-fields.js';

/** A plugin as the bundler calls it, with all that it uses of the bundler. */
interface Folding {
  buildStart(): void;
  renderChunk(code: string, chunk: { fileName: string }): Promise<{ code: string }>;
}

describe('the names that the CDN build shortens', () => {
  const names = shortNames();

  it('are those that nobody else says', () => {
    for (const own of ['takesFocus', 'renderCard', '_$litType$']) assert.ok(names.has(own), own);
    const published = [...Object.values(eventFields), diagnosisFields, snapshotFields, stateFields].flatMap(
      Object.keys,
    );
    // The service, the hosted page, the return page, browsers, Lit, and other copies of this package.
    const foreign = [
      'translations',
      'speakers',
      'actionUrl',
      'expiresAt',
      'savedAt',
      'returnState',
      'submittedAt',
      'trustedTypes',
      'onLine',
    ];
    const ours = ['show', 'resume', 'navigateBack', 'sessionProvider', 'registerLocale', 'updateComplete', 'elsewhere'];
    for (const name of [...published, ...foreign, ...ours]) assert.ok(!names.has(name), name);
  });

  it('are all different, and none is the name of something else', () => {
    const short = [...names.values()];
    assert.equal(new Set(short).size, short.length);
    for (const name of short) assert.ok(!names.has(name) || names.get(name) === name, name);
  });

  it('stop the build when a part says one of them as a text', async () => {
    const folding = foldFunctions() as Plugin & Folding;
    folding.buildStart();
    const { code } = await folding.renderChunk('export const a = (b) => b.takesFocus;', { fileName: 'a.js' });
    assert.ok(code.includes(`.${names.get('takesFocus') ?? ''}`), code);
    await assert.rejects(
      folding.renderChunk('export const a = (b) => [b.takesFocus, b.find("takesFocus")];', { fileName: 'a.js' }),
      /a\.js says "takesFocus" as a text/,
    );
  });
});
