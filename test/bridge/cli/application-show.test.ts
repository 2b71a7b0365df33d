import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { runCli } from '../../../src/bridge/cli/run.js';
import { startApplyService, type ApplyService } from '../apply/support/service.js';
import { createVisitor, walkTo } from '../apply/support/visitor.js';

const key = Buffer.alloc(32, 1).toString('base64');
let service: ApplyService;
before(async () => {
  service = await startApplyService({ environment: { BRIDGE_SECRET_KEY: key } });
});
after(() => service.stop());

async function show(...args: string[]) {
  let [out, err] = ['', ''];
  const output = { out: (text: string) => void (out += text), err: (text: string) => void (err += text) };
  const variables = { DATABASE_URL: service.databaseUrl, BRIDGE_SECRET_KEY: key };
  const code = await runCli(['application', 'show', ...args], variables, output);
  return { code, out, err };
}

test("application show prints status, steps, states and events without the user's input.", async () => {
  const session = await service.createSession({ webhookUrl: 'http://127.0.0.1:9/hooks/private-path' });
  await walkTo(createVisitor(), session, 'receipt');
  const id = session.applicationId;
  const asJson = await show('--id', id, '--json');
  assert.deepEqual([asJson.code, asJson.err], [0, '']);
  const shown = JSON.parse(asJson.out) as {
    applicationId: string;
    step: string;
    submittedAt: string;
    completedSteps: { step: string }[];
    states: { state: string; status: string }[];
    events: { type: string }[];
  };
  assert.deepEqual([shown.applicationId, shown.step], [id, 'submitted']);
  assert.match(shown.submittedAt, /^\d{4}-/);
  assert.ok(shown.completedSteps.some(({ step }) => step === 'identity'));
  assert.deepEqual(shown.states.map(({ state }) => state).sort(), ['CA', 'TX']);
  assert.ok(shown.events.some(({ type }) => type === 'application.submitted'));

  const asText = await show('--id', id);
  assert.match(asText.out, /^step: submitted$/m);
  assert.match(asText.out, /^state TX: pending_review \d{4}-/m);
  assert.match(asText.out, /^event evt_\S+: application\.submitted /m);
  const token = session.applicationUrl.split('/').at(-1) ?? '';
  for (const secret of ['Rivera', 'Ana', 'Elm', '900-11', '900110004', '0004', 'private-path', token]) {
    assert.ok(!(asJson.out + asText.out).includes(secret), secret);
  }
});

test('application show says that no application has the id.', async () => {
  assert.deepEqual(await show('--id', 'app_unknown'), {
    code: 1,
    out: '',
    err: 'There is no application of this id.\n',
  });
});
