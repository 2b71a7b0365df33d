import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { read } from '../../scripts/docs/markdown.js';
import { canLinkTo, publishedReadme } from '../../scripts/published-readme.mjs';

const repository = { type: 'git', url: 'git+https://code.example/owner/name.git' };
const publish = (text: string) => publishedReadme(text, repository, 'v1.2.3');

describe('the published README', () => {
  it('links to the pages and pictures of the same version', () => {
    assert.equal(
      publish('[FAQ](docs/faq.md), [CSP](docs/security.md#framing), ![Demo](docs/demo.png)'),
      '[FAQ](https://code.example/owner/name/blob/v1.2.3/docs/faq.md), ' +
        '[CSP](https://code.example/owner/name/blob/v1.2.3/docs/security.md#framing), ' +
        '![Demo](https://code.example/owner/name/raw/v1.2.3/docs/demo.png)',
    );
  });

  it('keeps links to other sites and to its headings, and code, as they are', () => {
    const text = '[Site](https://example.com) [Below](#below)\n\n```js\nconst first = [list](index.js);\n```\n';
    assert.equal(publish(text), text);
  });

  for (const path of ['README.md', 'src/bridge/README.md']) {
    it(`has no relative link in ${path}, because a registry shows it without the files`, () => {
      const targets = [
        ...publish(read(path))
          .replaceAll(/^```[\s\S]*?^```$/gm, '')
          .matchAll(/\]\(([^)\s]+)\)/g),
      ];
      assert.deepEqual(
        targets.map(([, target = '']) => target).filter((target) => !/^(https:|#)/.test(target)),
        [],
      );
      assert.ok(targets.length > 0);
    });
  }

  it('needs the https address of the repository, in the form that publint accepts', () => {
    assert.ok(canLinkTo(repository));
    for (const text of ['github:owner/name', 'owner/name', 'https://code.example/owner/name'])
      assert.ok(!canLinkTo(text), text);
    assert.ok(!canLinkTo({ url: 'git+ssh://git@code.example/owner/name.git' }));
  });
});
