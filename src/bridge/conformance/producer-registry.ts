import { deepEqual, equal, ok } from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Mode, StateCode } from '../../contract/index.js';
import type { ProducerRegistry } from '../ports/producer-registry.js';

/** What the tests need of a producer registry. */
export interface ProducerRegistryUnderTest {
  registry: ProducerRegistry;
  /** The mode whose producers these are. */
  mode: Mode;
  /** Two producers that it knows in this mode and in no other, the first with an SSN of nine digits and an active license. */
  known: [{ npn: string; lastName: string; ssn: string; licensedIn: StateCode }, { npn: string }];
  /** NPNs that it does not know. */
  unknown: string[];
  stop(): Promise<void>;
}

/** How many NPNs every function takes. */
const most = 10_000;

/** Defines the tests of the contract of {@link ProducerRegistry}. `setup` runs once, before the first. */
export function testProducerRegistry(name: string, setup: () => Promise<ProducerRegistryUnderTest>): void {
  describe(`the producer registry ${name}`, () => {
    let under: ProducerRegistryUnderTest;
    before(async () => {
      under = await setup();
    });
    after(() => under.stop());

    const knownNpns = () => under.known.map(({ npn }) => npn).sort();
    const otherMode = (): Mode => (under.mode === 'test' ? 'live' : 'test');

    it(`${name}: All functions know the same producers, and leave out the others.`, async () => {
      const { registry, mode, unknown } = under;
      const npns = [...unknown, ...knownNpns()];
      deepEqual([...(await registry.findKnown(mode, npns))].sort(), knownNpns());
      deepEqual([...(await registry.findProducers(mode, npns)).keys()].sort(), knownNpns());
      deepEqual([...(await registry.findNames(mode, npns)).keys()].sort(), knownNpns());
      equal((await registry.findKnown(mode, [])).size, 0);
    });

    it(`${name}: The modes are apart.`, async () => {
      const { registry, known } = under;
      const [{ npn, lastName, ssn }] = known;
      equal((await registry.findKnown(otherMode(), knownNpns())).size, 0);
      equal((await registry.findProducers(otherMode(), knownNpns())).size, 0);
      equal(await registry.findNpn(otherMode(), lastName, ssn), undefined);
      equal(await registry.findUpdate(otherMode(), npn, new Date()), undefined);
    });

    it(`${name}: As many NPNs as a call may have are answered in one call.`, async () => {
      const taken = new Set(knownNpns());
      const filler = Array.from({ length: most + taken.size }, (_, index) => String(7_000_000_000 + index));
      const npns = [...taken, ...filler.filter((npn) => !taken.has(npn))].slice(0, most);
      const found = await under.registry.findKnown(under.mode, npns);
      ok(knownNpns().every((npn) => found.has(npn)));
      ok((await under.registry.findProducers(under.mode, npns)).size >= taken.size);
    });

    it(`${name}: An SSN and a last name find a producer in any case, and neither does alone.`, async () => {
      const { registry, mode, known } = under;
      const [{ npn, lastName, ssn }] = known;
      for (const typed of [lastName, lastName.toUpperCase(), lastName.toLowerCase()]) {
        equal(await registry.findNpn(mode, typed, ssn), npn);
      }
      equal(await registry.findNpn(mode, `${lastName}x`, ssn), undefined);
      equal(await registry.findNpn(mode, lastName, ssn === '900999999' ? '900999998' : '900999999'), undefined);
    });

    it(`${name}: Active licenses are those of the states that are asked for, and no others.`, async () => {
      const { registry, mode, known } = under;
      const [{ npn, licensedIn }] = known;
      const found = await registry.findActiveLicenses(mode, [npn], [licensedIn]);
      ok(found.length > 0);
      ok(found.every((license) => license.npn === npn && license.state === licensedIn));
      deepEqual(await registry.findActiveLicenses(mode, [npn], []), []);
    });

    it(`${name}: No update came before the first producer did.`, async () => {
      const [{ npn }] = under.known;
      equal(await under.registry.findUpdate(under.mode, npn, new Date(0)), undefined);
    });
  });
}
