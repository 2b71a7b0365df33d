import { deepEqual, equal, ok } from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Mode, StateCode } from '../../contract/index.js';
import type { ProducerRegistry } from '../ports/producer-registry.js';

/** The fixtures for the tests of a producer registry. */
export interface ProducerRegistryUnderTest {
  registry: ProducerRegistry;
  /** The mode of the producers. */
  mode: Mode;
  /**
   * Two producers that exist only in this mode, the first with an SSN of nine digits and an active
   * license.
   */
  known: [{ npn: string; lastName: string; ssn: string; licensedIn: StateCode }, { npn: string }];
  /** Unknown NPNs. */
  unknown: string[];
  stop(): Promise<void>;
}

/** The maximum number of NPNs of every function. */
const most = 10_000;

/**
 * Defines the tests of the contract of {@link ProducerRegistry}. `setup` runs once, before the
 * first.
 */
export function testProducerRegistry(name: string, setup: () => Promise<ProducerRegistryUnderTest>): void {
  describe(`the producer registry ${name}`, () => {
    let under: ProducerRegistryUnderTest;
    before(async () => {
      under = await setup();
    });
    after(() => under.stop());

    const knownNpns = () => under.known.map(({ npn }) => npn).sort();
    const otherMode = (): Mode => (under.mode === 'test' ? 'live' : 'test');

    it(`${name}: All functions know the same producers, and omit unknown ones.`, async () => {
      const { registry, mode, unknown } = under;
      const npns = [...unknown, ...knownNpns()];
      deepEqual([...(await registry.findKnown(mode, npns))].sort(), knownNpns());
      deepEqual([...(await registry.findProducers(mode, npns)).keys()].sort(), knownNpns());
      deepEqual([...(await registry.findNames(mode, npns)).keys()].sort(), knownNpns());
      equal((await registry.findKnown(mode, [])).size, 0);
    });

    it(`${name}: The modes have separate producers.`, async () => {
      const { registry, known } = under;
      const [{ npn, lastName, ssn }] = known;
      equal((await registry.findKnown(otherMode(), knownNpns())).size, 0);
      equal((await registry.findProducers(otherMode(), knownNpns())).size, 0);
      equal(await registry.findNpn(otherMode(), lastName, ssn), undefined);
      equal(await registry.findUpdate(otherMode(), npn, new Date()), undefined);
    });

    it(`${name}: A call with the maximum number of NPNs returns all of them.`, async () => {
      const taken = new Set(knownNpns());
      const filler = Array.from({ length: most + taken.size }, (_, index) => String(7_000_000_000 + index));
      const npns = [...taken, ...filler.filter((npn) => !taken.has(npn))].slice(0, most);
      const found = await under.registry.findKnown(under.mode, npns);
      ok(knownNpns().every((npn) => found.has(npn)));
      ok((await under.registry.findProducers(under.mode, npns)).size >= taken.size);
    });

    it(`${name}: An SSN and a last name in any case find a producer, and neither does alone.`, async () => {
      const { registry, mode, known } = under;
      const [{ npn, lastName, ssn }] = known;
      for (const typed of [lastName, lastName.toUpperCase(), lastName.toLowerCase()]) {
        equal(await registry.findNpn(mode, typed, ssn), npn);
      }
      equal(await registry.findNpn(mode, `${lastName}x`, ssn), undefined);
      equal(await registry.findNpn(mode, lastName, ssn === '900999999' ? '900999998' : '900999999'), undefined);
    });

    it(`${name}: Active licenses are only those of the requested states.`, async () => {
      const { registry, mode, known } = under;
      const [{ npn, licensedIn }] = known;
      const found = await registry.findActiveLicenses(mode, [npn], [licensedIn]);
      ok(found.length > 0);
      ok(found.every((license) => license.npn === npn && license.state === licensedIn));
      deepEqual(await registry.findActiveLicenses(mode, [npn], []), []);
    });

    it(`${name}: There is no update before the first producer was added.`, async () => {
      const [{ npn }] = under.known;
      equal(await under.registry.findUpdate(under.mode, npn, new Date(0)), undefined);
    });

    it(`${name}: Reports of updates start, end, and start again.`, async (test) => {
      const { registry } = under;
      if (registry.watchUpdates === undefined) {
        test.skip('It reports no updates.');
        return;
      }
      for (let times = 0; times < 2; times += 1) {
        const end = await registry.watchUpdates(() => Promise.resolve());
        await end();
      }
    });
  });
}
