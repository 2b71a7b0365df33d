import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { inspect } from 'node:util';
import { createLicensingHandler, memoryStore, type LicensingHandlerOptions } from '../../../src/server/index.js';
import { publicUrl, secret } from '../support/partner.js';

const good: LicensingHandlerOptions = {
  // It must not be called.
  bridge: {
    profiles: { sync: () => assert.fail() },
    sessions: { create: () => assert.fail() },
    applications: { get: () => assert.fail() },
  },
  secret,
  publicUrl,
  identify: () => null,
  session: () => assert.fail(),
};

/** The message with which these options are refused. */
function refusalOf(change: object): string | undefined {
  try {
    createLicensingHandler({ ...good, ...change });
  } catch (error) {
    assert.ok(error instanceof TypeError, inspect(error));
    return error.message;
  }
  return undefined;
}

suite('createLicensingHandler checks its options at once', () => {
  const site = 'https://www.agency.example';
  const noOrigins = [
    '*',
    'null',
    '',
    'www.agency.example',
    `${site}/`,
    site.replace('s:', ':'),
    `${site}?a`,
    'https://user@agency.example',
  ];
  const wrong: Record<keyof LicensingHandlerOptions, unknown[]> = {
    bridge: [undefined, null, 'https://bridge.example', {}, Promise.resolve(good.bridge), () => good.bridge],
    secret: [undefined, 'x'.repeat(31), [], [secret, 'short'], 12_345, {}],
    publicUrl: [undefined, 'http://agency.example', '/licensing', 'https://agency.example?a', new Date()],
    identify: [undefined, null, 'usr_1', { userId: 'usr_1' }],
    session: [undefined, null, { applicationType: 'new' }],
    store: [null, 'redis', memoryStore, Promise.resolve(memoryStore()), { get: () => undefined }],
    webhookSecret: [null, 7, 'secret', []],
    verifyWebhook: [null, 7, true, [() => true]],
    on: [
      null,
      { producer: () => undefined },
      { progress: 'yes' },
      { status: null },
      5,
      [() => undefined],
      () => undefined,
    ],
    log: [null, 7, 'debug', { error: () => undefined }],
    webhookUrl: ['http://agency.example/hooks', 7],
    allowedOrigins: [
      site,
      [7],
      true,
      {},
      null,
      5,
      ...noOrigins.map((origin) => [origin]),
      ['https://*.agency.example'],
    ],
    peerAddress: [null, '192.0.2.1', 7],
    resumeUnfinished: [null, 'no', 0],
    maxUnfinishedApplications: [0, -1, 1.5, '10', NaN, null],
    reconcileMinutes: [-1, NaN, 1_441, Infinity, 'ten'],
    clock: [null, Date, { now: Date.now }],
  };
  for (const [name, values] of Object.entries(wrong)) {
    test(`A wrong \`${name}\` is a TypeError that names it.`, () => {
      for (const value of values) {
        const message = refusalOf({ [name]: value });
        assert.ok(message?.includes(name), `${inspect(value, { depth: -1 })}: ${String(message)}`);
      }
    });
  }

  test('The shortest secret, and the smallest and largest numbers, are accepted.', () => {
    for (const change of [
      { secret: 'x'.repeat(32) },
      { maxUnfinishedApplications: 1 },
      { reconcileMinutes: 0 },
      { reconcileMinutes: 1_440 },
    ])
      assert.equal(refusalOf(change), undefined, inspect(change));
  });

  test('A wrong function inside of an option is named with its path.', () => {
    assert.match(refusalOf({ bridge: { profiles: {} } }) ?? '', /bridge\.profiles\.sync: must be a function/);
    assert.match(refusalOf({ store: {} }) ?? '', /store\.get: must be a function/);
    assert.match(refusalOf({ on: { status: 1 } }) ?? '', /on\.status: must be a function/);
  });

  test('A misspelt option or listener is refused by its name, with those that exist.', () => {
    assert.match(refusalOf({ webhokUrl: publicUrl }) ?? '', /`webhokUrl` is unknown\..* webhookUrl,/);
    assert.match(refusalOf({ on: { requireAction: () => 1 } }) ?? '', /`on\.requireAction` is unknown/);
    assert.match(refusalOf({ checks: [] }) ?? '', /`checks`/);
  });

  test('An option that may be absent may also be undefined.', () => {
    const required = ['bridge', 'secret', 'publicUrl', 'identify', 'session'];
    const optional = Object.keys(wrong).filter((name) => !required.includes(name));
    assert.equal(refusalOf(Object.fromEntries(optional.map((name) => [name, undefined]))), undefined);
    assert.equal(refusalOf({ on: { progress: undefined, submitted: () => undefined } }), undefined);
  });
});

suite('Defaults', () => {
  test('In production, a handler without a store warns that a restart loses all applications.', async (t) => {
    const warn = t.mock.method(console, 'warn', () => undefined);
    const before = process.env['NODE_ENV'];
    t.after(() => {
      if (before === undefined) delete process.env['NODE_ENV'];
      else process.env['NODE_ENV'] = before;
    });
    const warningsIn = async (environment: string, change: object = {}) => {
      process.env['NODE_ENV'] = environment;
      warn.mock.resetCalls();
      createLicensingHandler({ ...good, ...change });
      // The log is called in a promise.
      await new Promise((resolve) => setImmediate(resolve));
      return warn.mock.calls.map(({ arguments: words }) => String(words[0]));
    };
    assert.match((await warningsIn('production')).join(), /store\.memory_in_production.*redisStore/);
    assert.deepEqual(await warningsIn('production', { store: memoryStore() }), []);
    assert.deepEqual(await warningsIn('development'), []);
  });
});
