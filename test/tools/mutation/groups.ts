/** Guards, and the tests that hold them. Each group is one run of StrykerJS. */
export interface MutationGroup {
  name: string;
  /** Globs of the sources whose guards are broken one by one. */
  guards: readonly string[];
  /**
   * Globs of the test files that run for them. Of each file only the tests run that execute the
   * mutant, so that a few walks through pages cost little.
   */
  tests: readonly string[];
}

const bridge = 'src/bridge';
const tests = 'test/bridge';

/** Every group, in the order of the table in the documentation. */
export const groups: readonly MutationGroup[] = [
  {
    name: 'outbox',
    guards: [`${bridge}/outbox/*.ts`, `${bridge}/store/webhooks/*.ts`],
    tests: [`${tests}/outbox/!(*.full).test.ts`, `${tests}/outbox/address-guard.full.test.ts`],
  },
  {
    name: 'payments',
    guards: [
      `${bridge}/domain/payments/*.ts`,
      `${bridge}/adapters/test-processor.ts`,
      `${bridge}/store/payments/*.ts`,
      `${bridge}/domain/applications/{signature,submission,step}.ts`,
      `${bridge}/catalogue/fees.ts`,
    ],
    tests: [
      `${tests}/payments/{operations,paying,further-fee}.test.ts`,
      `${tests}/catalogue/fees.test.ts`,
      `${tests}/domain/applications.test.ts`,
      `${tests}/conformance/processors.test.ts`,
      `${tests}/apply/{payment-form.test,states.test,three-d-secure.full.test,wording.full.test}.ts`,
      `${tests}/catalogue/pinned-release.full.test.ts`,
      `${tests}/shown/*.test.ts`,
      `${tests}/filings/signed-data.test.ts`,
      `${tests}/console/second-person.test.ts`,
    ],
  },
  {
    name: 'filings-and-documents',
    guards: [`${bridge}/domain/{filings,documents}/*.ts`, `${bridge}/store/{filings,documents}/*.ts`],
    tests: [
      `${tests}/filings/{correct-decision,decision-guard,departments,filing,issued-license,signed-data}.test.ts`,
      `${tests}/filings/{claims,file-name}.test.ts`,
      `${tests}/filings/{gateway,training}.full.test.ts`,
      `${tests}/console/{filing-queue,pages}.full.test.ts`,
      `${tests}/console/{second-person,templates}.test.ts`,
      `${tests}/console/further-fee.full.test.ts`,
      `${tests}/shown/*.test.ts`,
      `${tests}/domain/documents.test.ts`,
    ],
  },
  {
    name: 'retention-and-erasure',
    guards: [`${bridge}/{domain,store}/retention/*.ts`, `${bridge}/domain/applications/own-answers.ts`],
    tests: [
      `${tests}/domain/{retention,applications}.test.ts`,
      `${tests}/domain/user-data.full.test.ts`,
      `${tests}/apply/last-four.test.ts`,
    ],
  },
  {
    name: 'accounts',
    guards: [
      `${bridge}/domain/{keys,limits,accounts}/*.ts`,
      // Without the thread of Argon2, in which StrykerJS sees nothing.
      `${bridge}/domain/operators/!(argon2-thread).ts`,
      `${bridge}/domain/applications/reveal.ts`,
      `${bridge}/key-rotation/*.ts`,
      `${bridge}/store/{accounts,audit,keys,limits,operators}/*.ts`,
    ],
    tests: [
      `${tests}/domain/{keys,limits,body-budget,audit,audit-chain}.test.ts`,
      `${tests}/cli/{agency,operator}.full.test.ts`,
      `${tests}/console/{sign-in,second-person}.test.ts`,
      `${tests}/console/{oidc,oidc-attacks,authenticator,proof,scope}.full.test.ts`,
      `${tests}/operation/key-rotation.full.test.ts`,
      `${tests}/http/{login,credential,account}.test.ts`,
    ],
  },
  {
    name: 'forms',
    guards: [
      `${bridge}/apply/{form-guard,require-step}.ts`,
      `${bridge}/pages/{cross-origin-post,forms,multipart,headers}.ts`,
      `${bridge}/http/request.ts`,
    ],
    tests: [
      `${tests}/pages/*.test.ts`,
      `${tests}/apply/{plain-rules,requests,reachable-pages,states}.test.ts`,
      `${tests}/http/{errors,request}.test.ts`,
    ],
  },
  {
    name: 'proof-of-the-same-person',
    guards: [`${bridge}/domain/applications/{identity,proof-code}.ts`],
    tests: [`${tests}/apply/last-four.test.ts`, `${tests}/mail/proof-by-mail.full.test.ts`],
  },
  {
    name: 'helper',
    guards: [
      'src/server/webhooks/*.ts',
      'src/server/applications/{sync,sessions,known-application,record-changes,reconcile}.ts',
      'src/server/http/request.ts',
    ],
    tests: ['test/server/{webhooks,applications,handler}/*.test.ts'],
  },
  {
    name: 'channel',
    guards: ['src/channel/*.ts'],
    tests: ['test/channel/*.test.ts'],
  },
  {
    name: 'element',
    guards: [
      'src/element/store/{reducer,selectors,status-source,application-store}.ts',
      'src/element/opening/{opening,return-handler,redirect-state,connection}.ts',
      'src/element/url-policy.ts',
    ],
    tests: [
      'test/element/{reducer,url-policy,status-source,redirect-state,application-store,connection,renewal,sessions,controller}.test.ts',
    ],
  },
];
