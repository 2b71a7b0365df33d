import { equal, ok } from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { addProducers, sampleProducer } from '../../support/producers.js';
import { startApplyService, type ApplyService } from './support/service.js';
import { completeProfile, createVisitor, typedProfile, walkTo } from './support/visitor.js';

describe('the profile that the partner sent', () => {
  let service: ApplyService;
  before(async () => {
    service = await startApplyService();
  });
  after(() => service.stop());

  for (const [name, value] of [
    ['phone', '+1 (512) 555-0100 ext. 12'],
    ['phone', '512.555.0100 x7'],
    ['phone', '512/555-0100'],
    ['email', `${'a'.repeat(60)}@${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(60)}.example`],
  ] as const) {
    it(`The partner's profile can be confirmed unchanged, with ${value.slice(0, 40)}.`, async () => {
      const { applicationUrl } = await service.createSession({}, { profile: { [name]: value } });
      const visitor = createVisitor();
      await walkTo(visitor, { applicationUrl }, 'profile');
      await visitor.post(`${applicationUrl}/profile/names`, typedProfile['names'] ?? {});
      const page = await visitor.post(`${applicationUrl}/profile/about`, typedProfile['about'] ?? {});
      ok(page.html.includes(`value="${value}"`));
      const next = await completeProfile(visitor, page, { [name]: value });
      equal(next.heading, 'Your Social Security number');
      ok((await visitor.get(`${applicationUrl}/profile/contact`)).html.includes(`value="${value}"`));
    });
  }
});

describe('the profile and the registry', () => {
  let service: ApplyService;
  before(async () => {
    service = await startApplyService();
    await addProducers(service.context, 'test', [sampleProducer('77')]);
  });
  after(() => service.stop());

  const owner = { dateOfBirthMonth: '4', dateOfBirthDay: '12', dateOfBirthYear: '1988', npn: '0077' };

  async function arrive(lastName: string) {
    const { applicationUrl } = await service.createSession({}, { profile: {} });
    const visitor = createVisitor();
    await walkTo(visitor, { applicationUrl }, 'profile');
    const at = (page: string) => `${applicationUrl}/profile/${page}`;
    await visitor.post(at('names'), { firstName: 'Sample', lastName });
    const about = (fields: Record<string, string>) => visitor.post(at('about'), fields);
    /** The page of the business address, once the pages before it are filled in. */
    async function business() {
      await visitor.post(at('contact'), typedProfile['contact'] ?? {});
      await visitor.post(at('home'), typedProfile['home'] ?? {});
      return visitor.get(at('business'));
    }
    return { about, business };
  }

  it("The registry's data of the same person is prefilled.", async () => {
    const { about, business } = await arrive('Producer 77');
    ok((await about(owner)).html.includes('producer-77@example.com'));
    ok((await business()).html.includes('100 Example Street'));
  });

  it('An NPN of another name gets a kind hint, and can be kept.', async () => {
    const { about, business } = await arrive('Rivera');
    const doubted = await about(owner);
    equal(doubted.status, 422);
    ok(doubted.html.includes('under another last name'));
    ok(!doubted.html.includes('Producer 77'));
    equal((await about({ ...owner, keepNpn: 'keep' })).status, 200);
    ok(!(await business()).html.includes('100 Example Street'));
  });

  it('An unknown NPN gets a hint.', async () => {
    const { about } = await arrive('Rivera');
    ok((await about({ ...owner, npn: '4711' })).html.includes('This NPN is not in the national registry'));
  });

  it('A caller who tries birth dates receives no address.', async () => {
    const { about, business } = await arrive('Producer 77');
    for (const dateOfBirthDay of ['1', '2', '3', '4', '5']) await about({ ...owner, dateOfBirthDay });
    await about(owner);
    ok(!(await business()).html.includes('100 Example Street'));
  });
});
