import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { fieldsOf, topicIds } from '../../../src/bridge/domain/applications/profile/topics.js';
import { steadyJob } from '../../support/profile-forms.js';
import { startApplyService, type ApplyService } from './support/service.js';
import { createVisitor, typedProfile, walkTo, type Fields } from './support/visitor.js';

/** A unique value in each text field. Numbers have separate ones. */
const numbers: Record<string, string> = { npn: '7700770077', crd: '8800880088', fein: '99-0099009', zip: '77012-3456' };
const phones: Record<string, string> = { phone: '512 555 7712', businessPhone: '512 555 7713' };

function canaryOf(topic: string, name: string): string {
  if (name in numbers) return numbers[name] ?? '';
  if (name in phones) return phones[name] ?? '';
  return name.toLowerCase().includes('email') ? `${topic}.${name}@canary.example` : `canary-${topic}-${name}`;
}

const written = topicIds.flatMap((topic) =>
  fieldsOf(topic)
    .filter(([, { kind }]) => kind === 'text' || kind === 'lines')
    .map(([name]) => ({ topic, name, canary: canaryOf(topic, name) })),
);

function formOf(topic: string, fields: Fields): Fields {
  const own = written.filter((one) => one.topic === topic).map(({ name, canary }) => [name, canary]);
  return { ...fields, ...(Object.fromEntries(own) as Fields) };
}

/** The choices that show every field, page by page. */
const choices: Record<string, Fields> = {
  business: { which: 'other', abroad: 'abroad', country: 'MX' },
  mailing: { which: 'other', abroad: 'abroad', country: 'CA' },
  citizenship: { citizen: 'other', country: 'MX' },
  work: { document: 'visa' },
  affiliation: { agency: 'agency' },
  residency: { homeState: 'TX', homeLicense: 'active' },
  education: { course: 'done', ...dayFields('completed') },
  exam: { exam: 'passed', ...dayFields('examDate') },
  fingerprints: { taken: 'done', ...dayFields('appointment') },
};

function dayFields(name: string): Fields {
  return { [`${name}Year`]: '2024', [`${name}Month`]: '5', [`${name}Day`]: '6' };
}

describe('the input of the profile step', () => {
  let service: ApplyService;
  before(async () => {
    service = await startApplyService();
  });
  after(() => service.stop());

  it('The input of the profile step is in no plain row, in no log line and in no response to the partner.', async () => {
    const { applicationUrl, applicationId } = await service.createSession({}, { profile: {} });
    const visitor = createVisitor();
    let page = await walkTo(visitor, { applicationUrl }, 'profile');
    for (let pages = 0; pages < 60 && page.url.includes('/profile/'); pages += 1) {
      const [, topic = ''] = /\/profile\/(\w+)/.exec(page.url) ?? [];
      if (topic === 'employment') await visitor.post(`${page.url}/new`, formOf(topic, steadyJob));
      if (topic === 'agencies') await visitor.post(`${page.url}/new`, { ...formOf(topic, {}), states: ['TX'] });
      const fields = formOf(topic, { ...typedProfile[topic], ...choices[topic], keepNpn: 'keep' });
      page = await visitor.post(page.url, topic === 'employment' || topic === 'agencies' ? {} : fields);
      equal(page.status, 200, `${topic}: ${page.html.match(/class="error"[^]*?<\/p>/)?.[0] ?? ''}`);
    }
    match(page.url, /\/identity$/);

    // A control: all input was saved, and is shown to the user again.
    const seen = visitor.seen.map(({ html }) => html).join('\n');
    const pages = ['names', 'about', 'contact', 'home', 'business', 'mailing', 'work', 'employment', 'residency'];
    let shown = seen;
    for (const key of pages) shown += (await visitor.get(`${applicationUrl}/profile/${key}`)).html;
    for (const canary of ['canary-names-middleName', 'canary-work-number', 'canary-employment-employer'])
      ok(shown.includes(canary), canary);

    const { rows: tables } = await sql<{ name: string }>`
      select table_schema || '.' || table_name as name from information_schema.tables
      where table_schema not in ('pg_catalog', 'information_schema') and table_type = 'BASE TABLE'`.execute(
      service.context.db,
    );
    const places: Record<string, string> = {
      'the log': service.logged.join('\n'),
      'operation 19': JSON.stringify((await service.call('GET', `/v1/applications/${applicationId}`)).body),
    };
    for (const { name } of tables) {
      const { rows } = await sql<{ line: string }>`select t::text as line from ${sql.table(name)} t`.execute(
        service.context.db,
      );
      places[name] = rows.map(({ line }) => line).join('\n');
    }
    const found = written.flatMap(({ topic, name, canary }) =>
      Object.entries(places).flatMap(([place, text]) =>
        text.includes(canary) ? [`${topic}.${name} in ${place}`] : [],
      ),
    );
    deepEqual(found, []);
  });

  it('Input in the format of the previous version leads the user to the pages to confirm it.', async () => {
    const { applicationUrl, applicationId } = await service.createSession();
    const visitor = createVisitor();
    await walkTo(visitor, { applicationUrl }, 'background');
    const old = {
      firstName: 'Olga',
      lastName: 'Before',
      email: 'olga@example.com',
      phone: '512 555 0100',
      dateOfBirth: '1985-03-27',
      residentialAddress: { street: '9 Old Street', city: 'Austin', state: 'TX', zip: '78701' },
    };
    await service.context.db
      .updateTable('application_step')
      .set({ data: JSON.stringify(old), sealed: null })
      .where('application_id', '=', applicationId)
      .where('step', '=', 'profile')
      .execute();
    const page = await visitor.get(applicationUrl);
    match(page.url, /\/profile\/names$/);
    ok(page.html.includes('value="Olga"'));
  });
});
