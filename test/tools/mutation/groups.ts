/** Guards, and the tests that hold them. Each group is one run of StrykerJS. */
export interface MutationGroup {
  name: string;
  /** Globs of the sources whose guards are broken one by one. */
  guards: readonly string[];
  /** Globs of the test files that run for them. Quick ones first: the first failure ends a mutant. */
  tests: readonly string[];
  /** The place where the tests run. */
  runner: 'node-test' | 'page';
}

const bridge = 'src/bridge';
const tests = 'test/bridge';

/** Every group, in the order of the table in the documentation. */
export const groups: readonly MutationGroup[] = [
  {
    name: 'outbox',
    guards: [`${bridge}/outbox/*.ts`, `${bridge}/store/webhooks/*.ts`],
    tests: [
      `${tests}/outbox/{claim,settle,stream,dead-letters,retry-schedule,address-guard,webhook-sender,worker}.test.ts`,
    ],
    runner: 'node-test',
  },
  {
    name: 'payments',
    guards: [
      `${bridge}/domain/payments/*.ts`,
      `${bridge}/store/applications/{payment-store,simulated-payment-store}.ts`,
      `${bridge}/domain/applications/{signature,submission,step}.ts`,
      `${bridge}/catalogue/fees.ts`,
    ],
    tests: [
      `${tests}/{payments,catalogue}/*.test.ts`,
      `${tests}/apply/{signature,submission,payment,bank-account,sample-fees,resident-fees,flow}.test.ts`,
    ],
    runner: 'node-test',
  },
  {
    name: 'filings-and-documents',
    guards: [
      `${bridge}/domain/{filing,documents}/*.ts`,
      `${bridge}/store/applications/{filing-store,document-store}.ts`,
    ],
    tests: [`${tests}/{filing,documents}/*.test.ts`, `${tests}/apply/*document*.test.ts`],
    runner: 'node-test',
  },
  {
    name: 'retention-and-erasure',
    guards: [
      `${bridge}/domain/retention.ts`,
      `${bridge}/store/{retention-store,applications/erasure-store}.ts`,
      `${bridge}/domain/applications/own-answers.ts`,
    ],
    tests: [`${tests}/{domain,retention}/{erasure,retention}*.test.ts`, `${tests}/operation/retention*.test.ts`],
    runner: 'node-test',
  },
  {
    name: 'accounts',
    guards: [
      `${bridge}/domain/{keys,limits,accounts}/*.ts`,
      `${bridge}/domain/operators/{sign-in,totp,password,operators,reveal}.ts`,
      `${bridge}/store/accounts/*.ts`,
    ],
    tests: [
      `${tests}/domain/*.test.ts`,
      `${tests}/domain/{keys,limits,accounts,operators}/*.test.ts`,
      `${tests}/store/rate-limit-store.test.ts`,
      `${tests}/console/*.test.ts`,
      `${tests}/http/{login,credential,credential-reset,rate-limit}.test.ts`,
    ],
    runner: 'node-test',
  },
  {
    name: 'forms',
    guards: [
      `${bridge}/apply/{form-guard,require-step}.ts`,
      `${bridge}/pages/{cross-origin-post,forms,multipart,headers}.ts`,
      `${bridge}/http/request.ts`,
      `${bridge}/domain/applications/identity.ts`,
    ],
    tests: [
      `${tests}/pages/*.test.ts`,
      `${tests}/apply/{form-guard,require-step,last-four,headers,unusual-requests,flow}.test.ts`,
      `${tests}/http/{errors,request}.test.ts`,
    ],
    runner: 'node-test',
  },
  {
    name: 'helper',
    guards: [
      'src/server/webhooks/*.ts',
      'src/server/applications/{sync,sessions,known-application,record-changes,reconcile}.ts',
      'src/server/http/request.ts',
    ],
    tests: ['test/server/{webhooks,http,applications,handler,store}/*.test.ts'],
    runner: 'node-test',
  },
  {
    name: 'channel',
    guards: ['src/channel/*.ts'],
    tests: ['test/channel/*.spec.ts'],
    runner: 'page',
  },
  {
    name: 'element',
    guards: [
      'src/element/store/{reducer,selectors,status-source,application-store}.ts',
      'src/element/opening/{opening,return-handler,return-listener,redirect-state,open-request,connection}.ts',
      'src/element/url-policy.ts',
    ],
    tests: ['test/element/*.spec.ts'],
    runner: 'page',
  },
];
