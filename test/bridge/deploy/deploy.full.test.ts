import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { parse, parseAllDocuments } from 'yaml';
import { environmentVariables, readEnvironment } from '../../../src/bridge/config/environment.js';
import { fileVariableOf } from '../../../src/bridge/config/secret-files.js';
import { createLogger, startBridge } from '../../../src/bridge/index.js';
import { testDatabase } from '../../support/database.js';
import { runHere } from '../process.js';

const read = (name: string) => readFileSync(fileURLToPath(new URL(`../../../deploy/${name}`, import.meta.url)), 'utf8');
const key = Buffer.alloc(32, 1).toString('base64');

/** The values that an operator sets. */
const filledIn: Readonly<Record<string, string>> = {
  BRIDGE_SECRET_KEY: key,
  BRIDGE_DATABASE_PASSWORD: 'a',
  POSTGRES_PASSWORD: 'b',
  BRIDGE_URL: 'https://bridge.example.com',
  APPLY_URL: 'https://apply.example.com',
  CONSOLE_URL: 'https://console.example.com:8443',
};

interface Compose {
  services: Record<
    string,
    { environment?: Record<string, string>; command?: string[]; depends_on?: unknown; ports?: string[] }
  >;
}

/** What the tests read of the pods of a job or a deployment. */
interface PodSpec {
  terminationGracePeriodSeconds?: number;
  enableServiceLinks: boolean;
  securityContext: { runAsNonRoot: boolean; fsGroup: number };
  containers: {
    args: string[];
    env: { name: string; value: string }[];
    ports?: { name: string; containerPort: number }[];
    readinessProbe?: { httpGet: { path: string; port: string } };
    livenessProbe?: { httpGet: { path: string; port: string } };
    volumeMounts: { mountPath: string }[];
  }[];
}

/** What the tests read of an object of Kubernetes. */
interface KubernetesObject {
  kind: string;
  metadata: { name: string };
  data: Record<string, string>;
  spec: {
    replicas: number;
    minAvailable: number;
    template: { metadata: { labels: Record<string, string> }; spec: PodSpec };
    selector: Record<string, unknown>;
    podSelector: unknown;
    ports: { port: number; targetPort: string }[];
    ingress: { from: { namespaceSelector: { matchLabels: Record<string, string> } }[]; ports: { port: string }[] }[];
  };
}

/** Substitutes `${NAME:?}`, `${NAME:-}` and `${NAME:-default}` like Compose. */
const placeholder = /\$\{(\w+):(?:\?|-([^}]*))\}/g;

/** Variables of libraries: the client of S3. */
const ofOthers = new Set(['AWS_REGION', 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY']);

/** What the image or the containers fix, what names a file, and what production does not change. */
const fixed = new Set([
  ...['BRIDGE_HOST', 'BRIDGE_PORT', 'APPLY_PORT', 'BRIDGE_METRICS_PORT', 'BRIDGE_METRICS_HOST', 'NODE_ENV'],
  ...['BRIDGE_SCHEMA', 'BRIDGE_POOL_SIZE', 'BRIDGE_CONNECT_TIMEOUT', 'BRIDGE_KEEPALIVE', 'BRIDGE_STATEMENT_TIMEOUT'],
  ...['BRIDGE_IDLE_TRANSACTION_TIMEOUT', 'BRIDGE_CONNECTION_SETTINGS', 'BRIDGE_PREPARED_STATEMENTS'],
  ...['BRIDGE_DATA_DIR', 'BRIDGE_ADAPTERS', 'BRIDGE_OPERATOR_LOGO', 'BRIDGE_STRIPE_API_URL'],
  ...['BRIDGE_WEBHOOK_RETRY_SCALE', 'BRIDGE_ALLOW_LOOPBACK_WEBHOOKS', 'BRIDGE_ALLOW_SAMPLE_FEES'],
]);

function assertKnown(names: string[]): void {
  assert.deepEqual(
    names.filter((name) => !(name in environmentVariables)),
    [],
  );
}

/** The variables of `ENV` lines. */
function imageVariables(): Record<string, string> {
  const words = [...read('Dockerfile').matchAll(/^ENV (.+)$/gm)].flatMap(([, line = '']) => line.split(' '));
  return Object.fromEntries(words.map((word) => word.split('=') as [string, string]));
}

test('compose.yaml starts two instances with variables that the bridge accepts, after a migration without a key.', () => {
  const { services } = parse(read('compose.yaml'), { merge: true }) as Compose;
  const asked = new Set<string>();
  const fill = (environment: Record<string, string> = {}) =>
    Object.fromEntries(
      Object.entries(environment).map(([name, value]) => [
        name,
        value.replaceAll(placeholder, (_, variable: string, otherwise?: string) => {
          asked.add(variable);
          return filledIn[variable] ?? otherwise ?? '';
        }),
      ]),
    );
  for (const name of ['bridge-1', 'bridge-2']) {
    const variables = fill(services[name]?.environment);
    assertKnown(Object.keys(variables).filter((name) => !ofOthers.has(name)));
    const settings = Object.keys(environmentVariables).filter((name) => !(name in variables));
    assert.deepEqual(
      settings.filter((name) => !fixed.has(name)),
      [],
      'not passed to the container',
    );
    const environment = readEnvironment({ ...imageVariables(), ...variables });
    assert.equal(environment.NODE_ENV, 'production');
    assert.equal(environment.BRIDGE_FILING, 'manual');
    assert.equal(environment.CONSOLE_URL, filledIn['CONSOLE_URL']);
    assert.equal(environment.DATABASE_URL, 'postgresql://bridge:a@postgres/bridge');
    assert.deepEqual(services[name]?.depends_on, { migrate: { condition: 'service_completed_successfully' } });
  }
  const migration = fill(services['migrate']?.environment);
  assert.deepEqual(Object.keys(migration), ['DATABASE_URL']);
  readEnvironment({ ...imageVariables(), ...migration }, { needsKey: false });
  assert.deepEqual(services['migrate']?.command, ['migrate']);
  for (const port of services['proxy']?.ports ?? []) fill({ port });
  const offered = [...read('environment.example').matchAll(/^(\w+)=/gm)].map(([, name]) => name);
  assert.deepEqual([...asked].sort(), [...offered].sort());
});

test("The console's port is published on loopback only, and on no port of the public pages.", () => {
  const { services } = parse(read('compose.yaml'), { merge: true }) as Compose;
  const published = Object.values(services).flatMap(({ ports = [] }) => ports);
  assert.deepEqual(published, ['80:80', '443:443', '${CONSOLE_ADDRESS:-127.0.0.1}:8443:8443']);
  const [, server = ''] = /server \{\s*listen 8443 ssl;([^}]*)/.exec(read('nginx.conf')) ?? [];
  assert.match(server, /server_name console\.example\.com;\s*location \/ \{\s*proxy_pass http:\/\/console;/);
  assert.equal(read('nginx.conf').match(/proxy_pass http:\/\/console;/g)?.length, 1);
  assert.doesNotMatch(read('Dockerfile'), /^EXPOSE .*5173/m);
  // The configuration of an installation without containers that opens the API to its network.
  const environment = readEnvironment({ BRIDGE_HOST: '0.0.0.0', CONSOLE_PORT: '5173' });
  assert.equal(environment.CONSOLE_HOST, '127.0.0.1');
});

test('kubernetes.yaml starts instances with variables that the bridge accepts, and their secrets in files, after a migration.', () => {
  const objects = parseAllDocuments(read('kubernetes.yaml')).map((each) => each.toJSON() as KubernetesObject);
  const find = (kind: string) => objects.find((each) => each.kind === kind) ?? assert.fail(kind);
  const { data } = find('ConfigMap');
  assertKnown(Object.keys(data));
  const environment = readEnvironment({ ...imageVariables(), ...data, BRIDGE_SECRET_KEY: key });
  assert.equal(environment.NODE_ENV, 'production');

  const deployment = find('Deployment').spec;
  for (const [command, pod] of [
    ['migrate', find('Job').spec.template.spec],
    ['serve', deployment.template.spec],
  ] as const) {
    const [{ args, env, volumeMounts } = assert.fail()] = pod.containers;
    assert.deepEqual([args, pod.enableServiceLinks, pod.securityContext.runAsNonRoot], [[command], false, true]);
    for (const { name, value } of env) {
      assert.equal(fileVariableOf(name.replace(/_FILE$/, '')), name);
      assert.ok(value.startsWith(`${volumeMounts[0]?.mountPath ?? ''}/`), name);
    }
  }
  const { terminationGracePeriodSeconds = 0, containers } = deployment.template.spec;
  // The current requests and the current deliveries take ten seconds each.
  assert.ok(terminationGracePeriodSeconds > environment.BRIDGE_STOP_DELAY + 20);

  const [{ ports = [], readinessProbe, livenessProbe } = assert.fail()] = containers;
  const { BRIDGE_PORT, APPLY_PORT, CONSOLE_PORT, BRIDGE_METRICS_PORT } = environment;
  const named = { api: BRIDGE_PORT, apply: APPLY_PORT, console: CONSOLE_PORT, metrics: BRIDGE_METRICS_PORT };
  assert.deepEqual(Object.fromEntries(ports.map(({ name, containerPort }) => [name, containerPort])), named);
  assert.deepEqual(
    [readinessProbe?.httpGet, livenessProbe?.httpGet],
    [
      { path: '/readyz', port: 'api' },
      { path: '/healthz', port: 'api' },
    ],
  );
  for (const { spec } of objects.filter(({ kind }) => kind === 'Service')) {
    assert.deepEqual(spec.selector, deployment.template.metadata.labels);
    for (const { port, targetPort } of spec.ports) assert.equal(port, named[targetPort as keyof typeof named]);
  }
  const selector = { matchLabels: deployment.template.metadata.labels };
  const [budget, policy] = [find('PodDisruptionBudget').spec, find('NetworkPolicy').spec];
  assert.deepEqual([deployment.selector, budget.selector, policy.podSelector], [selector, selector, selector]);
  assert.ok(budget.minAvailable < deployment.replicas);
  // The console is reached from another namespace than the public pages.
  const reachedFrom = (port: string) =>
    policy.ingress
      .filter(({ ports: open }) => open.some((each) => each.port === port))
      .flatMap(({ from }) => from.flatMap(({ namespaceSelector }) => Object.values(namespaceSelector.matchLabels)));
  assert.deepEqual([reachedFrom('apply'), reachedFrom('console')], [['ingress'], ['ingress-private']]);
});

test('The commands in the deployment files are commands of the bridge.', async () => {
  const named = ['compose.yaml', 'kubernetes.yaml', 'licensing-bridge.service'].flatMap((name) =>
    [...read(name).matchAll(/^#.*\b(operator create|agency create)\b(.*)$/gm)].map(([, command = '', options = '']) => [
      ...command.split(' '),
      ...(options.match(/--\w+/g) ?? []),
    ]),
  );
  assert.equal(named.length, 4);
  for (const [first = '', second = '', ...options] of named) {
    const { code, out } = await runHere([first, second, '--help']);
    assert.equal(code, 0);
    for (const option of options) assert.ok(out.includes(option), `${first} ${second} ${option}`);
  }
});

test('The image and the example environment contain only variables of the bridge.', () => {
  assertKnown(Object.keys(imageVariables()));
  const images = ['NODE_IMAGE', 'POSTGRES_IMAGE', 'NGINX_IMAGE'];
  const forCompose = ['POSTGRES_PASSWORD', 'BRIDGE_DATABASE_PASSWORD', 'CONSOLE_ADDRESS', ...images, ...ofOthers];
  const names = [...read('environment.example').matchAll(/^#?(\w+)=/gm)].map(([, name = '']) => name);
  assertKnown(names.filter((name) => !forCompose.includes(name)));
});

test('The image of the package runs with the user, the variables, the ports and the command of the other one.', () => {
  const runOf = (name: string) => /^USER [\s\S]*$/m.exec(read(name))?.[0];
  assert.match(runOf('Dockerfile') ?? '', /^CMD \["serve"\]$/m);
  assert.equal(runOf('package.Dockerfile'), runOf('Dockerfile'));
});

test('systemd accepts the unit file.', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'licensing-bridge-unit-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const unit = read('licensing-bridge.service');
  assert.match(unit, /^ExecStart=\/usr\/bin\/node \S+\/licensing-bridge\/dist\/cli\.js serve$/m);
  const path = join(folder, 'licensing-bridge.service');
  // The path of Node on this machine.
  writeFileSync(path, unit.replace('/usr/bin/node', process.execPath));
  const { error, status, stdout, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', path], {
    encoding: 'utf8',
  });
  if (error !== undefined) return t.skip('systemd-analyze is not installed.');
  const own = `${stdout}${stderr}`.split('\n').filter((line) => line.includes('licensing-bridge'));
  assert.deepEqual([status, own], [0, []]);
});

test('A bridge with the role of roles.sh serves on the migrated tables, and cannot change them.', async (t) => {
  const { db, url, stop } = await testDatabase({ migrated: false });
  t.after(stop);
  const role = `service${new URL(url).pathname.slice(1)}`;
  const [, script = ''] = /<<'SQL'\n([\s\S]*)\nSQL/.exec(read('roles.sh')) ?? [];
  await sql.raw(script.replaceAll(":'password'", "'secret'").replaceAll(/\bbridge\b/g, role)).execute(db);
  const run = (databaseUrl: string, ...args: string[]) =>
    runHere(args, { DATABASE_URL: databaseUrl, BRIDGE_SECRET_KEY: key });
  const service = new URL(url);
  [service.username, service.password] = [role, 'secret'];
  assert.equal((await run(url, 'migrate')).code, 0);
  assert.equal((await run(service.href, 'agency', 'create', '--name', 'Example')).code, 0);
  const environment = { DATABASE_URL: service.href, BRIDGE_SECRET_KEY: key, BRIDGE_PORT: '0', APPLY_PORT: '0' };
  const { bridgeUrl, stop: stopServing } = await startBridge(readEnvironment(environment), {
    log: createLogger('silent'),
    assets: { href: (name) => name, at: () => undefined },
  });
  assert.equal((await fetch(`${bridgeUrl}/readyz`)).status, 200);
  await stopServing();
  await sql`delete from kysely_migration`.execute(db);
  const { err } = await run(service.href, 'migrate');
  assert.match(err, /permission denied|must be owner/);
  assert.match(
    err,
    /\. Run it with the role that owns the database and its tables: see "Roles" in docs\/bridge\/deploy\.md\.$/m,
  );
  await sql.raw(`revoke select on kysely_migration from ${role}`).execute(db);
  assert.match((await run(service.href, 'agency', 'list')).err, /\. Grant its role the rights: see "Roles"/);
  await sql.raw(`drop owned by ${role}; drop role ${role}`).execute(db);
});
