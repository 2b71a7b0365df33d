import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { addNote, listNotes } from '../../../src/bridge/domain/applications/notes.js';
import { exportUser } from '../../../src/bridge/domain/retention/user-data.js';
import { characters, inputLimits } from '../../../src/bridge/domain/limits/limits.js';
import { placeSubmitted, signedIn, startConsole, type ConsoleService } from './support.js';

describe('Notes about an application', () => {
  let service: ConsoleService;
  before(async () => {
    service = await startConsole();
  });
  after(() => service.stop());

  const applicationOf = async (id: string) =>
    service.context.db.selectFrom('application').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

  it('A note is read by colleagues who file, newest first with its author, and by nobody else.', async () => {
    const id = await placeSubmitted(service);
    const page = `/applications/${id}`;
    const dana = await signedIn(service, 'Dana', 'file');
    match((await dana.get(page)).html, /None\./);
    await dana.post(`${page}/notes`, { note: 'Said by phone:\nthe middle name is <wrong>.' });
    const saved = await dana.post(`${page}/notes`, { note: 'Asked the department.' });
    match(saved.html, /The note was saved/);
    const robin = await signedIn(service, 'Robin', 'file');
    const { html } = await robin.get(page);
    ok(html.indexOf('Asked the department.') < html.indexOf('the middle name is &lt;wrong&gt;.'));
    match(html, /Dana/);
    const viewer = await signedIn(service, 'Vera', 'view');
    ok(!(await viewer.get(page)).html.includes('Asked the department.'));
    equal((await viewer.post(`${page}/notes`, { note: 'Mine' })).status, 403);
    const other = await signedIn(service, 'Olga', 'file', { agencyIds: ['agc_other'] });
    await other.get('/');
    equal((await other.post(`${page}/notes`, { note: 'Mine' })).status, 404);
    const partner = await service.call('GET', `/v1/applications/${id}`);
    ok(!JSON.stringify(partner.body).includes('phone'));
    equal((await listNotes(service.context, await applicationOf(id))).length, 2);
  });

  it('An empty or too long note is refused, and what was typed stays.', async () => {
    const id = await placeSubmitted(service);
    const dana = await signedIn(service, 'Dana 2', 'file');
    await dana.get(`/applications/${id}`);
    const empty = await dana.post(`/applications/${id}/notes`, { note: '  ' });
    deepEqual([empty.status, /Write the note first/.test(empty.html)], [422, true]);
    const long = await dana.post(`/applications/${id}/notes`, { note: 'x'.repeat(characters.note.max + 1) });
    deepEqual([long.status, /Shorten the note/.test(long.html), long.html.includes('xxxx')], [422, true, true]);
    equal((await dana.post(`/applications/${id}/notes`, { note: 'x'.repeat(characters.note.max) })).status, 200);
  });

  it('Its text is encrypted in the row, which no other row can take, and is part of what the user may ask for.', async () => {
    const { context, agencyId } = service;
    const id = await placeSubmitted(service);
    await addNote(context, { applicationId: id, text: 'Said by phone', actor: 'cli:tester' });
    const [row] = await context.db.selectFrom('applicationNote').selectAll().where('applicationId', '=', id).execute();
    ok(row && !row.textEncrypted.includes('phone'));
    const application = await applicationOf(id);
    const { userId, mode } = application;
    const request = { agencyId, mode, userId, actor: 'bridge', reason: 'The user asked.' } as const;
    const exported = await exportUser(context, request);
    deepEqual(
      exported?.applications.flatMap(({ notes }) => notes.map(({ text }) => text)),
      ['Said by phone'],
    );
    await context.db
      .insertInto('applicationNote')
      .values({ ...row, id: 'moved' })
      .execute();
    await rejects(listNotes(context, application));
  });

  it('An erased application takes no note, and no application more than its limit.', async () => {
    const { context } = service;
    const full = await placeSubmitted(service);
    const note = { text: 'x', actor: 'cli:tester' } as const;
    for (let count = 0; count < inputLimits.notesPerApplication.max; count += 1) {
      await addNote(context, { applicationId: full, ...note });
    }
    await rejects(addNote(context, { applicationId: full, ...note }), /at most 100 notes/);
    const erased = await placeSubmitted(service);
    await context.db.updateTable('application').set({ erasedAt: new Date() }).where('id', '=', erased).execute();
    await rejects(addNote(context, { applicationId: erased, ...note }), /erased/);
    const dana = await signedIn(service, 'Dana 3', 'file');
    ok(!(await dana.get(`/applications/${erased}`)).html.includes('/notes"'));
    await dana.get(`/applications/${full}`);
    const refused = await dana.post(`/applications/${full}/notes`, { note: 'One more' });
    deepEqual([refused.status, /was not saved/.test(refused.html)], [409, true]);
  });
});
