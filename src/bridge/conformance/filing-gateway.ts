import { deepEqual, equal, match, notEqual, ok, rejects } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import type { StateCode } from '../../contract/index.js';
import type { AutomaticFilingGateway, DepartmentAnswer, FilingKey, FilingPackage } from '../ports/filing-gateway.js';

/** The fixtures for the tests of an automatic filing gateway and its departments. */
export interface FilingGatewayUnderTest {
  gateway: AutomaticFilingGateway;
  /** A state that the gateway files with. */
  served: StateCode;
  /** A state that it does not file with. Absent when it files with all. */
  notServed?: StateCode;
  /** The references of a filing, one for each time it was filed. */
  filedAs(filing: FilingKey): Promise<string[]> | string[];
  /** Enters the decision for a reference. */
  decide(reference: string, answer: DepartmentAnswer): Promise<void> | void;
  /** Changes a package so that the department refuses it permanently. */
  spoil(filing: FilingPackage): FilingPackage;
  /** Loses the answers of the next requests after they were executed. */
  loseAnswers(count: number): void;
  /** Fails the next requests before they are executed. */
  fail(count: number): void;
  stop(): Promise<void>;
}

/** The answers of departments. */
const answers: DepartmentAnswer[] = [
  { status: 'approved' },
  { status: 'denied', reason: 'The exam is too old.' },
  { status: 'requires_action', reason: 'Send the court order.' },
];

/** A value that no error may contain. */
const canary = '234567891';

const courtOrder = new TextEncoder().encode('%PDF-1.7\n%%EOF');

/** A small package of the bridge. */
function packageOf(state: StateCode, serial = 0, applicationId = `app_${randomUUID()}`): FilingPackage {
  return {
    applicationId,
    state,
    serial,
    applicationType: 'new',
    licenseType: 'life_health',
    digest: 'a'.repeat(64),
    ssn: canary,
    sections: [{ title: 'Identity', rows: [{ label: 'Social Security number', value: [canary] }] }],
    documents: [
      { name: 'court order.pdf', about: '', type: 'application/pdf', read: () => Promise.resolve(courtOrder) },
    ],
  };
}

/**
 * Defines the tests of the contract of {@link AutomaticFilingGateway}. `setup` runs once, before
 * the first.
 */
export function testFilingGateway(name: string, setup: () => Promise<FilingGatewayUnderTest>): void {
  describe(`the filing gateway ${name}`, () => {
    let under: FilingGatewayUnderTest;
    before(async () => {
      under = await setup();
    });
    after(() => under.stop());

    const submitted = async (filing: FilingPackage) => {
      const outcome = await under.gateway.submit(filing);
      ok(outcome.status === 'filed');
      match(outcome.reference, /\S/);
      return outcome.reference;
    };

    it(`${name}: It reports its states and its polling interval.`, () => {
      equal(under.gateway.kind, 'automatic');
      ok(under.gateway.serves(under.served));
      if (under.notServed !== undefined) ok(!under.gateway.serves(under.notServed));
      ok((under.gateway.lookUpSeconds ?? 900) > 0);
    });

    it(`${name}: A repeated filing is filed once, also when both calls run at once.`, async () => {
      const filing = packageOf(under.served);
      const [first, second] = await Promise.all([submitted(filing), submitted(filing)]);
      deepEqual([second, await submitted(filing)], [first, first]);
      deepEqual(await under.filedAs(filing), [first]);
    });

    it(`${name}: Another application, and an answer to a request, are separate filings.`, async () => {
      const filing = packageOf(under.served);
      const answer = packageOf(under.served, 1, filing.applicationId);
      const another = packageOf(under.served);
      const references = [];
      for (const each of [filing, answer, another]) {
        const reference = await submitted(each);
        deepEqual(await under.filedAs(each), [reference]);
        references.push(reference);
      }
      // An answer may have the reference of its application; another application may not.
      notEqual(references[2], references[0]);
    });

    it(`${name}: A filing with a lost answer rejects, and is not filed again.`, async () => {
      const filing = packageOf(under.served);
      under.loseAnswers(1);
      await rejects(under.gateway.submit(filing));
      deepEqual(await under.filedAs(filing), [await submitted(filing)]);
    });

    it(`${name}: An outage rejects, and its message and code contain no SSN.`, async () => {
      const filing = packageOf(under.served);
      under.fail(1);
      await rejects(under.gateway.submit(filing), (error: unknown) => {
        const { code } = error as { code?: unknown };
        return !`${String(error)} ${String(code)}`.includes(canary);
      });
      deepEqual(await under.filedAs(filing), []);
      await submitted(filing);
    });

    it(`${name}: A refusal of the department has a short code.`, async () => {
      const filing = under.spoil(packageOf(under.served));
      const outcome = await under.gateway.submit(filing);
      ok(outcome.status === 'refused');
      match(outcome.code, /^\S{1,60}$/);
      deepEqual(await under.filedAs(filing), []);
    });

    for (const answer of answers) {
      it(`${name}: The department's answer can be looked up repeatedly (${answer.status}).`, async () => {
        const { applicationId, state, serial, ...rest } = packageOf(under.served);
        const reference = await submitted({ applicationId, state, serial, ...rest });
        const key = { applicationId, state, serial, reference };
        deepEqual(await under.gateway.lookUp(key), { status: 'pending' });
        await under.decide(reference, answer);
        deepEqual([await under.gateway.lookUp(key), await under.gateway.lookUp(key)], [answer, answer]);
        under.fail(1);
        await rejects(under.gateway.lookUp(key));
      });
    }
  });
}
