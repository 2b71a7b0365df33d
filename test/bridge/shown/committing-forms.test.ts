import { deepEqual, equal, match, notDeepEqual } from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { createTestProcessor } from '../../../src/bridge/adapters/test-processor.js';
import { createApplyApp } from '../../../src/bridge/apply/index.js';
import { readEnvironment } from '../../../src/bridge/config/environment.js';
import { consoleRoutes } from '../../../src/bridge/console/index.js';
import { correctDecision } from '../../../src/bridge/domain/filings/correct-decision.js';
import { decideState } from '../../../src/bridge/domain/filings/departments.js';
import { reviewForm, actionForm } from '../../../src/bridge/domain/applications/committing-forms.js';
import {
  claimForm,
  correctionConfirmationForm,
  correctionForm,
  decisionForm,
  filingForm,
} from '../../../src/bridge/domain/filings/committing-forms.js';
import {
  furtherFeeForm,
  paymentForm,
  refundConfirmationForm,
  refundForm,
} from '../../../src/bridge/domain/payments/committing-forms.js';
import { propose, withdraw } from '../../../src/bridge/domain/second-person/proposals.js';
import { readOperator } from '../../../src/bridge/pages/operator.js';
import type { OperatorRole } from '../../../src/bridge/store/tables/operator-tables.js';
import { placeAt } from '../apply/support/shortcuts.js';
import { addDocuments, createVisitor, typed, typedProfile } from '../apply/support/visitor.js';
import { until } from '../until.js';
import { placeSubmitted, signedIn, startConsole, type ConsoleService } from '../console/support.js';

/** All forms that commit. */
const committingForms = [
  reviewForm,
  paymentForm,
  actionForm,
  furtherFeeForm,
  decisionForm,
  correctionForm,
  correctionConfirmationForm,
  filingForm,
  claimForm,
  refundForm,
  refundConfirmationForm,
];

let service: ConsoleService;
before(async () => {
  service = await startConsole();
});
after(() => service.stop());

/** A page that a person has read. */
interface ReadPage {
  /** Another holder of the link, or another operator, changes what the page shows. */
  change(): Promise<unknown>;
  /** Presses the button of the page that was shown last. */
  press(): Promise<{ status: number; html: string }>;
  /** What the button stores. */
  stored(): Promise<unknown>;
}

/** The SSN that another holder of the link types. */
const otherSsn = { use: 'typed', ssn: '900-22-0004' };

let count = 0;
/** An operator in a new browser. */
const operator = (role: OperatorRole = 'file') => signedIn(service, `Operator ${(count += 1)}`, role);

/** An application at a step, and two visitors with its link. */
async function twoHolders(place: 'review' | 'payment' | 'receipt') {
  const session = await service.createSession({ states: ['TX'] });
  await placeAt(service, session, place);
  return { ...session, user: createVisitor(), other: createVisitor() };
}

/** A live application that Texas approved without a reference. */
async function decidedState() {
  const session = await service.createSession({ states: ['TX'], paymentMethod: 'partner_billing' }, { mode: 'live' });
  await placeAt(service, session, 'receipt', { ssn: '219-46-0004' });
  const about = { applicationId: session.applicationId, state: 'TX', actor: 'cli:tester' } as const;
  const decide = (override: string) => decideState(service.context, { ...about, status: 'approved', override });
  await decide('Said by phone');
  const isDenied = () =>
    service.context.db
      .selectFrom('applicationState')
      .select('status')
      .where('applicationId', '=', session.applicationId)
      .where('status', '=', 'denied')
      .execute();
  return { about, decide, isDenied };
}

const scenarios: Record<string, () => Promise<ReadPage>> = {
  async review() {
    const { applicationId, applicationUrl, user, other } = await twoHolders('review');
    await user.get(`${applicationUrl}/review`);
    return {
      async change() {
        await other.post(`${applicationUrl}/profile/home`, { ...typedProfile['home'], street: '1 Other Street' });
        await other.post(`${applicationUrl}/identity`, otherSsn);
      },
      press: () => user.post(`${applicationUrl}/review`, typed.review),
      stored: () =>
        service.context.db
          .selectFrom('applicationStep')
          .select('step')
          .where('applicationId', '=', applicationId)
          .where('step', '=', 'review')
          .execute(),
    };
  },
  async payment() {
    const { applicationId, applicationUrl, user, other } = await twoHolders('payment');
    await user.get(`${applicationUrl}/payment`);
    return {
      async change() {
        await other.post(`${applicationUrl}/identity`, otherSsn);
        await other.post(`${applicationUrl}/review`, typed.review);
      },
      press: () => user.post(`${applicationUrl}/payment`, typed.payment),
      stored: () =>
        service.context.db.selectFrom('payment').select('id').where('applicationId', '=', applicationId).execute(),
    };
  },
  async furtherFee() {
    const { applicationId, user } = await twoHolders('receipt');
    const move = { applicationId, state: 'TX' } as const;
    await decideState(service.context, { ...move, status: 'requires_action', reason: 'More.', feeCents: 1_000 });
    const { body } = await service.call('GET', `/v1/applications/${applicationId}`);
    const actionUrl = body.states[0]?.actionUrl ?? '';
    await user.get(actionUrl);
    const { db } = service.context;
    return {
      // No page changes the amount of an open request; a later version might.
      change: () =>
        db
          .updateTable('applicationState')
          .set({ actionFeeCents: 9_000 })
          .where('applicationId', '=', applicationId)
          .execute(),
      press: () => user.post(actionUrl, typed.payment),
      stored: () =>
        db
          .selectFrom('payment')
          .select('id')
          .where('applicationId', '=', applicationId)
          .where('state', '=', 'TX')
          .execute(),
    };
  },
  async action() {
    const { applicationId, user } = await twoHolders('receipt');
    await decideState(service.context, { applicationId, state: 'TX', status: 'requires_action', reason: 'A paper.' });
    const { body } = await service.call('GET', `/v1/applications/${applicationId}`);
    const actionUrl = body.states[0]?.actionUrl ?? '';
    await user.get(actionUrl);
    return {
      change() {
        const document = new FormData();
        document.append('file', new Blob(['%PDF-1.7\npapers\n%%EOF\n']), 'of-another.pdf');
        return fetch(`${actionUrl}/documents`, { method: 'POST', body: document });
      },
      press: () => user.post(actionUrl, { answer: 'Here it is.', confirm: 'yes' }),
      stored: () =>
        service.context.db
          .selectFrom('applicationAction')
          .select('state')
          .where('applicationId', '=', applicationId)
          .execute(),
    };
  },
  async decision() {
    const id = await placeSubmitted(service);
    const dana = await operator();
    const path = `/applications/${id}/states/TX`;
    await dana.get(path);
    return {
      change: () =>
        decideState(service.context, { applicationId: id, state: 'TX', status: 'requires_action', reason: 'A paper.' }),
      press: () => dana.post(path, { status: 'denied', reason: 'Not eligible.' }),
      stored: () =>
        service.context.db
          .selectFrom('applicationState')
          .select('status')
          .where('applicationId', '=', id)
          .where('status', '=', 'denied')
          .execute(),
    };
  },
  async correction() {
    const { about, decide, isDenied } = await decidedState();
    const dana = await operator();
    const path = `/applications/${about.applicationId}/states/TX/correction`;
    await dana.get(path);
    return {
      // Another operator corrects it, and the state then decides the same.
      async change() {
        await correctDecision(service.context, { ...about, status: 'pending_review', note: 'The wrong state.' });
        await decide('Said in writing');
      },
      press: () =>
        dana.post(path, { status: 'denied', reason: 'Not eligible.', note: 'A wrong click', override: 'Yes' }),
      stored: isDenied,
    };
  },
  async correctionConfirmation() {
    const { about, isDenied } = await decidedState();
    const key = { applicationId: about.applicationId, kind: 'correction', state: 'TX' } as const;
    const suggest = (reason: string) => {
      const content = { status: 'denied', note: 'A wrong click', reason, override: 'Yes', license: {} } as const;
      return propose(service.context, { ...key, content }, 'operator:other', () => Promise.resolve());
    };
    await suggest('Not eligible.');
    const dana = await operator();
    const path = `/applications/${about.applicationId}/states/TX/correction`;
    await dana.get(path);
    return {
      async change() {
        await withdraw(service.context, key, 'operator:other');
        await suggest('Not of age.');
      },
      press: () => dana.post(`${path}/confirm`),
      stored: isDenied,
    };
  },
  async filing() {
    const session = await service.createSession({ states: ['TX'], paymentMethod: 'partner_billing' }, { mode: 'live' });
    await placeAt(service, session, 'receipt', { ssn: '219-46-0004' });
    const dana = await operator();
    const path = `/filings/${session.applicationId}/TX`;
    const { html } = await dana.get(path);
    return {
      // In another tab, of which the page that was read knows nothing.
      async change() {
        const csrf = /name="csrf" value="([^"]+)"/.exec(html)?.[1] ?? '';
        await dana.send(`${path}/claim`, { method: 'POST', body: new URLSearchParams({ csrf }) });
      },
      press: () => dana.post(`${path}/filed`, { reference: 'TX-77' }),
      stored: () =>
        service.context.db
          .selectFrom('filing')
          .select('reference')
          .where('applicationId', '=', session.applicationId)
          .where('reference', 'is not', null)
          .execute(),
    };
  },
  async claim() {
    const session = await service.createSession({ states: ['TX'], paymentMethod: 'partner_billing' }, { mode: 'live' });
    await placeAt(service, session, 'receipt', { ssn: '219-46-0004' });
    const [dana, robin, supervisor] = [await operator(), await operator(), await operator('supervise')];
    const path = `/filings/${session.applicationId}/TX`;
    await dana.post(`${path}/claim`);
    await supervisor.get(`${path}/release-claim`);
    return {
      async change() {
        await dana.post(`${path}/release`);
        await robin.post(`${path}/claim`);
      },
      press: () => supervisor.post(`${path}/release-claim`, { reason: 'The colleague is ill' }),
      stored: () =>
        service.context.db
          .selectFrom('filing')
          .select('status')
          .where('applicationId', '=', session.applicationId)
          .where('status', '=', 'waiting')
          .execute(),
    };
  },
  async refund() {
    const id = await placeSubmitted(service);
    const { db } = service.context;
    await db.updateTable('payment').set({ status: 'captured' }).where('applicationId', '=', id).execute();
    const [dana, robin] = [await operator(), await operator()];
    const path = `/applications/${id}/refund`;
    const refundOf = ({ html }: { html: string }) => /name="refund" value="([^"]+)"/.exec(html)?.[1] ?? '';
    const reason = 'The department returned it';
    const refund = refundOf(await dana.get(path));
    return {
      async change() {
        const another = refundOf(await robin.get(path));
        await robin.post(path, { refund: another, amount: '1.00', reason });
        // The answer of the processor changes the page once more.
        await until(() =>
          db
            .selectFrom('paymentRefund')
            .select('id')
            .where('id', '=', another)
            .where((eb) => eb.or([eb('refundedAt', 'is not', null), eb('problem', 'is not', null)]))
            .executeTakeFirst(),
        );
      },
      press: () => dana.post(path, { refund, amount: '2.00', reason }),
      stored: () => db.selectFrom('paymentRefund').select('amountCents').where('id', '=', refund).execute(),
    };
  },
  async refundConfirmation() {
    const id = await placeSubmitted(service);
    const { db } = service.context;
    await db.updateTable('payment').set({ status: 'captured' }).where('applicationId', '=', id).execute();
    const key = { applicationId: id, kind: 'refund', state: '' } as const;
    const suggest = (amountCents: number) => {
      const content = { refundId: `ref_${id}`, amountCents, note: 'The department returned it' };
      return propose(service.context, { ...key, content }, 'operator:other', () => Promise.resolve());
    };
    await suggest(100);
    const dana = await operator();
    await dana.get(`/applications/${id}/refund`);
    return {
      async change() {
        await withdraw(service.context, key, 'operator:other');
        await suggest(200);
      },
      press: () => dana.post(`/applications/${id}/refund/confirm`),
      stored: () => db.selectFrom('paymentRefund').select('amountCents').where('id', '=', `ref_${id}`).execute(),
    };
  },
};

/** The text of the page when its content has changed. */
const changed = /(has|have) changed since you opened (this|the|it)/;

for (const { name } of committingForms) {
  it(`The form ${name} does nothing when its content has changed since it was shown, and says so.`, async () => {
    const { change, press, stored } = (await scenarios[name]?.()) ?? {};
    await change?.();
    const again = await press?.();
    equal(again?.status, 422);
    match(again.html, changed);
    deepEqual(await stored?.(), []);
    const pressed = await press?.();
    equal(pressed?.status, 200);
    notDeepEqual(await stored?.(), [], 'the second press, of the page as it is now');
  });

  it(`The form ${name} is taken at once when nothing has changed.`, async () => {
    const { press, stored } = (await scenarios[name]?.()) ?? {};
    equal((await press?.())?.status, 200);
    notDeepEqual(await stored?.(), []);
  });
}

it('A document that another holder adds or exchanges brings the review again: it is signed, too.', async () => {
  const { applicationUrl, user } = await twoHolders('review');
  await addDocuments(applicationUrl, ['other']);
  for (let changes = 0; changes < 2; changes += 1) {
    await user.get(`${applicationUrl}/review`);
    await addDocuments(applicationUrl, ['other']);
    const page = await user.post(`${applicationUrl}/review`, typed.review);
    deepEqual([page.status, changed.test(page.html)], [422, true]);
  }
  equal((await user.post(`${applicationUrl}/review`, typed.review)).status, 200);
});

it('A page that is shown again keeps the input of the user, in both languages.', async () => {
  const { applicationUrl, user, other } = await twoHolders('review');
  await user.get(`${applicationUrl}/review?lang=es`);
  await other.post(`${applicationUrl}/identity`, otherSsn);
  const { html, status } = await user.post(`${applicationUrl}/review?lang=es`, typed.review);
  equal(status, 422);
  match(html, /ha cambiado desde que abrió esta página/);
  match(html, /value="ana {2}rivera"/);
  match(html, /name="attest"[^>]*checked/);
});

it('A post without the token, with that of another form or of another application, commits nothing.', async () => {
  const [own, foreign] = [await twoHolders('review'), await twoHolders('review')];
  const { html } = await foreign.user.get(`${foreign.applicationUrl}/review`);
  const theirs = /name="shown" value="([^"]+)"/.exec(html)?.[1] ?? '';
  for (const shown of ['', 'x', theirs]) {
    const page = await own.user.post(`${own.applicationUrl}/review`, { ...typed.review, shown });
    deepEqual([page.status, changed.test(page.html)], [422, true], shown);
  }
});

it('A token does not reveal whether a guessed SSN is that of the user.', async () => {
  const { applicationUrl, other } = await twoHolders('review');
  const token = async () =>
    /name="shown" value="([^"]+)"/.exec((await other.get(`${applicationUrl}/review`)).html)?.[1];
  await other.post(`${applicationUrl}/identity`, otherSsn);
  const first = await token();
  await other.post(`${applicationUrl}/identity`, otherSsn);
  notDeepEqual(await token(), first);
});

/** Where each committing form is posted. */
const committing = {
  review: '/s/:token/review',
  payment: '/s/:token/payment',
  action: '/a/:token',
  furtherFee: '/a/:token',
  decision: '/applications/:id/states/:state',
  correction: '/applications/:id/states/:state/correction',
  correctionConfirmation: '/applications/:id/states/:state/correction/confirm',
  filing: '/filings/:id/:state/filed',
  claim: '/filings/:id/:state/release-claim',
  refund: '/applications/:id/refund',
  refundConfirmation: '/applications/:id/refund/confirm',
};

/** The other posts: they save input that is confirmed later, or commit nothing that a page shows. */
const others = [
  '/a/:token/documents',
  '/applications/:id/documents/:document',
  '/applications/:id/notes',
  '/applications/:id/refund/withdraw',
  '/applications/:id/reveal',
  '/applications/:id/states/:state/correction/withdraw',
  '/authenticator',
  '/filings/:id/:state/claim',
  '/filings/:id/:state/claim-and-fields',
  '/filings/:id/:state/fields',
  '/filings/:id/:state/package.pdf',
  '/filings/:id/:state/package.zip',
  '/filings/:id/:state/reference',
  '/filings/:id/:state/release',
  '/filings/:id/:state/waits',
  '/filings/assign',
  '/filings/claim',
  '/filings/list.csv',
  '/password',
  '/payments/notifications',
  '/proof/oidc',
  '/s/:token',
  '/s/:token/background/:group',
  '/s/:token/background/documents',
  '/s/:token/background/earlier',
  '/s/:token/disclosures',
  '/s/:token/identity',
  '/s/:token/identity/code',
  '/s/:token/profile/:topic',
  '/s/:token/profile/:topic/:state',
  '/s/:token/profile/agencies',
  '/s/:token/profile/agencies/:entry',
  '/s/:token/profile/agencies/:entry/remove',
  '/s/:token/profile/employment',
  '/s/:token/profile/employment/:entry',
  '/s/:token/profile/employment/:entry/remove',
  '/s/:token/renewal',
  '/s/:token/review/answers',
  '/s/:token/states',
  '/search',
  '/sign-in',
  '/sign-in/oidc',
  '/sign-out',
  '/templates',
  '/templates/:id/remove',
  '/test-processor/:paymentId/:token',
  '/webhooks/replay',
];

it('Every post of the hosted application and of the console is listed here, with its form if it commits.', () => {
  const { context } = service;
  const app = createApplyApp(context, {
    assets: { href: () => '', at: () => undefined },
    operator: readOperator(readEnvironment({})),
    testProcessor: createTestProcessor({ db: context.db, links: context.links }),
  });
  const posts = [...app.routes, ...consoleRoutes].filter(({ method }) => method === 'POST');
  const paths = [...new Set(posts.map(({ path }) => path))].sort();
  deepEqual(paths, [...new Set([...Object.values(committing), ...others])].sort());
  deepEqual(
    Object.keys(committing),
    committingForms.map(({ name }) => name),
  );
});
