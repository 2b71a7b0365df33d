import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Application } from '../../../src/contract/index.js';
import { startApplyService, type ApplyService } from './support/service.js';
import { placeAt } from './support/shortcuts.js';
import {
  boxesOf,
  completeProfile,
  createVisitor,
  noToAll,
  typed,
  typedProfile,
  signAndPay,
  walkTo,
  type Fields,
  type VisitedPage,
} from './support/visitor.js';

describe('the hosted application, without script', () => {
  let service: ApplyService;
  let now = new Date();
  before(async () => {
    service = await startApplyService({ clock: () => now });
  });
  after(() => service.stop());

  /** The events of an application in order, delivered or not. */
  async function eventsOf(applicationId: string): Promise<{ type: string; step?: unknown }[]> {
    const rows = await service.context.db
      .selectFrom('webhookEvent')
      .select(['type', 'data'])
      .where('streamId', '=', applicationId)
      .orderBy('seq')
      .execute();
    return rows.map(({ type, data }) => ({ type, ...('step' in data && { step: data['step'] }) }));
  }

  async function openStepOf(applicationId: string): Promise<string> {
    const answer = await service.call('GET', `/v1/applications/${applicationId}`);
    return (answer.body as Application).progress.step;
  }

  const webhookUrl = 'http://127.0.0.1:9/hooks';

  it('The hosted application leads from the link to the receipt, step by step.', async () => {
    const { applicationUrl, applicationId } = await service.createSession({ webhookUrl });
    const visitor = createVisitor();
    const receipt = await walkTo(visitor, { applicationUrl, isSlow: true }, 'receipt');
    equal(receipt.heading, 'Application submitted');
    ok(receipt.url.endsWith('/receipt'));
    ok(
      visitor.seen.every(({ heading }) => heading !== 'Documents'),
      'documents are for a yes only',
    );
    match(receipt.html, new RegExp(applicationId));
    match(receipt.html, /Texas[\s\S]*In review[\s\S]*California[\s\S]*In review/);
    match(receipt.html, /http:\/\/localhost:5999\/return\?state=once-only&amp;page=a%20b&amp;status=submitted/);
  });

  it('The form of the SSN can be sent twice, by a user or a proxy, and another number replaces the first.', async () => {
    const session = await service.createSession();
    const visitor = createVisitor();
    await walkTo(visitor, session, 'identity');
    const send = (ssn: string) => visitor.post(`${session.applicationUrl}/identity`, { ssn });
    const first = await send('900-11-0004');
    for (const ssn of ['900-11-0004', '900-22-0009']) {
      const again = await send(ssn);
      deepEqual([again.status, again.heading], [200, first.heading]);
    }
    const nothing = await visitor.post(`${session.applicationUrl}/identity`, {});
    equal(nothing.status, 422);
    match(nothing.html, /Choose whether to use the SSN/);
  });

  it('The hosted application reports each step once, in order, and the submission last.', async () => {
    const { applicationUrl, applicationId } = await service.createSession({ webhookUrl });
    const visitor = createVisitor();
    await walkTo(visitor, { applicationUrl }, 'review');
    // Neither opening a page again nor changing it emits an event.
    await visitor.get(applicationUrl);
    await visitor.post(`${applicationUrl}/identity?change`, { use: 'typed', ...typed.identity });
    await signAndPay(visitor, applicationUrl);
    await visitor.get(applicationUrl);
    const progress = ['profile', 'identity', 'background', 'disclosures', 'review'];
    deepEqual(await eventsOf(applicationId), [
      { type: 'application.session_started' },
      ...progress.map((step) => ({ type: 'application.progress_updated', step })),
      { type: 'application.submitted' },
    ]);
  });

  it('A request that only checks the link does not start the application.', async () => {
    const { applicationUrl, applicationId } = await service.createSession({ webhookUrl });
    equal((await fetch(applicationUrl, { method: 'HEAD', redirect: 'manual' })).status, 303);
    deepEqual(await eventsOf(applicationId), []);
  });

  it("The hosted application shows the partner's profile and lets the user correct it.", async () => {
    const { applicationUrl, applicationId } = await service.createSession();
    const visitor = createVisitor();
    const page = await walkTo(visitor, { applicationUrl }, 'profile');
    match(page.html, /value="Rivera"/);
    const wrong = await visitor.post(page.url, { ...typedProfile['names'], firstName: '', lastName: '' });
    equal(wrong.status, 422);
    match(wrong.title, /^Error: /);
    match(wrong.html, /href="#firstName">Enter your first name/);
    match(wrong.html, /href="#lastName">Enter your last name/);
    const next = await completeProfile(visitor, page, { lastName: 'Rivera-Ortiz' });
    ok(next.url.endsWith('/identity'));
    ok(visitor.seen.some(({ url, html }) => url.endsWith('/profile/home') && html.includes('value="12 Elm Street"')));
    match((await visitor.get(`${applicationUrl}/profile/names`)).html, /value="Rivera-Ortiz"/);
    equal(await openStepOf(applicationId), 'identity');
  });

  it("The hosted application resumes at the user's last page, also in the middle of the questions.", async () => {
    const { applicationUrl } = await service.createSession();
    const first = createVisitor();
    await walkTo(first, { applicationUrl }, 'background');
    const pages = noToAll({ applicationUrl });
    const [page, following] = pages;
    const [answered = ''] = Object.keys(page?.fields ?? {});
    await first.post(`${applicationUrl}${page?.path ?? ''}`, { [answered]: 'no', leave: '1' });

    const second = createVisitor();
    const resumed = await second.get(applicationUrl);
    ok(resumed.url.endsWith(page?.path ?? '-'), resumed.url);
    equal(resumed.html.match(/class="kept"/g)?.length, 1);
    const rest = Object.fromEntries(Object.entries(page?.fields ?? {}).filter(([id]) => id !== answered));
    const next = await second.post(`${applicationUrl}${page?.path ?? ''}`, rest);
    ok(next.url.endsWith(following?.path ?? '-'), next.url);
  });

  it('The hosted application keeps an unfinished profile when the user leaves.', async () => {
    const { applicationUrl } = await service.createSession();
    const visitor = createVisitor();
    const { url } = await walkTo(visitor, { applicationUrl }, 'profile');
    const half = { ...typedProfile['names'], firstName: '', middleName: 'Waco', leave: '1' };
    const away = await visitor.post(url, half);
    equal(away.url, 'http://localhost:5999/return?state=once-only&page=a%20b&status=cancelled');
    match((await visitor.get(applicationUrl)).html, /value="Waco"/);
  });

  it('No step of the hosted application can be skipped.', async () => {
    const { applicationUrl, applicationId } = await service.createSession();
    const visitor = createVisitor();
    const unopened = await visitor.get(`${applicationUrl}/review`);
    equal(unopened.url, applicationUrl);
    await walkTo(visitor, { applicationUrl }, 'identity');
    for (const path of ['background', 'background/criminal', 'disclosures', 'payment', 'review', 'receipt']) {
      ok((await visitor.get(`${applicationUrl}/${path}`)).url.endsWith('/identity'), path);
    }
    ok((await signAndPay(visitor, applicationUrl)).url.endsWith('/identity'));
    ok((await visitor.post(`${applicationUrl}/payment`, typed.payment)).url.endsWith('/identity'));
    await visitor.post(`${applicationUrl}/identity`, typed.identity);
    const last = noToAll({ applicationUrl }).at(-1);
    ok((await visitor.post(`${applicationUrl}${last?.path ?? ''}`, last?.fields ?? {})).url.endsWith('/criminal'));
    equal(await openStepOf(applicationId), 'background');
  });

  it('Every step of the hosted application has a way back.', async () => {
    const { applicationUrl } = await service.createSession();
    const visitor = createVisitor();
    let page = await walkTo(visitor, { applicationUrl }, 'payment');
    const trail = [];
    for (let hops = 0; hops < 30; hops += 1) {
      const back = /class="back" href="([^"]+)"/.exec(page.html)?.[1];
      if (!back) break;
      page = await visitor.get(new URL(back, applicationUrl).href);
      equal(page.status, 200);
      trail.push(page.url.slice(applicationUrl.length));
    }
    deepEqual(trail.slice(0, 2), ['/review', '/disclosures']);
    ok(trail[trail.indexOf('/identity') + 1]?.startsWith('/profile/'));
    deepEqual(trail.slice(-4), ['/profile/home', '/profile/about', '/profile/names', '/start']);
    equal(trail.filter((path) => path.startsWith('/background/')).length, noToAll({ applicationUrl }).length);
  });

  it('A user changes an answer from the review and returns there.', async () => {
    const { applicationUrl } = await service.createSession();
    const visitor = createVisitor();
    const review = await walkTo(visitor, { applicationUrl }, 'review');
    match(review.html, /background\/criminal\?change/);
    ok((await visitor.post(`${applicationUrl}/background/criminal?change`, {})).url.endsWith('/review'));
    ok(
      (await visitor.post(`${applicationUrl}/profile/names?change`, typedProfile['names'] ?? {})).url.endsWith(
        '/review',
      ),
    );
    ok((await visitor.post(`${applicationUrl}/identity?change`, { use: 'keep' })).url.endsWith('/review'));
  });

  it("The hosted application shows the application and the date of birth in the user's language.", async () => {
    const { applicationUrl } = await service.createSession();
    const visitor = createVisitor();
    const english = await walkTo(visitor, { applicationUrl }, 'review');
    for (const text of ['New license', 'Life and health', 'March 27, 1985']) ok(english.html.includes(text), text);
    const spanish = await visitor.get(`${applicationUrl}/review?lang=es`);
    for (const text of ['Licencia nueva', 'Vida y salud', '27 de marzo de 1985']) ok(spanish.html.includes(text), text);
  });

  it('The hosted application requires a tick for the common statements and for each statement of a single state.', async () => {
    const { applicationUrl } = await service.createSession();
    const visitor = createVisitor();
    const page = await walkTo(visitor, { applicationUrl }, 'disclosures');
    const boxes = boxesOf(page);
    const ticked = boxes.filter((box) => box !== 'shared' && box !== 'public_record');
    const wrong = await visitor.post(`${applicationUrl}/disclosures`, { acknowledge: ticked });
    equal(wrong.status, 422);
    match(wrong.html, /href="#shared">Tick the box/);
    match(wrong.html, /href="#public_record">Tick this statement: In Texas, /);
    equal(wrong.html.match(/href="#\w+">Tick/g)?.length, 2);
    // Ticked boxes stay ticked.
    equal((await visitor.get(applicationUrl)).html.match(/\schecked\s/g)?.length, ticked.length);
    ok((await visitor.post(`${applicationUrl}/disclosures`, { acknowledge: boxes })).url.endsWith('/review'));
  });

  it('The signature must be the name on the application, and the page keeps ticks and the name while a field is wrong.', async () => {
    const { applicationUrl } = await service.createSession();
    const visitor = createVisitor();
    const ticked = ({ html }: VisitedPage) =>
      [...html.matchAll(/name="attest"\s+value="(\w+)"\s+checked/g)].map(([, statement]) => statement);
    deepEqual(ticked(await walkTo(visitor, { applicationUrl }, 'review')), []);
    const sign = (fields: Fields) => visitor.post(`${applicationUrl}/review`, { ...typed.review, ...fields });
    const misspelt = await sign({ signedName: 'Ana Riviera' });
    equal(misspelt.status, 422);
    match(misspelt.html, /Type your full name as it is on this application: Ana Rivera/);
    deepEqual(ticked(misspelt), typed.review.attest);
    match(misspelt.html, /value="Ana Riviera"/);
    const unticked = await sign({ attest: ['true', '"><b>'] });
    match(unticked.html, /Tick every statement to sign/);
    deepEqual(ticked(unticked), ['true']);
    // Normalizing it would take seconds, although without the marks it is the right name.
    equal((await sign({ signedName: `Ana Rivera${'\u0301\u0323'.repeat(10_000)}` })).status, 413);
    deepEqual(ticked(await visitor.get(`${applicationUrl}/review`)), []);
  });

  it('An application has five steps and no payment when the partner is billed.', async () => {
    const { applicationUrl } = await service.createSession({ paymentMethod: 'partner_billing' });
    const visitor = createVisitor();
    const review = await walkTo(visitor, { applicationUrl }, 'review');
    match(review.html, /Step 5 of 5/);
    match(review.html, /Billed to Example Agency/);
    ok((await visitor.get(`${applicationUrl}/payment`)).url.endsWith('/review'));
    const receipt = await signAndPay(visitor, applicationUrl);
    equal(receipt.heading, 'Application submitted');
  });

  it('After the submission only the receipt can be opened.', async () => {
    const { applicationUrl } = await service.createSession();
    const visitor = createVisitor();
    await walkTo(visitor, { applicationUrl }, 'receipt');
    for (const path of ['', '/profile', '/identity', '/background/criminal', '/payment', '/review', '/leave']) {
      ok((await visitor.get(`${applicationUrl}${path}`)).url.endsWith('/receipt'), path);
    }
    ok((await visitor.post(`${applicationUrl}/profile/names`, typedProfile['names'] ?? {})).url.endsWith('/receipt'));
  });

  it('The pages stay in Spanish after the user or the browser selected it.', async () => {
    const { applicationUrl } = await service.createSession();
    const visitor = createVisitor();
    const start = await visitor.get(applicationUrl);
    match(start.html, /<html lang="en"/);
    const other = /hreflang="es"[^>]*>|href="([^"]*lang=es)"/.exec(start.html)?.[1] ?? `${applicationUrl}?lang=es`;
    const spanish = await visitor.get(new URL(other, applicationUrl).href);
    match(spanish.html, /<html lang="es"/);
    equal(spanish.heading, 'Solicite su licencia');
    const wrong = await visitor.post(`${applicationUrl}/profile/names?lang=es`, { firstName: '' });
    match(wrong.title, /^Error: Su nombre/);
    const next = await completeProfile(visitor, wrong);
    ok(next.url.endsWith('/identity?lang=es'), next.url);
    equal(next.heading, 'Su número de Seguro Social');
    const asked = await fetch(applicationUrl, { headers: { 'accept-language': 'es-MX,es;q=0.9,en;q=0.8' } });
    match(await asked.text(), /<html lang="es"/);
  });

  it('A wrong link gets a helpful page that does not reveal whether it ever existed.', async () => {
    for (const path of ['/s/unknown', '/s/unknown/identity', '/a/unknown', '/s/', '/elsewhere']) {
      const page = await createVisitor().get(`${service.applyUrl}${path}`);
      equal(page.status, 404, path);
      equal(page.heading, 'This link doesn’t work');
    }
  });

  it('An expired link leads back to the partner from every page and post, but still shows the receipt.', async (t) => {
    const [open, done] = [await service.createSession(), await service.createSession()];
    await placeAt(service, open, 'disclosures');
    await placeAt(service, done, 'receipt');
    const before = now;
    now = new Date(now.getTime() + 25 * 3_600_000);
    t.after(() => (now = before));
    const expired = 'http://localhost:5999/return?state=once-only&page=a%20b&status=expired';
    const visitor = createVisitor();
    for (const path of ['', '/profile', '/background/criminal', '/disclosures', '/leave']) {
      const page = await visitor.get(`${open.applicationUrl}${path}`);
      deepEqual([page.status, page.url], [303, expired], path);
    }
    equal((await visitor.post(`${open.applicationUrl}/profile/names`, { firstName: 'Ana' })).url, expired);
    equal((await visitor.get(done.applicationUrl)).heading, 'Application submitted');
  });
});
