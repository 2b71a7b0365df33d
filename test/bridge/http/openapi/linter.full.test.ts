import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { createOpenApiDocument } from '../../../../src/bridge/http/openapi/document.js';
import { testTool } from '../../../support/consumer.js';

test('The document passes the linter without a warning.', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'openapi-'));
  try {
    const file = join(folder, 'openapi.json');
    await writeFile(file, JSON.stringify(createOpenApiDocument('https://bridge.example')));
    const words = ['lint', file, '--extends=recommended', '--format=json'];
    const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
    const linter = testTool('@redocly/cli/bin/cli.js');
    const { stdout } = await promisify(execFile)(process.execPath, [linter, ...words], { env });
    const { totals, problems } = JSON.parse(stdout) as { totals: Record<string, number>; problems: unknown[] };
    assert.deepEqual(problems, []);
    assert.deepEqual([totals['errors'], totals['warnings']], [0, 0]);
  } finally {
    await rm(folder, { recursive: true });
  }
});
