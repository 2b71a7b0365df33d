import { deepEqual, equal, throws } from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createCatalogue } from '../../../src/bridge/catalogue/catalogue.js';
import type { Fee, Residency } from '../../../src/bridge/catalogue/content.js';
import { feesOf, findFee, totalOf } from '../../../src/bridge/catalogue/fees.js';
import { loadCatalogue } from '../../../src/bridge/catalogue/load-catalogue.js';
import { shippedData } from './release-copy.js';

const shipped = await loadCatalogue(shippedData);
const entry = { source: 'A test', effective: '2026-11-01', sample: true };
const amounts = { stateFeeCents: 100, processingFeeCents: 10 };

function fee(applicationType: string, licenseType: string, residency?: Residency, change: Partial<Fee> = {}): Fee {
  return { ...entry, ...amounts, applicationType, licenseType, ...(residency && { residency }), ...change };
}

describe('the fees of a release', () => {
  it('The most exact fee applies: both types before the application type, that before the license type, and the residency before none.', () => {
    const order = [
      fee('new', 'life', 'resident'),
      fee('new', 'life'),
      fee('new', '*', 'resident'),
      fee('new', '*'),
      fee('*', 'life', 'resident'),
      fee('*', 'life'),
      fee('*', '*', 'resident'),
      fee('*', '*'),
    ];
    const others = [
      fee('new', 'life', 'nonResident'),
      fee('renewal', 'life'),
      fee('new', 'health'),
      fee('renewal', '*'),
    ];
    // Whatever stands first in the file.
    for (const rest of order.keys()) {
      const left = order.slice(rest);
      for (const fees of [
        [...others, ...left],
        [...left.toReversed(), ...others],
      ]) {
        equal(findFee(fees, 'new', 'life', 'resident'), left[0], String(rest));
      }
    }
    equal(findFee(others, 'new', 'life', 'resident'), undefined);
  });

  /** The shipped release with these fees in Texas. */
  const release = (fees: Fee[]) =>
    createCatalogue({
      ...shipped,
      jurisdictions: shipped.jurisdictions.map((each) => (each.code === 'TX' ? { ...each, fees } : each)),
    });
  const application = { states: ['TX', 'WY'] as const, applicationType: 'new', licenseType: 'life' };

  it('Users pay the fee of their residency, and the dearer one in all while it is unknown.', () => {
    const catalogue = release([
      fee('*', '*', 'resident', { stateFeeCents: 500, processingFeeCents: 400, sample: false }),
      fee('*', '*', 'nonResident', { stateFeeCents: 700, processingFeeCents: 100 }),
    ]);
    const texas = (home?: 'TX' | 'WY') => feesOf(catalogue, application, home).lines[0];
    const resident = { state: 'TX', stateFeeCents: 500, processingFeeCents: 400, sample: false };
    const nonResident = { state: 'TX', stateFeeCents: 700, processingFeeCents: 100, sample: true };
    deepEqual([texas('TX'), texas('WY'), texas()], [resident, nonResident, resident]);
  });

  it('Fees have a line for each state in the order of the request, and a total of all.', () => {
    const { lines, totalCents } = feesOf(release([fee('*', '*')]), application);
    deepEqual(
      lines.map(({ state }) => state),
      ['TX', 'WY'],
    );
    equal(totalCents, 110 + totalOf(lines.slice(1)));
    equal(totalOf([]), 0);
  });

  it('An application without a fee is an error of the release.', () => {
    throws(() => feesOf(release([]), application), /has no fee for TX/);
  });
});
