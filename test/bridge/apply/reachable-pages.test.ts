import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { request, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { after, before, describe, it } from 'node:test';
import { findAgency } from '../../../src/bridge/store/accounts/agency-store.js';
import { inputLimits } from '../../../src/bridge/domain/limits/limits.js';
import { uploadFrameBytes } from '../../../src/bridge/apply/body-budgets.js';
import { startApplyService, type ApplyService } from './support/service.js';
import { order, placeAt, tokenOf, type Place } from './support/shortcuts.js';

/** The page that an application at a step opens. */
const opens: Record<Place, string> = {
  profile: '/start',
  identity: '/identity',
  background: '/background/criminal',
  disclosures: '/disclosures',
  review: '/review',
  payment: '/payment',
  receipt: '/receipt',
};

describe('which page a link opens', () => {
  let service: ApplyService;
  let now = Date.now();
  before(async () => {
    service = await startApplyService({ clock: () => new Date(now) });
  });
  after(() => service.stop());

  /** The status of one answer, and the path below the link that it leads to, or the other site. */
  async function open(applicationUrl: string, path: string, init: RequestInit = {}) {
    const answer = await fetch(applicationUrl + path, { redirect: 'manual', ...init });
    const { pathname } = new URL(applicationUrl);
    const location = answer.headers.get('location');
    const leadsTo = location?.startsWith(pathname) ? location.slice(pathname.length) : location;
    return { status: answer.status, leadsTo, html: await answer.text() };
  }

  /** Follows the redirects, as far as the path below the link. */
  async function arrive(applicationUrl: string, path: string): Promise<string> {
    const answer = await fetch(applicationUrl + path);
    equal(answer.status, 200, path);
    return new URL(answer.url).pathname.slice(new URL(applicationUrl).pathname.length);
  }

  for (const [at, place] of order.slice(0, -1).entries()) {
    it(`At "${place}", the pages up to it are open, and every later one leads to it.`, async () => {
      const { applicationUrl } = await service.createSession();
      await placeAt(service, { applicationUrl }, place);
      for (const [index, page] of order.slice(0, -1).entries()) {
        const { status, leadsTo } = await open(applicationUrl, `/${page}`);
        if (index <= at) {
          ok(status === 200 || leadsTo?.startsWith(`/${page}/`), `${page}: ${status} ${leadsTo ?? ''}`);
          continue;
        }
        deepEqual([status, leadsTo], [303, ''], page);
        const form = page === 'background' ? opens.background : `/${page}`;
        const posted = await open(applicationUrl, form, { method: 'POST', body: new URLSearchParams() });
        deepEqual([posted.status, posted.leadsTo], [303, ''], `a form of ${page}`);
      }
      deepEqual((await open(applicationUrl, '/receipt')).leadsTo, '');
      const arrived = await arrive(applicationUrl, '');
      equal(place === 'profile' ? arrived || '/start' : arrived, opens[place]);
    });
  }

  it("A reload of the user's own answers, which only a form shows, leads to the review.", async () => {
    const { applicationUrl } = await service.createSession();
    await placeAt(service, { applicationUrl }, 'review');
    for (const method of ['GET', 'HEAD']) {
      const { status, leadsTo } = await open(applicationUrl, '/review/answers', { method });
      deepEqual([status, leadsTo], [303, '/review'], method);
    }
  });

  it('A submitted application shows its receipt instead of every other page.', async () => {
    const { applicationUrl } = await service.createSession();
    await placeAt(service, { applicationUrl }, 'receipt');
    for (const page of ['', ...order.slice(0, -1).map((name) => `/${name}`)]) {
      deepEqual((await open(applicationUrl, page)).leadsTo, '/receipt', page);
    }
    equal((await open(applicationUrl, '/receipt')).status, 200);
  });

  it('An expired link leads back to the partner from every page, and the receipt of one does not end.', async () => {
    const [unfinished, submitted] = [await service.createSession(), await service.createSession()];
    await placeAt(service, unfinished, 'disclosures');
    await placeAt(service, submitted, 'receipt');
    const started = now;
    now = Date.parse(unfinished.expiresAt);
    try {
      for (const page of ['', '/profile', '/disclosures', '/payment', '/receipt']) {
        const { leadsTo } = await open(unfinished.applicationUrl, page);
        match(leadsTo ?? '', /^http:\/\/localhost:5999\/return\?state=once-only&page=a%20b&status=expired$/, page);
      }
      equal((await open(submitted.applicationUrl, '/receipt')).status, 200);
      now = Date.parse(unfinished.expiresAt) - 1;
      equal((await open(unfinished.applicationUrl, '/disclosures')).status, 200, 'a millisecond before');
    } finally {
      now = started;
    }
  });

  it('The application of a deactivated agency says that it is stopped, and leads to nothing but the partner.', async () => {
    const { applicationUrl, applicationId } = await service.createSession();
    await placeAt(service, { applicationUrl }, 'identity');
    const { db } = service.context;
    const { agencyId } = await db
      .selectFrom('application')
      .select('agencyId')
      .where('id', '=', applicationId)
      .executeTakeFirstOrThrow();
    const set = (deactivatedAt: Date | null) =>
      db.updateTable('agency').set({ deactivatedAt }).where('id', '=', agencyId).execute();
    const { name = '' } = (await findAgency(db, agencyId)) ?? {};
    await set(new Date(now));
    try {
      for (const page of ['', '/identity', '/receipt']) {
        const { status, html } = await open(applicationUrl, page);
        equal(status, 410, page);
        ok(html.includes(name) && html.includes('status=expired'), page);
        ok(!html.includes('name="ssn"'));
      }
    } finally {
      await set(null);
    }
  });

  it('Looking at a link does not start the application; opening it does.', async () => {
    const { applicationUrl, applicationId } = await service.createSession();
    const startedAt = async () =>
      (
        await service.context.db
          .selectFrom('application')
          .select('startedAt')
          .where('id', '=', applicationId)
          .executeTakeFirstOrThrow()
      ).startedAt;
    for (const [path, init] of [
      ['', { method: 'HEAD' }],
      ['', { method: 'POST', body: new URLSearchParams() }],
      ['/profile', {}],
    ] as const) {
      ok((await open(applicationUrl, path, init)).status < 400, path);
      equal(await startedAt(), null, JSON.stringify([path, init]));
    }
    await open(applicationUrl, '');
    ok(await startedAt());
  });

  /** The snapshot that the page sends to the partner's page. */
  function toldBy(html: string) {
    const [, text = ''] = /data-snapshot="([^"]*)"/.exec(html) ?? [];
    return JSON.parse(text.replaceAll('&quot;', '"')) as Record<string, unknown>;
  }

  it('A page tells its partner how far the application is, when something was saved last, and the states once it is submitted.', async () => {
    const { applicationUrl } = await service.createSession();
    await placeAt(service, { applicationUrl }, 'profile');
    const first = toldBy((await open(applicationUrl, '/profile/names')).html);
    deepEqual(first, { step: 'profile', index: 1, count: 6, dirty: false, states: [] });
    now += 1_000;
    await placeAt(service, { applicationUrl }, 'identity');
    await placeAt(service, { applicationUrl }, 'disclosures');
    now += 1_000;
    // An earlier step, which is saved last.
    const savedAt = new Date(now).toISOString();
    const names = new URLSearchParams({ firstName: 'Ana', lastName: 'Rivera' });
    equal((await open(applicationUrl, '/profile/names', { method: 'POST', body: names })).status, 303);
    const { html } = await open(applicationUrl, '/identity');
    match(html, /data-origins="\[&quot;http:\/\/localhost:5999&quot;\]"/);
    match(html, /data-expiry="\{/);
    deepEqual(toldBy(html), { step: 'identity', index: 2, count: 6, dirty: false, savedAt, states: [] });
    // The steps beside the page: those that were reached are links, later ones are not.
    const [, beside = ''] = /<aside class="overview"([\s\S]*?)<\/aside>/.exec(html) ?? [];
    for (const [index, page] of order.slice(0, -1).entries()) {
      equal(beside.includes(`/s/${tokenOf(applicationUrl)}/${page}"`), index <= 3 && page !== 'identity', page);
    }
    deepEqual(beside.match(/class="done"/g)?.length, 2, 'the profile and the questions');
    match(beside, /Your link ends/);
    await placeAt(service, { applicationUrl }, 'receipt');
    const receipt = await open(applicationUrl, '/receipt');
    const { states, step } = toldBy(receipt.html);
    equal(step, 'submitted');
    deepEqual(new Set((states as { state: string }[]).map(({ state }) => state)), new Set(['TX', 'CA']));
    for (const gone of ['<aside class="overview"', 'data-expiry="{', 'Your link ends']) {
      ok(!receipt.html.includes(gone), gone);
    }
  });

  it('A page of test mode says that it is one, and a live page does not.', async () => {
    for (const mode of ['test', 'live'] as const) {
      const { applicationUrl } = await service.createSession({ paymentMethod: 'partner_billing' }, { mode });
      const { html } = await open(applicationUrl, '');
      equal(html.includes('Nothing is sent to a real department'), mode === 'test', mode);
    }
  });

  it('A link that was never made is not found, and neither is one with a text that no link has.', async () => {
    const unknown = `${service.applyUrl}/s/${'x'.repeat(43)}`;
    for (const [url, status] of [
      [unknown, 404],
      [`${unknown}/identity`, 404],
      [`${unknown}/identity?x=%00`, 400],
    ] as const) {
      equal((await fetch(url)).status, status, url);
    }
  });

  it('Fees that the partner pays are said to be billed to it, and those of the user are not.', async () => {
    for (const [paymentMethod, isBilled] of [
      ['partner_billing', true],
      ['user_pays', false],
    ] as const) {
      const { applicationUrl } = await service.createSession({ paymentMethod });
      await placeAt(service, { applicationUrl }, 'identity');
      const { html } = await open(applicationUrl, '/identity');
      const [, beside = ''] = /<aside class="overview"([\s\S]*?)<\/aside>/.exec(html) ?? [];
      equal(/billed/i.test(beside), isBilled, paymentMethod);
    }
  });
});

describe('the forms that are read', () => {
  let service: ApplyService;
  before(async () => {
    service = await startApplyService();
  });
  after(() => service.stop());
  const { formFields, formFieldCharacters, formBytes, documentBytes } = inputLimits;

  it('A form may have as many fields, and as long ones, as the limits say, and not one more.', async () => {
    const { applicationUrl } = await service.createSession();
    await placeAt(service, { applicationUrl }, 'profile');
    const post = async (body: string) => {
      const headers = { 'content-type': 'application/x-www-form-urlencoded' };
      return (await fetch(`${applicationUrl}/profile/names`, { method: 'POST', headers, body })).status;
    };
    const fields = (count: number) => Array.from({ length: count }, (_, index) => `f${index}=`).join('&');
    for (const [body, status] of [
      [fields(formFields.max), 422],
      [fields(formFields.max + 1), 413],
      [`other=${'x'.repeat(formFieldCharacters.max)}`, 422],
      [`other=${'x'.repeat(formFieldCharacters.max + 1)}`, 413],
    ] as const) {
      equal(await post(body), status, body.slice(0, 20));
    }
  });

  it('A form with a text that cannot be stored is refused.', async () => {
    const { applicationUrl } = await service.createSession();
    await placeAt(service, { applicationUrl }, 'profile');
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const sent = await fetch(`${applicationUrl}/profile/names`, { method: 'POST', headers, body: 'firstName=%00' });
    equal(sent.status, 400);
  });

  /** Sends a head and the beginning of a body, and resolves with the answer. */
  async function send(url: string, headers: Record<string, string>, body = ''): Promise<IncomingMessage> {
    const sent = request(url, { method: 'POST', headers });
    sent.on('error', () => undefined);
    sent.write(body);
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    sent.destroy();
    return answer;
  }

  it('A body is refused by its announced length, before it is sent, or as soon as it is too long.', async () => {
    const { applicationUrl } = await service.createSession();
    await placeAt(service, { applicationUrl }, 'background');
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const upload = { 'content-type': 'multipart/form-data; boundary=b' };
    const documents = `${applicationUrl}/background/documents`;
    const largestUpload = documentBytes.max + uploadFrameBytes;
    for (const [url, headers, body, status] of [
      [`${applicationUrl}/identity`, { ...form, 'content-length': String(formBytes.max + 1) }, '', 413],
      [documents, { ...upload, 'content-length': String(largestUpload + 1) }, '', 413],
      [documents, { ...upload, 'transfer-encoding': 'chunked' }, 'x'.repeat(formBytes.max + 1), 413],
      [`${applicationUrl}/identity`, { ...form, 'transfer-encoding': 'chunked' }, 'x'.repeat(formBytes.max + 1), 413],
      [`${applicationUrl}/identity`, { ...upload, 'content-length': '10' }, '', 415],
      [`${documents}/more`, { ...upload, 'content-length': '10' }, '', 415],
      [`${service.applyUrl}/a/${'x'.repeat(43)}/documents/more`, { ...upload, 'content-length': '10' }, '', 415],
      [documents, { 'content-type': 'application/json', 'content-length': '2' }, '{}', 415],
    ] as const) {
      const answer = await send(url, headers, body);
      equal(answer.statusCode, status, `${url} ${JSON.stringify(headers)}`);
      // The rest of such a body is not read.
      if ('transfer-encoding' in headers) equal(answer.headers.connection, 'close');
    }
  });

  it('The largest form and the largest upload that are announced are read.', async () => {
    const { applicationUrl } = await service.createSession();
    await placeAt(service, { applicationUrl }, 'background');
    // Fields of two kilobytes, as many as fit.
    const field = (index: number) => `f${String(index).padStart(3, '0')}=`.padEnd(2_047, 'x');
    const body = `${Array.from({ length: formBytes.max / 2_048 }, (_, index) => field(index)).join('&')}&`;
    equal(body.length, formBytes.max);
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    equal((await fetch(`${applicationUrl}/identity`, { method: 'POST', headers, body })).status, 422);
    const head = '--b\r\ncontent-disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n';
    const tail = '\r\n--b--\r\n';
    const upload = head + 'x'.repeat(documentBytes.max + uploadFrameBytes - head.length - tail.length) + tail;
    const sent = await fetch(`${applicationUrl}/background/documents`, {
      method: 'POST',
      headers: { 'content-type': 'multipart/form-data; boundary=b' },
      body: upload,
    });
    // Its length is allowed; the document in it is too large, which its page says.
    equal(sent.status, 422);
    match(await sent.text(), /8 MB/);
  });
});
