import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { type Consumer, createConsumer, developmentTool } from '../support/consumer.js';
import { compile } from './compilers.js';
import { snippet } from './snippets.js';

const tsc: [string, string] = ['typescript/bin/tsc', '-p'];

describe("README.md's languages", () => {
  let consumer: Consumer;
  before(async () => {
    consumer = await createConsumer();
    await consumer.write('french.ts', snippet('french.ts'));
    await consumer.write('languages.ts', snippet('languages.ts'));
    await consumer.write('lit-localize.json', snippet('lit-localize.json'));
    await consumer.install('@lit/localize');
  });
  after(() => consumer.remove());

  async function localize(command: string): Promise<string> {
    const words = [developmentTool('@lit/localize-tools/bin/lit-localize.js'), command];
    const { code, stdout, stderr } = await consumer.run('node', words);
    assert.equal(code, 0, stdout + stderr);
    return stderr;
  }

  it('compile when written by hand, and the compiler says what is missing and what is wrong', async () => {
    assert.equal(await compile(consumer, tsc, ['french.ts']), '');
    await consumer.write('complete.ts', snippet('french.ts').replace('Partial<Translation>', 'Translation'));
    assert.match(await compile(consumer, tsc, ['complete.ts']), /missing the following properties .*intro/);
    await consumer.write('wrong.ts', snippet('french.ts').replace('(host)', '(host: number)'));
    assert.match(await compile(consumer, tsc, ['wrong.ts']), /'\(host: number\) => string' is not assignable/);
  });

  it('go to a translator and come back', async () => {
    await localize('extract');
    const path = join(consumer.folder, 'src/licensing/fr.xlf');
    const empty = await readFile(path, 'utf8');
    const english = await readFile(join(consumer.folder, 'node_modules/licensing-apply/dist/locales/en.xlf'), 'utf8');
    const ids = (text: string) => [...text.matchAll(/<trans-unit id="(\w+)">/g)].map(([, id]) => id);
    assert.ok(ids(empty).length > 50);
    assert.deepEqual(ids(empty), ids(english));
    await writeFile(path, empty.replaceAll(/<source>(.*)<\/source>/g, '$&\n  <target>« $1 »</target>'));
    assert.equal(await localize('build'), '');
    assert.equal(await compile(consumer, tsc, ['languages.ts']), '');
    const module = await readFile(join(consumer.folder, 'src/licensing/fr.ts'), 'utf8');
    assert.match(module, /'connecting': str`« Connecting to \$\{0\}… »`/);
  });
});
