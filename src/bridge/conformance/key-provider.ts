import { deepEqual, equal, notEqual, ok } from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Mode } from '../../contract/index.js';
import type { KeyProvider } from '../ports/key-provider.js';

const modes = ['live', 'test'] as const satisfies readonly Mode[];

/** The fixtures for the tests of a key provider. */
export interface KeyProviderUnderTest {
  provider: KeyProvider;
  /** The same provider in another instance of the bridge. */
  other: KeyProvider;
  stop(): Promise<void>;
}

/**
 * Defines the tests of the contract of {@link KeyProvider}. `setup` runs once, before the first.
 */
export function testKeyProvider(name: string, setup: () => Promise<KeyProviderUnderTest>): void {
  describe(`the key provider ${name}`, () => {
    let under: KeyProviderUnderTest;
    before(async () => {
      under = await setup();
    });
    after(() => under.stop());

    const load = async (provider: KeyProvider, mode: Mode) =>
      (await provider.loadKeys(mode)).map((key) => key.toString('hex'));

    it(`${name}: There is at least one key, each has 32 bytes, and none is repeated.`, async () => {
      for (const mode of modes) {
        const keys = await under.provider.loadKeys(mode);
        ok(keys.every((key) => Buffer.isBuffer(key) && key.length === 32));
        equal(new Set(keys.map((key) => key.toString('hex'))).size, keys.length);
      }
    });

    it(`${name}: Every call on every instance returns the same keys, also when all start at once.`, async () => {
      for (const mode of modes) {
        const instances = [under.provider, under.other, under.provider];
        const [first = [], ...others] = await Promise.all(instances.map((provider) => load(provider, mode)));
        ok(first.length > 0);
        for (const keys of others) deepEqual(keys, first);
        deepEqual(await load(under.other, mode), first);
      }
    });

    it(`${name}: Its source describes the origin of the keys and contains no key.`, async () => {
      notEqual(under.provider.source, '');
      const keys = await Promise.all(modes.map((mode) => under.provider.loadKeys(mode)));
      for (const key of keys.flat()) {
        for (const text of [key.toString('hex'), key.toString('base64')]) ok(!under.provider.source.includes(text));
      }
    });
  });
}
