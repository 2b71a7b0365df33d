import assert from 'node:assert/strict';
import { suite, test, type TestContext } from 'node:test';
import { createBridgeClient } from '../../../src/server/index.js';
import { failure, hostileBridge, json, type Behaviour } from '../support/hostile-bridge.js';
import { application, applicationBody, clientSecret, login, rejection, setup } from '../support/client.js';
import { operationCases } from '../support/operations.js';
import { until } from '../support/until.js';

const resetPath = operationCases.resetCredential.path;
const newSecret = 'new-live-secret-0123456789';

/** A bridge with one valid secret at a time, which accepts only its tokens. */
async function strictBridge(t: TestContext) {
  const made = await setup(t);
  const { server } = made;
  let secret = clientSecret;
  const tokens = new Set<string>();
  const withToken =
    (behave: Behaviour): Behaviour =>
    (response, request) => {
      const isValid = tokens.has((request.headers.authorization ?? '').replace('Bearer ', ''));
      (isValid ? behave : failure(401))(response, request);
    };
  const logIn: Behaviour = (response, request) => {
    const isRight = (JSON.parse(request.body) as { clientSecret: string }).clientSecret === secret;
    const accessToken = `token-${tokens.size + 1}-of-${secret.slice(0, 3)}`;
    if (isRight) tokens.add(accessToken);
    (isRight ? json(200, { accessToken }) : failure(401))(response, request);
  };
  const replace: Behaviour = (response, request) => {
    secret = newSecret;
    tokens.clear();
    json(200, { liveClientSecret: newSecret, testClientSecret: 'new-test-secret', userId: 'crd_1' })(response, request);
  };
  server.behave(login, logIn);
  server.behave(resetPath, withToken(replace));
  server.behave(application, withToken(json(200, applicationBody)));
  return { ...made, logIn, withToken, replace };
}

suite('the token of a client', () => {
  test('The calls of a client share one login, and its token is kept.', async (t) => {
    const { server, client } = await setup(t);
    server.behave(application, json(200, applicationBody));
    await Promise.all(Array.from({ length: 20 }, () => client.applications.get('app_1')));
    await client.applications.get('app_1');
    assert.equal(server.requestsTo(login).length, 1);
    assert.deepEqual(JSON.parse(server.requestsTo(login)[0]?.body ?? ''), { clientId: 'client_1', clientSecret });
  });

  test('A hundred concurrent calls that get a 401 cause one new login.', async (t) => {
    const { server, client } = await setup(t);
    let valid = 'Bearer token-1';
    server.behave(application, (response, request) =>
      (request.headers.authorization === valid ? json(200, applicationBody) : failure(401))(response, request),
    );
    await client.applications.get('app_1');
    valid = 'Bearer token-2';
    const answers = await Promise.all(Array.from({ length: 100 }, () => client.applications.get('app_1')));
    assert.equal(answers.length, 100);
    assert.equal(server.requestsTo(login).length, 2);
  });

  test('A call fails when the new token is refused, too.', async (t) => {
    const { server, client } = await setup(t);
    server.behave(application, failure(401));
    const error = await rejection(client.applications.get('app_1'));
    assert.equal(error.code, 'refused');
    assert.equal(error.status, 401);
    assert.equal(server.requestsTo(application).length, 2);
    assert.equal(server.requestsTo(login).length, 2);
  });

  test('Calls without credentials work where the operation needs none, and are TypeErrors elsewhere.', async (t) => {
    const server = await hostileBridge(t);
    const credential = { agencyId: 'a', agencyName: 'A', clientId: 'c', createdAt: 'now', deactivatedAt: '', id: 'i' };
    const issued = { ...credential, isActive: true, liveClientSecret: 'l', testClientSecret: 't', updatedAt: 'now' };
    server.behave('/v1/account/account-credential?agencyId=a%26b', json(200, issued));
    const client = createBridgeClient({ baseUrl: server.url });
    assert.deepEqual(await client.account.createCredential({ agencyId: 'a&b' }), issued);
    assert.equal(server.seen[0]?.headers.authorization, undefined);
    await assert.rejects(client.applications.get('app_1'), TypeError);
  });
});

suite('a client that replaces its credentials', () => {
  test('The client returns its new credentials and continues with the live one.', async (t) => {
    const { server, client } = await strictBridge(t);
    await client.applications.get('app_1');
    const answer = { liveClientSecret: newSecret, testClientSecret: 'new-test-secret', userId: 'crd_1' };
    assert.deepEqual(await client.account.resetCredential(), answer);
    assert.equal((await client.applications.get('app_1')).applicationId, 'app_1');
    assert.deepEqual(
      server.requestsTo(login).map(({ body }) => (JSON.parse(body) as { clientSecret: string }).clientSecret),
      [clientSecret, newSecret],
    );
  });

  test('A login that is not found names the mistake in `baseUrl`.', async (t) => {
    const { server, client } = await setup(t);
    server.behave(login, failure(404));
    assert.match((await rejection(client.auth.login())).message, /^login: not found \(404\)\. Check that baseUrl is/);
    const { client: withV1 } = await setup(t, { baseUrl: `${server.url}/v1` });
    server.behave(`/v1${login}`, failure(404));
    assert.match((await rejection(withV1.auth.login())).message, /Remove \/v1 from the end of baseUrl/);
  });

  test('A login at the port of the hosted application names the mistake in `baseUrl`.', async (t) => {
    const { server, client } = await setup(t);
    server.behave(login, failure(415));
    assert.match((await rejection(client.auth.login())).message, /The hosted application has another one/);
  });

  test('A login with a wrong secret does not name the id as the wrong field.', async (t) => {
    const { server, client } = await setup(t);
    server.behave(login, failure(401, {}, 'clientId and clientSecret: expected those of an agency'));
    const { code, field, message } = await rejection(client.auth.login());
    assert.deepEqual([code, field], ['credentials_refused', undefined]);
    assert.match(message, /clientId or clientSecret is wrong/);
    assert.doesNotMatch(message, /The field is/);
  });

  test('The client forgets that the old credentials were refused.', async (t) => {
    const { server, client, logIn } = await strictBridge(t);
    await client.auth.login();
    server.behave(login, failure(401));
    assert.equal((await rejection(client.auth.login())).code, 'credentials_refused');
    server.behave(login, logIn);
    await client.account.resetCredential();
    assert.equal((await client.applications.get('app_1')).applicationId, 'app_1');
  });

  test('A pending login with the old credentials does not affect the client.', async (t) => {
    for (const answer of [json(200, { accessToken: 'outdated' }), failure(401), failure(400)]) {
      const { server, client, logIn } = await strictBridge(t);
      await client.auth.login();
      let answerLogin = () => {};
      server.behave(
        login,
        (response, request) => {
          answerLogin = () => {
            answer(response, request);
          };
        },
        logIn,
      );
      const late = client.auth.login();
      await until('the login arrived', () => server.requestsTo(login).length === 2);
      await client.account.resetCredential();
      answerLogin();
      assert.match((await late).accessToken, /-of-new$/);
      assert.equal((await client.applications.get('app_1')).applicationId, 'app_1');
    }
  });

  test('The client keeps its credentials when the bridge refuses to replace them.', async (t) => {
    const { server, client, withToken } = await strictBridge(t);
    server.behave(resetPath, withToken(failure(400)));
    assert.equal((await rejection(client.account.resetCredential())).code, 'refused');
    assert.equal((await client.applications.get('app_1')).applicationId, 'app_1');
  });

  test('The client repeats the replacement after a refused token, with a new one.', async (t) => {
    const { server, client, withToken, replace } = await strictBridge(t);
    await client.auth.login();
    server.behave(resetPath, failure(401), withToken(replace));
    assert.equal((await client.account.resetCredential()).liveClientSecret, newSecret);
    assert.equal(server.requestsTo(resetPath).length, 2);
  });

  test('The new credentials are in no error, either.', async (t) => {
    const { server, client } = await strictBridge(t);
    await client.account.resetCredential();
    server.behave(application, failure(400, {}, `You said ${newSecret}.`));
    assert.doesNotMatch(JSON.stringify(await rejection(client.applications.get('app_1'))), /new-live-secret/);
  });
});

test('The client does not use an issued credential, which may belong to another agency.', async (t) => {
  const { server, client } = await strictBridge(t);
  const { path, answer } = operationCases.createAccountCredential;
  server.behave(path, json(200, answer));
  await client.account.createCredential({ agencyId: 'agc_1' });
  await client.auth.login();
  assert.equal(
    (JSON.parse(server.requestsTo(login).at(-1)?.body ?? '') as { clientSecret: string }).clientSecret,
    clientSecret,
  );
});
