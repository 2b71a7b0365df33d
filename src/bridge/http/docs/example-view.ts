import type { oas31 } from 'zod-openapi';
import { html, type Html } from './html.js';

/** A block of code that can be scrolled by keyboard. */
export function code(title: string, text: string): Html {
  return html`<figure class="code">
    <figcaption>${title}</figcaption>
    <pre tabindex="0" aria-label="${title}"><code>${text}</code></pre>
  </figure>`;
}

/** The examples of a body, one after the other. */
export function examplesOf(title: string, media: oas31.MediaTypeObject | undefined): Html[] {
  const { examples = {} } = media ?? {};
  const example: unknown = media?.example;
  const named = Object.values(examples) as oas31.ExampleObject[];
  if (example !== undefined) named.push({ value: example });
  return named.map(({ summary, value }) =>
    code(named.length > 1 && summary ? `${title}: ${summary}` : title, JSON.stringify(value, null, 2)),
  );
}

/** The call as a command, which works with a token of one's own. */
export function curl(options: { method: string; url: string; needsToken: boolean; body: unknown }): string {
  const lines = [`curl -X ${options.method} '${options.url}'`];
  if (options.needsToken) lines.push(`-H "Authorization: Bearer $TOKEN"`);
  if (options.body !== undefined) {
    lines.push(`-H 'Content-Type: application/json'`, `-d '${JSON.stringify(options.body)}'`);
  }
  return lines.join(' \\\n  ');
}
