import { equal, ok } from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { StateCode } from '../../../src/contract/index.js';
import { steadyJob } from '../../support/profile-forms.js';
import { addProducers, sampleProducer } from '../../support/producers.js';
import { startApplyService, type ApplyService } from './support/service.js';
import { completeProfile, createVisitor, typedProfile, walkTo, type Fields } from './support/visitor.js';

describe('the profile and the registry', () => {
  let service: ApplyService;
  before(async () => {
    service = await startApplyService();
    await addProducers(service.context, 'test', [sampleProducer('77')]);
  });
  after(() => service.stop());

  const owner = { dateOfBirthMonth: '4', dateOfBirthDay: '12', dateOfBirthYear: '1988', npn: '0077' };

  /** Only the registry of test mode has producers. */
  async function arrive(lastName: string, mode: 'live' | 'test' = 'test') {
    const request = { paymentMethod: 'partner_billing' as const };
    const { applicationUrl } = await service.createSession(request, { mode, profile: {} });
    const visitor = createVisitor();
    await visitor.get(applicationUrl);
    const at = (page: string) => `${applicationUrl}/profile/${page}`;
    await visitor.post(at('names'), { firstName: 'Sample', lastName });
    const about = (fields: Record<string, string>) => visitor.post(at('about'), fields);
    const contact = async () => (await visitor.post(at('home'), typedProfile['home'] ?? {})).html;
    /** The page of the business address, once the pages before it are filled in. */
    async function business() {
      await contact();
      await visitor.post(at('contact'), typedProfile['contact'] ?? {});
      return visitor.get(at('business'));
    }
    return { about, contact, business };
  }

  it("The registry's data of the same person is prefilled.", async () => {
    const { about, contact, business } = await arrive('Producer 77');
    await about(owner);
    ok((await contact()).includes('producer-77@example.com'));
    ok((await business()).html.includes('100 Example Street'));
  });

  it('An NPN that is unknown, or of another name, gets a kind hint without data, and can be kept.', async () => {
    const { about, business } = await arrive('Rivera');
    ok((await about({ ...owner, npn: '4711' })).html.includes('This NPN is not in the national registry'));
    const doubted = await about(owner);
    equal(doubted.status, 422);
    ok(doubted.html.includes('under another last name'));
    ok(!doubted.html.includes('Producer 77'));
    equal((await about({ ...owner, keep: 'npn' })).status, 200);
    ok(!(await business()).html.includes('100 Example Street'));
  });

  it('With an empty registry, no page says that an NPN is wrong.', async () => {
    const { about } = await arrive('Rivera', 'live');
    const answered = await about({ ...owner, npn: '4711' });
    equal(answered.status, 200);
    ok(!answered.html.includes('registry'));
  });

  it('A caller who tries birth dates receives no address.', async () => {
    const { about, business } = await arrive('Producer 77');
    for (const dateOfBirthDay of ['1', '2', '3', '4', '5']) await about({ ...owner, dateOfBirthDay });
    await about(owner);
    ok(!(await business()).html.includes('100 Example Street'));
  });

  it('What a state requires of its residents is not optional, and an error names the state in both languages.', async () => {
    const { applicationUrl } = await service.createSession({ states: ['TX', 'CA'] }, { profile: {} });
    const visitor = createVisitor();
    const at = (page: string) => `${applicationUrl}/profile/${page}`;
    await visitor.get(applicationUrl);
    for (const page of ['names', 'about', 'home']) await visitor.post(at(page), typedProfile[page] ?? {});
    const label = (html: string) => /<label for="businessEmail">([^<]*)</.exec(html)?.[1]?.trim();
    equal(label((await visitor.get(at('contact'))).html), 'Business e-mail address');
    const contact = { ...typedProfile['contact'], businessEmail: '' };
    const refused = await visitor.post(at('contact'), contact);
    equal(refused.status, 422);
    ok(refused.html.includes('Enter a business e-mail address: it is required by Texas'));
    const spanish = await visitor.post(`${at('contact')}?lang=es`, contact);
    ok(spanish.html.includes('Lo exige: Texas'));
    equal(new URL((await visitor.get(applicationUrl)).url).pathname, new URL(at('contact')).pathname);
  });

  /** Fills in the pages before those of the lines. */
  async function comeToLines(states: StateCode[], forms: Record<string, Fields>) {
    const { applicationUrl } = await service.createSession({ states }, { profile: {} });
    const visitor = createVisitor();
    await visitor.get(applicationUrl);
    const post = (page: string, fields = forms[page] ?? typedProfile[page] ?? {}) =>
      visitor.post(`${applicationUrl}/profile/${page}`, fields);
    for (const page of ['names', 'about', 'home', 'contact', 'business', 'mailing', 'citizenship']) await post(page);
    await post('employment/new', steadyJob);
    await post('employment', {});
    await post('residency');
    return { applicationUrl, visitor, post };
  }

  it('A page that a later answer makes incomplete is shown again and says why.', async () => {
    const { applicationUrl, visitor, post } = await comeToLines(['TX', 'WA'], {
      home: { ...typedProfile['home'], state: 'OK', zip: '73102' },
      contact: { ...typedProfile['contact'], businessEmail: '' },
    });
    const { html, url } = await visitor.get(applicationUrl);
    ok(url.endsWith('/profile/contact'), url);
    ok(html.includes('Enter a business e-mail address: it is required by Texas'));
    // Not once more through the pages behind it, which are complete.
    ok((await post('contact', typedProfile['contact'])).url.endsWith('/profile/authority'));
  });

  it('A ZIP code of another state is doubted, and can be kept.', async () => {
    const { applicationUrl } = await service.createSession({}, { profile: {} });
    const visitor = createVisitor();
    const at = (page: string) => `${applicationUrl}/profile/${page}`;
    await visitor.get(applicationUrl);
    for (const page of ['names', 'about']) await visitor.post(at(page), typedProfile[page] ?? {});
    const home = { ...typedProfile['home'], zip: '90001' };
    const doubted = await visitor.post(at('home'), home);
    equal(doubted.status, 422);
    ok(doubted.html.includes('This ZIP code belongs to California'));
    equal((await visitor.post(at('home'), { ...home, keep: 'npn' })).status, 422);
    const kept = await visitor.post(at('home'), { ...home, keep: 'zip' });
    ok(kept.url.endsWith('/contact'));
  });

  it('Lines that a state does not grant together are doubted, also on a later visit, and can be kept.', async () => {
    const residency = { homeState: 'MA', homeLicense: 'none' };
    const { applicationUrl, visitor, post } = await comeToLines(['CA', 'KY', 'MA'], {
      home: { ...typedProfile['home'], state: 'MA', zip: '02108' },
      residency,
    });
    const lines = { spread: 'same', lines: ['variable'] };
    const doubted = await post('authority', lines);
    equal(doubted.status, 422);
    ok(doubted.html.includes('In Kentucky and Massachusetts, Variable life and variable annuity needs Life.'));
    ok(doubted.html.includes('href="#lines-life"'));
    const later = await visitor.get(`${applicationUrl}/profile/authority?lang=es`);
    ok(later.html.includes('Conservar estos ramos'));
    ok(!(await post('authority', { ...lines, keep: 'lines' })).url.endsWith('/authority'));
    ok(!(await visitor.get(`${applicationUrl}/profile/authority`)).html.includes('name="keep"'));

    // Another home state has other rules, and so has a state that is added.
    await post('residency', { homeState: 'CA', homeLicense: 'active' });
    ok(!(await post('residency', residency)).url.endsWith('/securities'));
    ok((await visitor.get(`${applicationUrl}/profile/authority`)).html.includes('In Kentucky and Massachusetts'));
    await post('authority', { ...lines, keep: 'lines' });
    const choose = (states: string[]) => visitor.post(`${applicationUrl}/states`, { states });
    await choose(['CA', 'KY']);
    await choose(['CA', 'KY', 'MA']);
    const again = await visitor.get(`${applicationUrl}/profile/authority`);
    ok(again.html.includes('In Kentucky and Massachusetts'));
  });

  it('A user at a military address chooses the area of the armed forces, and reads its name in the review.', async () => {
    const { applicationUrl } = await service.createSession({}, { profile: {} });
    const visitor = createVisitor();
    const military = { street: 'PSC 1234 Box 567', city: 'APO', state: 'AE', zip: '09012' };
    await walkTo(visitor, { applicationUrl }, 'review', { profile: military });
    const names = { en: 'Armed Forces Europe (AE)', es: 'Fuerzas Armadas, Europa (AE)' };
    for (const [language, name] of Object.entries(names)) {
      const at = async (path: string) => (await visitor.get(`${applicationUrl}/${path}?lang=${language}`)).html;
      ok((await at('profile/home')).includes(`>${name}</option>`), language);
      ok((await at('review')).includes(name), language);
      // An area issues no licenses, so that it is no home state.
      ok(!(await at('profile/residency')).includes(name), language);
    }
  });

  it('No line of authority is ticked before the user chooses, and a variable one asks for the CRD number.', async () => {
    const { applicationUrl } = await service.createSession({ licenseType: 'life_variable', states: ['TX', 'FL'] });
    const visitor = createVisitor();
    await visitor.get(applicationUrl);
    const lines = ['life', 'variable'];
    await completeProfile(visitor, await visitor.get(`${applicationUrl}/profile`), { lines });
    const shown = (key: string) => visitor.seen.find(({ url }) => url.endsWith(`/profile/${key}`))?.html ?? '';
    const boxes = [...shown('authority').matchAll(/<input[^>]*name="lines"[^>]*>/g)].map(([box]) => box);
    ok(boxes.length > 1);
    ok(boxes.every((box) => !/\schecked\s/.test(box)));
    ok(shown('securities').includes('FINRA number (CRD)'));
    ok((await visitor.get(applicationUrl)).url.endsWith('/identity'));
  });

  for (const { topic, applicationType = 'new', facts } of [
    { topic: 'education', facts: { FL: ['<dd>60</dd>', ' 60 '], WI: ['<dd>40</dd>', ' 40 '] } },
    {
      topic: 'exam',
      facts: {
        FL: ['"https://home.pearsonvue.com"', 'Pearson VUE'],
        WI: ['"https://test-takers.psiexams.com"', 'PSI'],
      },
    },
    {
      topic: 'fingerprints',
      facts: {
        FL: [],
        WI: ['"https://www.fieldprint.com"', 'Fieldprint', 'FPWIOCIINSURANCE'],
      },
    },
    { topic: 'continuing', applicationType: 'renewal', facts: { FL: [], WI: [] } },
  ]) {
    it(`The page ${topic} of a state says what that state asks for, in both languages, and not what another does.`, async () => {
      const own = {
        FL: [...facts.FL, 'Florida Department of Financial Services', 'myfloridacfo.com', 'Florida'],
        WI: [...facts.WI, 'Wisconsin Office of the Commissioner of Insurance', 'oci.wi.gov', 'Wisconsin'],
      };
      const { applicationUrl } = await service.createSession({ applicationType, states: ['FL', 'WI'] });
      const visitor = createVisitor();
      await visitor.get(applicationUrl);
      // Without a license of the home state, both states treat the applicant as a resident.
      const residency = { homeState: 'FL', homeLicense: 'none' };
      await completeProfile(visitor, await visitor.get(`${applicationUrl}/profile`), residency);
      for (const [state, other] of [
        ['FL', 'WI'],
        ['WI', 'FL'],
      ] as const) {
        for (const [language, refund, sample] of [
          ['en', 'keeps the state fee', 'Sample details: they were not verified'],
          ['es', 'no devuelve la tarifa estatal', 'Datos de ejemplo: no se han verificado'],
        ] as const) {
          const { html } = await visitor.get(`${applicationUrl}/profile/${topic}/${state}?lang=${language}`);
          const box = /<section class="inset">[\s\S]*?<\/section>/.exec(html)?.[0] ?? '';
          for (const fact of [...own[state], sample]) ok(box.includes(fact), `${fact} in ${box}`);
          // Neither of them publishes whether it keeps the fee.
          for (const fact of [...own[other], refund]) ok(!box.includes(fact), `${fact} not in ${box}`);
          ok([...box.matchAll(/<a [^>]*>/g)].every(([link]) => link.includes('target="_blank" rel="noreferrer"')));
        }
      }
    });
  }
});
