import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { inspect } from 'node:util';
import {
  confirmWithBridge,
  createLicensingHandler,
  memoryStore,
  type LicensingHandlerOptions,
} from '../../../src/server/index.js';
import { publicUrl, secret, untouchedBridge } from '../support/partner.js';

suite('options', () => {
  const good: LicensingHandlerOptions = {
    bridge: untouchedBridge,
    secret,
    publicUrl,
    identify: () => null,
    session: () => assert.fail(),
  };
  const wrong: Record<keyof LicensingHandlerOptions, unknown[]> = {
    bridge: [undefined, null, 'https://bridge.example', {}, Promise.resolve(good.bridge), () => good.bridge],
    secret: [undefined, 'x'.repeat(31), [], [secret, 'short'], 12_345, {}],
    publicUrl: [undefined, 'http://agency.example', '/licensing', 'https://agency.example?a', new Date()],
    identify: [undefined, null, 'usr_1', { userId: 'usr_1' }],
    session: [undefined, null, { applicationType: 'new' }],
    store: [null, 'redis', memoryStore, Promise.resolve(memoryStore()), { saveLink: () => undefined }],
    checks: [null, 7, confirmWithBridge(), [confirmWithBridge], [undefined], ['confirm']],
    on: [null, { progress: 'yes' }, { webhook: null }, 5, [() => undefined], () => undefined],
    log: [7, 'debug', { error: () => undefined }],
    webhookUrl: ['http://agency.example/hooks', 7],
    cors: [['https://agency.example'], { origins: [7] }, true, {}, null, 5],
    streams: [null, { maxPerUser: 0 }, { maxTotal: 'many' }, 5, '5', [5], true, () => 5],
    peerAddress: ['192.0.2.1', 7],
    clock: [null, Date, { now: Date.now }],
  };
  for (const [name, values] of Object.entries(wrong)) {
    for (const value of values) {
      test(`a wrong ${name} is a TypeError at construction: ${inspect(value, { depth: -1 })}`, () => {
        const options = { ...good, [name]: value } as LicensingHandlerOptions;
        assert.throws(() => createLicensingHandler(options), TypeError);
      });
    }
  }

  function named(change: object): string | undefined {
    try {
      createLicensingHandler({ ...good, ...change });
    } catch (error) {
      return (error as Error).message;
    }
    return undefined;
  }

  test('a wrong group is named', () => {
    for (const name of ['on', 'streams']) {
      for (const value of [5, null, [], 'x', () => ({})]) {
        assert.equal(named({ [name]: value }), `${name} must be an object.`);
      }
    }
    assert.match(named({ cors: {} }) ?? '', /^cors\.origins must be/);
    assert.match(named({ checks: confirmWithBridge() }) ?? '', /^checks is not iterable/);
  });

  test('a wrong function is named', () => {
    assert.equal(named({ bridge: {} }), 'bridge.profiles.sync must be a function.');
    assert.equal(named({ session: 'new' }), 'session must be a function.');
    assert.equal(named({ store: memoryStore }), 'store.saveLink must be a function.');
    assert.equal(named({ on: { status: 1 } }), 'on.status must be a function.');
    assert.equal(named({ checks: [confirmWithBridge] }), 'checks: check must be a function.');
  });

  test('may be left out by the value undefined, and listeners too', () => {
    const names = ['store', 'checks', 'log', 'webhookUrl', 'cors', 'streams', 'peerAddress', 'clock', 'on'];
    const undefinedOnes = Object.fromEntries(names.map((name) => [name, undefined]));
    assert.equal(typeof createLicensingHandler({ ...good, ...undefinedOnes }), 'function');
    const on = { progress: undefined, webhook: () => undefined } as object;
    assert.equal(typeof createLicensingHandler({ ...good, on }), 'function');
  });
});
