import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { addTemplate, listTemplates } from '../../../src/bridge/domain/filings/templates.js';
import { inputLimits } from '../../../src/bridge/domain/limits/limits.js';
import { placeSubmitted, signedIn, startConsole, type ConsoleService } from './support.js';

describe('Templates for the reasons of decisions', () => {
  let service: ConsoleService;
  before(async () => {
    service = await startConsole();
  });
  after(() => service.stop());

  const bankLetter = { name: 'Bank letter', status: 'requires_action', reason: 'Send a letter of your bank.' } as const;

  it('A supervisor adds one, the form of a decision begins with it, and only what the form contains is sent.', async () => {
    const ruth = await signedIn(service, 'Ruth', 'supervise');
    await ruth.get('/templates');
    match((await ruth.post('/templates', bankLetter)).html, /The template was added/);
    const id = await placeSubmitted(service);
    const page = `/applications/${id}/states/TX`;
    const dana = await signedIn(service, 'Dana', 'file');
    const [, link = ''] = /href="([^"]+\?template=[^"]+)">Bank letter</.exec((await dana.get(page)).html) ?? [];
    const begun = await dana.get(link);
    match(begun.html, /value="requires_action"\s+checked/);
    match(begun.html, />\s*Send a letter of your bank\.<\/textarea>/);
    // After an error the others can still be chosen.
    match((await dana.post(page, { status: 'denied', reason: '' })).html, /\?template=/);
    const pending = await service.call('GET', `/v1/applications/${id}`);
    equal(pending.body.states[0]?.status, 'pending_review');
    await dana.post(page, { status: 'requires_action', reason: 'Send a letter of your bank of 2025.' });
    const asked = await service.call('GET', `/v1/applications/${id}`);
    equal(asked.body.states[0]?.reason, 'Send a letter of your bank of 2025.');
    // Of a request that is open, only other decisions can be entered.
    ok(!(await dana.get(page)).html.includes('?template='));
  });

  it('An operator who files uses them, and only a supervisor of all agencies changes them.', async () => {
    const before = await listTemplates(service.context);
    const dana = await signedIn(service, 'Dana 2', 'file');
    const page = await dana.get('/templates');
    match(page.html, /Supervisors of all agencies change the templates/);
    ok(!page.html.includes('/remove"'));
    equal((await dana.post('/templates', { ...bankLetter, name: 'Mine' })).status, 403);
    const limited = await signedIn(service, 'Lee', 'supervise', { agencyIds: [service.agencyId] });
    equal((await limited.post('/templates', { ...bankLetter, name: 'Mine' })).status, 404);
    equal((await limited.post(`/templates/${before[0]?.id}/remove`)).status, 404);
    deepEqual(await listTemplates(service.context), before);
    const viewer = await signedIn(service, 'Vera', 'view');
    equal((await viewer.get('/templates')).status, 403);
  });

  it('A name that is taken, a missing text or decision, and one more than there may be are refused, and nothing typed is lost.', async () => {
    const ruth = await signedIn(service, 'Ruth 2', 'supervise');
    await ruth.get('/templates');
    for (const [fields, error] of [
      [bankLetter, 'Another template has this name'],
      [{ ...bankLetter, name: '' }, 'Enter a name'],
      [{ ...bankLetter, name: 'New', status: 'approved' }, 'Choose what the department said'],
      [{ ...bankLetter, name: 'New', reason: '' }, 'aria-invalid'],
    ] as const) {
      const refused = await ruth.post('/templates', fields);
      deepEqual([refused.status, refused.html.includes(error)], [422, true], error);
      if (fields.reason !== '') ok(refused.html.includes(bankLetter.reason));
    }
    const { context } = service;
    const { length } = await listTemplates(context);
    for (let count = length; count < inputLimits.reasonTemplates.max; count += 1) {
      equal(await addTemplate(context, { ...bankLetter, name: `Letter ${count}`, actor: 'cli:tester' }), 'added');
    }
    match(
      (await ruth.post('/templates', { ...bankLetter, name: 'One more' })).html,
      /as many templates as there may be/,
    );
    const [first] = await listTemplates(context);
    match((await ruth.post(`/templates/${first?.id}/remove`)).html, /The template was removed/);
    equal((await listTemplates(context)).length, inputLimits.reasonTemplates.max - 1);
  });
});
